#!/bin/bash
# Tests lanes, built-ins and control flow on 64-bit ARM: cross-compiled, and emulated by qemu-user.
# usage: bash tests/aarch64/run.sh
source "$(dirname "${BASH_SOURCE[0]}")/../../src/cmake/setup.sh"

[ $# -eq 0 ] || fail "unknown arguments: $*" "usage: bash tests/aarch64/run.sh"
directory=$root/build/tests-aarch64
install_packages cmake ninja-build g++-aarch64-linux-gnu qemu-user catch2 libfmt-dev libxsimd-dev

cmake -S "$root/tests/aarch64" -B "$directory" -G Ninja --toolchain "$root/tests/aarch64/toolchain.cmake" ||
  stopped "CMake stopped while configuring" "If the message above does not help: rm -r $directory; then go on with: $again" \
    "$root" /tmp
cmake --build "$directory" --parallel "$(jobs)" ||
  stopped "the build stopped" "If there is an 'error:' above, it says why; go on with: $again" "$directory" /tmp
ctest --test-dir "$directory" --parallel "$(nproc)" --output-on-failure --no-tests=error ||
  fail "tests failed on 64-bit ARM" \
    "Run them alone with: ctest --test-dir $directory --rerun-failed --output-on-failure"
