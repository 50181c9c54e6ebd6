#!/bin/bash
# Compile time of a translation unit that includes Lockstep: the fastest of five runs.
# usage: bash bench/compile_time.sh [COMPILER [FLAG...]]      default: g++ -O2
source "$(dirname "${BASH_SOURCE[0]}")/../src/cmake/setup.sh"

compiler=("${@:-g++}")
[ $# -gt 1 ] || compiler+=(-O2)
flags=(-std=c++20 -ffp-contract=off -I"$root/include" -isystem /usr/include/eigen3)
directory=$(mktemp -d)
trap 'rm -r "$directory"' EXIT

# seconds_for NAME [FLAG...]: compiles standard input, prints the seconds of the fastest run.
seconds_for() {
  local name=$1 file=$directory/unit.cpp run start end fastest=
  shift
  cat > "$file"
  for run in 1 2 3 4 5; do
    start=$(date +%s%N)
    "${compiler[@]}" "${flags[@]}" "$@" -c "$file" -o "$directory/unit.o" || fail "the compiler rejected it" "See its message above."
    end=$(date +%s%N)
    [ -n "$fastest" ] && [ $((end - start)) -ge "$fastest" ] || fastest=$((end - start))
  done
  printf '%6d.%02d s  %s\n' $((fastest / 1000000000)) $((fastest / 10000000 % 100)) "$name"
}

echo "Compile time with ${compiler[*]}:"
seconds_for "nothing" < /dev/null
seconds_for "xsimd and Eigen/Core alone" <<'CPP'
#include <Eigen/Core>
#include <xsimd/xsimd.hpp>
CPP
seconds_for "lockstep/lockstep.hpp" <<'CPP'
#include <lockstep/lockstep.hpp>
CPP
kernel=$(cat <<'CPP'
#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/keywords.hpp>

template <class S>
struct DoubleEven : lockstep::Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr lockstep::Size3 local_size{64};
  Buffer<uint> data;

  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    If (data[i] % 2u == 0u) data[i] = data[i] * 2u;
  }
};

void run(std::vector<std::uint32_t>& data) {
  lockstep::Device{.subgroup_size = 32}.dispatch<DoubleEven, 32>({4}, data);
}
CPP
)
seconds_for "lockstep/lockstep.hpp and one kernel at one width" <<< "$kernel"
# As target_precompile_headers does.
echo "#include <lockstep/lockstep.hpp>" > "$directory/precompiled.hpp"
"${compiler[@]}" "${flags[@]}" -x c++-header "$directory/precompiled.hpp" -o "$directory/precompiled.hpp.gch" ||
  fail "the compiler failed to precompile it" "See its message above."
seconds_for "the same with lockstep/lockstep.hpp precompiled" -include "$directory/precompiled.hpp" <<< "$kernel"
