#!/bin/sh
# usage: check.sh WAY SOURCE BUILD CMAKE COMPILER
# Builds and runs the project in this folder against Lockstep. WAY is find_package (installed from
# BUILD), find_package_native (the same, in a project that itself asks for -march=native),
# add_subdirectory (of SOURCE, in a Debug build), fetch_content (of an archive of SOURCE) or library_only
# (installed from a build of its own that was only configured, and used through CMake and pkg-config; where there
# is dpkg it makes the Debian package, too, and lintian judges it if that is installed).
set -eu
way=$1 source=$2 lockstep_build=$3 cmake=$4 compiler=$5
work=$lockstep_build/consumer/$way

fail() {
  printf 'consumer: %s\n' "$1" >&2
  exit 1
}

rm -rf "$work"
mkdir -p "$work"
# Flags of the caller's environment would hide what Lockstep adds.
unset CXXFLAGS LDFLAGS
# Users may make all warnings errors: none may come from Lockstep.
flags='-Wall -Wextra -Wconversion -Wshadow -Werror'
type=Release
case $way in
  add_subdirectory)
    set -- -DLOCKSTEP_SOURCE="$source"
    type=Debug
    ;;
  fetch_content)
    (cd "$source" && tar -czf "$work/lockstep.tar.gz" CMakeLists.txt LICENSE include src kernels)
    set -- -DLOCKSTEP_FETCH="$work/lockstep.tar.gz"
    type=Debug
    ;;
  library_only)
    "$cmake" -S "$source" -B "$work/lockstep" -DCMAKE_CXX_COMPILER="$compiler" -DLOCKSTEP_LIBRARY_ONLY=ON \
      -DCMAKE_INSTALL_PREFIX=/usr -DCMAKE_CXX_FLAGS_RELEASE=-O1
    "$cmake" --install "$work/lockstep" --prefix "$work/prefix"
    set -- -DCMAKE_PREFIX_PATH="$work/prefix"
    ;;
  *)
    "$cmake" --install "$lockstep_build" --prefix "$work/prefix" --component development
    set -- -DCMAKE_PREFIX_PATH="$work/prefix" -DLOCKSTEP_COMPONENTS=spirv
    ;;
esac
[ "$way" != find_package_native ] || flags="$flags -march=native"

"$cmake" -S "$source/tests/consumer" -B "$work/build" -DCMAKE_CXX_COMPILER="$compiler" \
  -DCMAKE_BUILD_TYPE=$type -DCMAKE_CXX_FLAGS="$flags" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON "$@"
# What unit tests of shaders need does not depend on the user's instruction set.
[ "$way" = find_package ] && targets= || targets='--target consumer'
"$cmake" --build "$work/build" $targets
"$work/build/consumer" || fail "the program's result is wrong (exit code $?)"
if [ "$way" = find_package ]; then
  cd "$source/tests/consumer"
  for test in catch2 googletest allowed; do
    # Without the program there are no jobs.
    [ $test = allowed ] && [ ! -e "$work/build/allowed" ] && continue
    "$work/build/$test" || fail "the test with $test failed"
  done
fi

commands=$work/build/compile_commands.json
grep -q -e '-ffp-contract=off' "$commands" || fail "-ffp-contract=off does not reach users: $commands"
if [ "$way" != find_package_native ] && grep -q -e '[" ]-m' "$commands"; then
  fail "Lockstep forces -m flags on its users: $commands"
fi

if [ "$way" = library_only ]; then
  PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name lockstep.pc)")
  export PKG_CONFIG_PATH
  # Word splitting is wanted: these are flags.
  "$compiler" -std=c++20 $flags "$source/tests/consumer/a.cpp" "$source/tests/consumer/b.cpp" \
    -o "$work/with_pkg_config" $(pkg-config --cflags --libs lockstep)
  "$work/with_pkg_config" || fail "the program built with pkg-config is wrong (exit code $?)"
  if command -v dpkg-deb >/dev/null; then
    "$cmake" --build "$work/lockstep"
    (cd "$work/lockstep" && "$(dirname "$cmake")/cpack" -G DEB)
    dpkg-deb -c "$work"/lockstep/*.deb > "$work/contents"
    for file in liblockstep_runtime.a lockstepConfig.cmake lockstep.pc include/lockstep/lockstep.hpp; do
      grep -q "/$file\$" "$work/contents" || fail "the Debian package lacks $file"
    done
    maintainer=$(dpkg-deb -f "$work"/lockstep/*.deb Maintainer)
    [ "$maintainer" = "A Builder <builder@example.net>" ] || fail "the Debian package is maintained by $maintainer"
    ! command -v lintian >/dev/null || lintian --fail-on error,warning "$work"/lockstep/*.deb
  fi
fi
