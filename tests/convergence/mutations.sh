#!/bin/bash
# Plants faults in control flow, one at a time, in a copy of the sources, and checks that the tests
# of this folder find each of them. A fault is a file mutations/NAME.sed with a comment that
# names the file it changes, a comment that says what breaks, and the change.
# usage: bash tests/convergence/mutations.sh [NAME...]
#   CXX  the compiler, g++ if not set
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
compiler=${CXX:-g++}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
limit=300  # seconds for one test

fail() {
  printf 'error: %s\n' "$@" >&2
  exit 2
}
cp -r "$root/include" "$root/src" "$root/tests" "$work"
cd "$work"
read -ra eigen <<<"$(pkg-config --cflags eigen3 2>/dev/null || echo -I/usr/include/eigen3)"
flags=(-std=c++20 -O1 -w -ffp-contract=off -Iinclude -Isrc -Itests "${eigen[@]}")

# compile SOURCE: makes its object, named after the file.
compile() { "$compiler" "${flags[@]}" -c "$1" -o "$(basename "$1" .cpp).o" 2>compiler.log; }
runtime=(src/exec/*.cpp src/dispatch/*.cpp)
tests=(maximal weaker_rules)

# passes TEST: links and runs one test file.
passes() {
  local object objects=(main.o "$1.o")
  for object in "${runtime[@]}"; do objects+=("$(basename "$object" .cpp).o"); done
  "$compiler" "${objects[@]}" -lfmt -ltbb -lpthread -o "test_$1" || fail "the tests do not link"
  timeout "$limit" "./test_$1" >test.log 2>&1
}

printf 'Building and running the tests without a fault\n'
for source in tests/support/main.cpp "${runtime[@]}" "${tests[@]/#/tests/convergence/}"; do
  source=${source%.cpp}.cpp
  compile "$source" || fail "$source does not compile:" "$(head -5 compiler.log)"
done
for test in "${tests[@]}"; do
  passes "$test" || fail "$test fails without a fault; make it pass first:" "$(head -40 test.log)"
done
mkdir clean
mv ./*.o clean

names=("$@")
if [ $# = 0 ]; then
  for change in "$here"/mutations/*.sed; do names+=("$(basename "$change" .sed)"); done
fi
survivors=0
printf '\n%-34s %-13s %s\n' fault 'found by' 'what it breaks'
for name in "${names[@]}"; do
  change=$here/mutations/$name.sed
  [ -f "$change" ] || fail "there is no fault $name; see $here/mutations"
  file=$(sed -n '1s/^# //p' "$change")
  cp clean/*.o .
  sed -i -f "$change" "$file"
  ! cmp -s "$file" "$root/$file" || fail "$name changes nothing: fit it to $file"
  found=
  case $file in
    *.cpp) compile "$file" || fail "$name does not compile:" "$(head -5 compiler.log)" ;;
  esac
  for test in "${tests[@]}"; do
    case $file in
      *.hpp)
        compile "tests/convergence/$test.cpp" ||
          fail "$name does not compile:" "$(head -5 compiler.log)"
        ;;
    esac
    if ! passes "$test"; then
      found=$test
      break
    fi
  done
  [ -n "$found" ] || survivors=$((survivors + 1))
  printf '%-34s %-13s %s\n' "$name" "${found:-SURVIVES}" "$(sed -n '2s/^# //p' "$change")"
  cp "$root/$file" "$file"
done
printf '\n%d faults, %d survive\n' "${#names[@]}" "$survivors"
[ "$survivors" = 0 ]
