#!/bin/bash
# Has clang-tidy check the public headers and the engine by the rules in .clang-tidy, and clang-format all sources by those
# in .clang-format, and src/lint the kernels. What they find is an error.
# usage: bash tests/clang_tidy/run.sh [PATTERN]
#   PATTERN   a regular expression: only what compiles a matching path, as src/cli/ or ops/image
source "$(dirname "${BASH_SOURCE[0]}")/../../src/cmake/setup.sh"

[ $# -le 1 ] || fail "unknown arguments: $*" "usage: bash tests/clang_tidy/run.sh [PATTERN]"
pattern=${1:-"/src/(shader/(run|instruments)|runtime/(exec|dispatch|workgroup|checked))/"}
directory=$root/build/tests-clang-tidy

install_packages "${build_packages[@]}" "${test_packages[@]}" clang-14 clang-tidy-14 clang-format-14 clang-tools-14

if [ $# -eq 0 ]; then
  step "clang-format"
  (cd "$root" && find include src kernels tests bench \( -name '*.cpp' -o -name '*.hpp' \) -print0 |
    xargs -0 clang-format-14 --dry-run --Werror) ||
    fail "sources are not formatted" "Format those that are named above with: clang-format-14 -i FILE"
  echo "Every source is formatted."

  step "Plain numbers written while lanes wait"
  sh "$root/tests/lint/check.sh" "$root" "-I$root/include" "-I$root/kernels" -isystem /usr/include/eigen3 ||
    fail "src/lint/plain_writes.sh has findings" "Repair what it names above, or allow it with a comment."
fi

step "Commands of clang 14"
# Nothing is built, and nothing precompiled, in which clang-tidy would not see a header.
cmake -S "$root" -B "$directory" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_COMPILER=clang++-14 \
  -DLOCKSTEP_ISA=native -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DLOCKSTEP_BUILD_TESTS=OFF -DLOCKSTEP_BUILD_BENCH=OFF -DLOCKSTEP_INSTALL=OFF \
  -DLOCKSTEP_SHADER_WIDTHS=128 -DLOCKSTEP_KERNEL_WIDTHS=128 ||
  stopped "CMake stopped while configuring" "If the message above does not help: rm -r $directory; then go on with: $again" \
    "$root" /tmp

# Most of the time goes into the headers of libraries, so sources that are compiled together are also checked together.
sources=()
while read -r source; do
  if [[ $source == */Unity/* ]]; then
    ! sed -n 's/^#include "\(.*\)"$/\1/p' "$source" | grep -qE "$pattern" || sources+=("$source")
  elif [[ $source =~ $pattern ]]; then
    sources+=("$source")
  fi
done < <(sed -n 's/^ *"file": "\(.*\)",\{0,1\}$/\1/p' "$directory/compile_commands.json")

# A source for all public headers, and one for gtest.hpp, whose macros have the names of Catch2's. Keywords are macros alone.
if [ $# -eq 0 ]; then
  (cd "$root/include" && find lockstep -name '*.hpp' ! -path '*/detail/*' ! -name 'keywords*.hpp' | sort) |
    sed 's/.*/#include <&>/' >"$directory/all.txt"
  grep -v /gtest.hpp "$directory/all.txt" >"$directory/headers.cpp"
  grep /gtest.hpp "$directory/all.txt" >"$directory/gtest.cpp"
  sources=("$directory/headers.cpp" "$directory/gtest.cpp" "${sources[@]}")
fi
[ ${#sources[@]} -gt 0 ] || fail "no source matches $pattern" "Name a folder or file of src, as src/runtime/exec/."

# check SOURCE: prints what clang-tidy finds, or that it finds nothing.
check() {
  local options=(--quiet) output
  case $1 in
    "$directory"/headers.cpp | "$directory"/gtest.cpp)
      options+=("$1" -- -std=c++20 -march=native -I"$root/include" -isystem /usr/include/eigen3) ;;
    # These include sources, as no other file may.
    */Unity/*) options+=(-p "$directory" --checks=-bugprone-suspicious-include "$1") ;;
    *) options+=(-p "$directory" "$1") ;;
  esac
  # On stderr is how many findings in other libraries were left out.
  if output=$(clang-tidy-14 "${options[@]}" 2>"$directory/$BASHPID.txt"); then
    echo "clean: ${1#"$root"/}"
  else
    printf '%s\n' "$output"
    [ -n "$output" ] || cat "$directory/$BASHPID.txt"  # no file, or clang-tidy itself failed
    return 1
  fi
}
step "clang-tidy: ${#sources[@]} groups of sources"
export -f check
export directory root
printf '%s\0' "${sources[@]}" | xargs -0 -n 1 -P "$(nproc)" bash -c 'check "$1"' check ||
  fail "clang-tidy has findings" "Repair what it names above, or leave a check out in .clang-tidy and say why there."
