#!/bin/bash
# Tests the library and the shader engine on 64-bit ARM: cross-compiled, and emulated by qemu-user.
# usage: bash tests/aarch64/engine/run.sh
source "$(dirname "${BASH_SOURCE[0]}")/../../../src/cmake/setup.sh"

[ $# -eq 0 ] || fail "unknown arguments: $*" "usage: bash tests/aarch64/engine/run.sh"
sysroot=$root/build/aarch64-root directory=$root/build/tests-aarch64-engine

install_packages cmake ninja-build g++-aarch64-linux-gnu qemu-user mmdebstrap

# The libraries for ARM lie in a folder. Installed, they would need a second architecture of the whole system.
libraries=(libtbb-dev libboost-context-dev libfmt-dev glslang-dev glslang-tools spirv-tools spirv-headers catch2
           libxsimd-dev)
if [ "$(cat "$sysroot/packages" 2>/dev/null)" != "${libraries[*]}" ]; then
  step "Libraries for 64-bit ARM"
  release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
  rm -rf "$sysroot"
  mkdir -p "$sysroot"
  # Through tar: without root, mmdebstrap's own folders belong to other users.
  mmdebstrap --arch=arm64 --variant=extract --include="${libraries[*]}" --format=tar "$release" - |
    tar -x --exclude=./dev -C "$sysroot" ||
    stopped "the libraries for 64-bit ARM could not be unpacked into $sysroot" "See the message above and go on with: $again" \
      "$root" /tmp
  echo "${libraries[*]}" >"$sysroot/packages"
fi

step "Build for 64-bit ARM"
cmake -S "$root/tests/aarch64/engine" -B "$directory" -G Ninja --toolchain "$root/tests/aarch64/engine/toolchain.cmake" ||
  stopped "CMake stopped while configuring" "If the message above does not help: rm -r $directory; then go on with: $again" \
    "$root" /tmp
cmake --build "$directory" --parallel "$(jobs)" ||
  stopped "the build stopped" "If there is an 'error:' above, it says why; go on with: $again" "$directory" /tmp

step "Tests on 64-bit ARM"
ctest --test-dir "$directory" --parallel "$(nproc)" --output-on-failure --no-tests=error ||
  fail "tests failed on 64-bit ARM" \
    "Run them alone with: ctest --test-dir $directory --rerun-failed --output-on-failure"
