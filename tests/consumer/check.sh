#!/bin/sh
# usage: check.sh WAY SOURCE BUILD CMAKE COMPILER
# Builds and runs the project in this folder against Lockstep. WAY is find_package (installed from
# BUILD), find_package_native (the same, in a project that itself asks for -march=native) or
# add_subdirectory (of SOURCE, in a Debug build).
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
  *)
    "$cmake" --install "$lockstep_build" --prefix "$work/prefix" --component development
    set -- -DCMAKE_PREFIX_PATH="$work/prefix"
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
  for test in catch2 googletest; do "$work/build/$test" || fail "the test with $test failed"; done
fi

commands=$work/build/compile_commands.json
grep -q -e '-ffp-contract=off' "$commands" || fail "-ffp-contract=off does not reach users: $commands"
if [ "$way" != find_package_native ] && grep -q -e '[" ]-m' "$commands"; then
  fail "Lockstep forces -m flags on its users: $commands"
fi
