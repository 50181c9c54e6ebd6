#!/bin/bash
# Builds the lockstep program and runs it: `lockstep demo`, or with the arguments given here.
# usage: bash kernels/run.sh [lockstep's arguments]
source "$(dirname "${BASH_SOURCE[0]}")/../src/cmake/setup.sh"

step "1/3 Packages"
install_packages "${build_packages[@]}"

step "2/3 Build in build/release"
build_in "$release_build" "${release_options[@]}" -DLOCKSTEP_BUILD_TESTS=OFF

[ $# -gt 0 ] || set -- demo
step "3/3 lockstep $*"
exec "$release_build/lockstep" "$@"
