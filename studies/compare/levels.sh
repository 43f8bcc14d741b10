#!/usr/bin/env bash
# What the choice of vector instructions at run time is worth: the comparison built without the levels above SSE2,
# above AVX2, with all, and for this processor alone; prints a table of mean times. The programs take turns, each
# figure is that of its fastest turn, and the last column is the largest ratio of a row to the best of each column.
#
#     studies/compare/levels.sh [CASES] [TURNS]
set -euo pipefail
cd "$(dirname "$0")/../.."
cases=${1:-1000} turns=${2:-5}

off() { printf ' --cfg without_%s' "$@"; }
names=('SSE2' 'up to AVX2' 'up to AVX-512' 'this processor only')
flags=("$(off avx2 avx512)" "$(off avx512)" '' '-C target-cpu=native')

for k in "${!names[@]}"; do
    RUSTFLAGS=${flags[k]} cargo build --quiet --release -p superovoid-compare --target-dir "target/levels/$k" >&2
done
for _ in $(seq "$turns"); do
    for k in "${!names[@]}"; do
        echo "$k $("target/levels/$k/release/superovoid-compare" means --pairs "$cases" --rounds 5)"
    done
done | awk -v names="$(IFS=';'; echo "${names[*]}")" '
    { for (c = 2; c <= NF; c++) if (!(($1, c) in least) || $c < least[$1, c]) least[$1, c] = $c + 0 }
    END {
        rows = split(names, name, ";")
        print "| instructions | pair, ns | warm | batch | point | in slices | times the best |"
        print "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
        for (c = 2; c <= 6; c++)
            for (k = 0; k < rows; k++)
                if (!(c in best) || least[k, c] < best[c]) best[c] = least[k, c]
        for (k = 0; k < rows; k++) {
            line = "| " name[k + 1]
            worst = 0
            for (c = 2; c <= 6; c++) {
                line = line " | " sprintf("%.0f", least[k, c])
                ratio = least[k, c] / best[c]
                if (ratio > worst) worst = ratio
            }
            print line " | " sprintf("%.2f", worst) " |"
        }
    }'
