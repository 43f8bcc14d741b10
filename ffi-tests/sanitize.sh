#!/usr/bin/env bash
# The C programs of ffi-tests/c under AddressSanitizer (library and programs), UndefinedBehaviorSanitizer
# (programs), LeakSanitizer, ThreadSanitizer (library and programs) and valgrind.
#
#   ffi-tests/sanitize.sh [address] [thread] [valgrind]      address and valgrind without arguments
#
# SUPEROVOID_LIBRARY names a libsuperovoid.a for valgrind that is there already.
# Needs gcc with its sanitizers and, for that lane, valgrind. RUSTC_BOOTSTRAP lets a stable compiler
# instrument the library. Each lane begins with programs that are wrong on purpose: what is not
# reported there is not looked for.
set -euo pipefail
cd "$(dirname "$0")/.."

target=x86_64-unknown-linux-gnu
here=$PWD
programs=$here/target/sanitize
mkdir -p "$programs"

# instrumented LANE RUSTFLAGS: builds the static library with them and says where it is.
instrumented() {
    RUSTC_BOOTSTRAP=1 RUSTFLAGS=$2 cargo rustc -q -p superovoid-capi --lib --crate-type staticlib \
        --target "$target" --target-dir "target/sanitize/$1" 2>"$programs/$1.log" ||
        { cat "$programs/$1.log" >&2; return 1; }
    echo "target/sanitize/$1/$target/debug/libsuperovoid.a"
}

# compile LANE LIBRARY FLAGS...: all programs.
compile() {
    local lane=$1 archive=$2 name
    shift 2
    for name in deliberate whole_api abuse threads random_abuse; do
        cc -std=c99 -Wall -Wextra -Werror -pedantic -g -O1 "$@" -I include "ffi-tests/c/$name.c" "$archive" \
            -lm -lpthread -ldl -o "$programs/$lane-$name"
    done
}

# reported TEXT COMMAND...: the command must fail and say why.
reported() {
    local text=$1 output
    shift
    if output=$("$@" 2>&1); then
        echo "not reported: $*" >&2
        return 1
    fi
    grep -q "$text" <<<"$output" || { echo "$*: no \"$text\" in:" >&2; echo "$output" >&2; return 1; }
    echo "reported as it must be: $text"
}

lane_address() {
    local archive
    archive=$(instrumented address -Zsanitizer=address)
    compile address "$archive" -fsanitize=address,undefined -fno-sanitize-recover=all
    # Requests for more memory than there is are to be answered, not to end the program.
    export ASAN_OPTIONS=allocator_may_return_null=1:detect_stack_use_after_return=1:detect_leaks=1
    reported 'heap-buffer-overflow.*superovoid\|src/polytope' "$programs/address-deliberate" 1
    reported 'signed integer overflow' "$programs/address-deliberate" 2
    reported 'detected memory leaks' "$programs/address-deliberate" 3
    "$programs/address-whole_api"
    "$programs/address-abuse" 2>&1 | grep -v 'failed to allocate'
    "$programs/address-threads" 0
    "$programs/address-random_abuse" "${calls:-100000}" 3 30 2>&1 | grep -v 'failed to allocate\| accepted'
}

lane_thread() {
    local archive
    # The standard library is not instrumented: its locks are seen by their system calls only.
    archive=$(instrumented thread '-Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer')
    compile thread "$archive" -fsanitize=thread
    export TSAN_OPTIONS=halt_on_error=1
    reported 'data race' "$programs/thread-deliberate" 4
    "$programs/thread-threads" 0
    "$programs/thread-abuse"
}

lane_valgrind() {
    local archive
    # Rust keeps a handle of each thread that has started others until it ends, 48 bytes, which valgrind
    # counts as possibly lost in the main thread.
    local -a run=(valgrind --error-exitcode=99 -q --leak-check=full --errors-for-leak-kinds=definite)
    archive=${SUPEROVOID_LIBRARY:-}
    if [ -z "$archive" ]; then
        cargo rustc -q -p superovoid-capi --lib --crate-type staticlib
        archive=target/debug/libsuperovoid.a
    fi
    compile valgrind "$archive"
    reported 'Invalid read' "${run[@]}" "$programs/valgrind-deliberate" 1
    reported 'definitely lost' "${run[@]}" "$programs/valgrind-deliberate" 3
    "${run[@]}" "$programs/valgrind-whole_api"
    "${run[@]}" "$programs/valgrind-random_abuse" 3000 4 30 | grep -v ' accepted'
}

if [ $# -eq 0 ]; then
    set -- address valgrind
fi
for lane in "$@"; do
    printf '\n== %s\n' "$lane"
    ( "lane_$lane" )
done
