#!/bin/sh
# usage: check.sh WAY SOURCE BUILD CMAKE COMPILER
# Builds and runs the project in this folder against Lockstep. WAY is
#   find_package         installed from BUILD; unit tests and all headers are compiled, too
#   find_package_native  the same, in a project that itself asks for -march=native
#   subproject           an archive of SOURCE through FetchContent, and SOURCE through add_subdirectory, which differs only in
#                        where the sources are and is configured; in a Debug build, which installs Lockstep, too
#   library_only         installed from a build of its own that was only configured, with headers in another folder, and
#                        used through CMake and pkg-config; where there is dpkg it makes the Debian package, too, and
#                        lintian judges it if that is installed
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
[ "$way" != find_package_native ] || flags="$flags -march=native"

# configure FOLDER OPTION...
configure() {
  folder=$1
  shift
  "$cmake" -S "$source/tests/consumer" -B "$folder" -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_FLAGS="$flags" \
    -DCMAKE_EXPORT_COMPILE_COMMANDS=ON "$@"
}

type=Release
case $way in
  subproject)
    configure "$work/subdirectory" -DCMAKE_BUILD_TYPE=Debug -DLOCKSTEP_SOURCE="$source"
    (cd "$source" && tar -czf "$work/lockstep.tar.gz" CMakeLists.txt LICENSE include src kernels)
    set -- -DLOCKSTEP_FETCH="$work/lockstep.tar.gz" -DLOCKSTEP_INSTALL=ON
    type=Debug
    ;;
  library_only)
    "$cmake" -S "$source" -B "$work/lockstep" -DCMAKE_CXX_COMPILER="$compiler" -DLOCKSTEP_LIBRARY_ONLY=ON \
      -DCMAKE_INSTALL_PREFIX=/usr -DCMAKE_INSTALL_INCLUDEDIR=include/elsewhere -DCMAKE_CXX_FLAGS_RELEASE=-O0
    "$cmake" --install "$work/lockstep" --prefix "$work/prefix"
    set -- -DCMAKE_PREFIX_PATH="$work/prefix"
    type=Debug
    ;;
  *)
    "$cmake" --install "$lockstep_build" --prefix "$work/prefix" --component development
    set -- -DCMAKE_PREFIX_PATH="$work/prefix" -DLOCKSTEP_COMPONENTS=spirv
    ;;
esac
if [ "$way" = find_package ]; then
  # All headers, also those that others include, in one source. What they leave to the user's flags is left out.
  (cd "$work/prefix/include" && find lockstep -name '*.hpp' | sort | sed 's/.*/#include <&>/') > "$work/headers.cpp"
  [ "$(wc -l < "$work/headers.cpp")" -gt 150 ] || fail "only some headers are installed: $work/headers.cpp"
  set -- "$@" -DLOCKSTEP_HEADERS="$work/headers.cpp"
  # Types that headers only declare are for Lockstep's own use.
  find "$work/prefix/include" -name '*.hpp' -exec awk -f "$source/tests/consumer/undefined_types.awk" {} + ||
    fail "an installed header shows a type that no installed header defines"
fi

configure "$work/build" -DCMAKE_BUILD_TYPE=$type "$@"
# What unit tests of shaders need does not depend on the user's instruction set.
[ "$way" = find_package ] && targets= || targets='--target consumer'
"$cmake" --build "$work/build" $targets
"$work/build/consumer" || fail "the program's result is wrong (exit code $?)"
if [ "$way" = find_package ]; then
  cd "$source/tests/consumer"
  for test in catch2 first_kernel googletest allowed; do
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

if [ "$way" = subproject ]; then
  "$cmake" --install "$work/build" --prefix "$work/prefix"
  for file in liblockstep_runtime.a lockstep/lockstep.hpp lockstep.pc; do
    [ -n "$(find "$work/prefix" -path "*/$file")" ] || fail "a project with LOCKSTEP_INSTALL=ON does not install $file"
  done
  configure "$work/installed" -DCMAKE_PREFIX_PATH="$work/prefix"  # it asks whether all files of the targets exist
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
    for file in liblockstep_runtime.a lockstepConfig.cmake lockstep.pc include/elsewhere/lockstep/lockstep.hpp; do
      grep -q "/$file\$" "$work/contents" || fail "the Debian package lacks $file"
    done
    maintainer=$(dpkg-deb -f "$work"/lockstep/*.deb Maintainer)
    [ "$maintainer" = "A Builder <builder@example.net>" ] || fail "the Debian package is maintained by $maintainer"
    ! command -v lintian >/dev/null || lintian --fail-on error,warning "$work"/lockstep/*.deb
  fi
fi
