#!/bin/bash
# Processor time of compiling what users of Lockstep compile: the lowest of some runs.
# usage: bash bench/compile_time.sh [COMPILER [FLAG...]]      default: g++ -O2
#   LOCKSTEP_INCLUDE=DIRECTORY  measures other headers, as those of another commit
#   RUNS=N                      default: 3
source "$(dirname "${BASH_SOURCE[0]}")/../src/cmake/setup.sh"

compiler=("${@:-g++}")
[ $# -gt 1 ] || compiler+=(-O2)
project=$root/bench/compile_time
# Eigen's folder is for headers from before glsl/eigen.hpp.
flags=(-std=c++20 -ffp-contract=off -I"${LOCKSTEP_INCLUDE:-$root/include}" -isystem /usr/include/eigen3 -I"$project")
directory=$(mktemp -d)
trap 'rm -r "$directory"' EXIT

# hundredths COMMAND...: runs it, prints the hundredths of a second that it computed for.
hundredths() {
  local TIMEFORMAT='%2U %2S' times
  times=$({ time "$@" 1>&2 2>"$directory/messages"; } 2>&1) ||
    fail "this failed: $*" "$(cat "$directory/messages")"
  awk '{ printf "%d", ($1 + $2) * 100 + 0.5 }' <<< "$times"
}

# lowest SOURCE [FLAG...]: of the runs.
lowest() {
  local source=$1 run took fastest=
  shift
  for ((run = 0; run < ${RUNS:-3}; ++run)); do
    took=$(hundredths "${compiler[@]}" "${flags[@]}" "$@" -c "$source" -o "$directory/unit.o")
    [ -n "$fastest" ] && [ "$took" -ge "$fastest" ] || fastest=$took
  done
  echo "$fastest"
}

# row HUNDREDTHS NAME
row() { printf '%6d.%02d s  %s\n' $(($1 / 100)) $(($1 % 100)) "$2"; }

echo "Processor time of ${compiler[*]}:"
echo '#include <lockstep/lockstep.hpp>' > "$directory/include.cpp"
row "$(lowest "$directory/include.cpp")" "lockstep/lockstep.hpp"
for kernel in reduce scan loops structs; do
  row "$(lowest "$project/$kernel.cpp")" "a source with one kernel: $kernel"
done
# As target_precompile_headers does, in a build without optimization.
cp "$directory/include.cpp" "$directory/precompiled.hpp"
hundredths "${compiler[@]}" "${flags[@]}" -O0 -x c++-header "$directory/precompiled.hpp" \
  -o "$directory/precompiled.hpp.gch" > /dev/null
for kernel in reduce scan loops structs; do
  row "$(lowest "$project/$kernel.cpp" -O0 -include "$directory/precompiled.hpp")" \
    "$kernel, at -O0 with lockstep/lockstep.hpp precompiled"
done
total=0
for source in "$project"/*.cpp; do
  total=$((total + $(RUNS=1 lowest "$source")))
done
row "$total" "the whole project: eight kernels, each tested in a source of its own"
