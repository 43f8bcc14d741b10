#!/usr/bin/env bash
# Contact of superellipsoids in LAMMPS' own style and in superovoid, on the same pairs:
#
#   plugins/lammps/benchmarks/kernel.sh LAMMPS [PAIRS A CLASS] [SEED]
#
# LAMMPS is the folder of a LAMMPS of 2026 or later (src/ASPHERE/math_extra_superellipsoids.cpp); its files are compiled where
# they are. Prints a table (CSV). SUPEROVOID_LIBRARY names a libsuperovoid.a that is there already, as for build.sh.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
lammps=${1:?the folder of the LAMMPS source}
shift
source=$lammps/src/ASPHERE/math_extra_superellipsoids.cpp
[ -f "$source" ] || { echo "$source is not there: the style came with LAMMPS of 2026" >&2; exit 1; }
library=${SUPEROVOID_LIBRARY:-}
if [ -z "$library" ]; then
    (cd "$here/../../.." && cargo rustc -q --release -p superovoid-capi --lib --crate-type staticlib)
    library=$here/../../../target/release/libsuperovoid.a
fi
program=$(mktemp)
trap 'rm -f "$program"' EXIT
"${CXX:-c++}" -std=c++17 -O3 -march=native -I "$here/../../../include" -I "$lammps/src" -I "$lammps/src/ASPHERE" \
    "$here/kernel.cpp" "$source" "$lammps/src/math_extra.cpp" "$library" -o "$program"
"$program" "$@"
