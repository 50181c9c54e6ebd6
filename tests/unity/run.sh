#!/bin/bash
# Compiles each source of a unity group alone, where a missing #include is noticed.
# usage: bash tests/unity/run.sh [CMAKE_OPTION...]
# With -DLOCKSTEP_BUILD_TESTS=OFF those of the libraries and the program alone, half of them.
source "$(dirname "${BASH_SOURCE[0]}")/../../src/cmake/setup.sh"

tree=$root/build/unity

# commands ON|OFF CMAKE_OPTION...: how everything is compiled with unity groups or without.
commands() {
  cmake -S "$root" -B "$tree" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0 -DLOCKSTEP_COMPILER_HEAP=500 \
    -DLOCKSTEP_WARNINGS_AS_ERRORS=ON -DLOCKSTEP_BUILD_BENCH=OFF -DLOCKSTEP_KERNEL_WIDTHS=128 -DLOCKSTEP_SHADER_WIDTHS=128 \
    -DLOCKSTEP_TEST_REDUCED=ON -DLOCKSTEP_TEST_OPTIMIZATION=-O0 -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DLOCKSTEP_UNITY="$@" \
    >"$tree.log" || stopped "CMake stopped while configuring" "See $tree.log." "$root" /tmp
  cp "$tree/compile_commands.json" "$tree.$1.json"
}
mkdir -p "$root/build"
commands ON "$@"
commands OFF "$@"
# Whether it compiles is all that is asked: without code it takes two thirds as long.
python3 "$root/tests/unity/compile_alone.py" "$tree.ON.json" "$tree.OFF.json" "$(jobs)" ||
  fail "sources do not compile alone" "Include what they use, or name them in the unity.txt of their folder."
