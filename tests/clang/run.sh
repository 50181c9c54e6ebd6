#!/bin/bash
# Compiles the library, the program and the tests with clang 14, where a warning is an error, and runs the tests of
# lanes, control flow, built-ins and GLSL's types, whose code depends most on the compiler. Nothing is optimized.
# usage: bash tests/clang/run.sh
source "$(dirname "${BASH_SOURCE[0]}")/../../src/cmake/setup.sh"

[ $# -eq 0 ] || fail "unknown arguments: $*" "usage: bash tests/clang/run.sh"
directory=$root/build/tests-clang

install_packages "${build_packages[@]}" "${test_packages[@]}" clang-14

step "Build with clang 14"
build_in "$directory" -DCMAKE_CXX_COMPILER=clang++-14 -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_CXX_FLAGS_DEBUG=-O0 -DNDEBUG" \
  -DLOCKSTEP_ISA=native -DLOCKSTEP_WARNINGS_AS_ERRORS=ON -DLOCKSTEP_BUILD_BENCH=OFF -DLOCKSTEP_INSTALL=OFF -DLOCKSTEP_TEST_FULL=OFF \
  -DLOCKSTEP_TEST_REDUCED=ON -DLOCKSTEP_TEST_OPTIMIZATION=-O0 -DLOCKSTEP_KERNEL_WIDTHS=128 -DLOCKSTEP_SHADER_WIDTHS=128

step "Tests compiled with clang 14"
ctest --test-dir "$directory" --parallel "$(nproc)" --output-on-failure --no-tests=error \
  --tests-regex '^(lanes|exec|subgroup|glsl)/' ||
  fail "tests failed that clang 14 compiled" \
    "Run them alone with: ctest --test-dir $directory --rerun-failed --output-on-failure"
