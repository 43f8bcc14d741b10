#!/usr/bin/env bash
# libFuzzer: makes sequences of calls of the C interface (ffi-tests/c/random_abuse.c), guided by which code of
# the library they reach, under AddressSanitizer.
#
#   ffi-tests/fuzz.sh [seconds]
#
# Needs clang with its libFuzzer (Debian: clang, libclang-rt-14-dev). RUSTC_BOOTSTRAP lets a stable compiler
# instrument the library.
set -euo pipefail
cd "$(dirname "$0")/.."

target=x86_64-unknown-linux-gnu
directory=target/sanitize/fuzz
mkdir -p "$directory/corpus"
flags='-Zsanitizer=address -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table -Ccodegen-units=1'
RUSTC_BOOTSTRAP=1 RUSTFLAGS=$(tr -s ' \n' ' ' <<<"$flags") cargo rustc -q -p superovoid-capi --lib \
    --crate-type staticlib --target "$target" --target-dir "$directory"
clang -std=c99 -DSOVO_LIBFUZZER -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -I include \
    ffi-tests/c/random_abuse.c "$directory/$target/debug/libsuperovoid.a" -lm -lpthread -ldl -o "$directory/calls"
export ASAN_OPTIONS=allocator_may_return_null=1
exec "$directory/calls" -max_total_time="${1:-60}" -max_len=4096 -len_control=0 -timeout=30 -rss_limit_mb=4096 -print_final_stats=1 \
    "$directory/corpus"
