#!/bin/sh
# usage: check.sh ROOT
# Checks the source tree at ROOT: includes run one way between the layers (rules.awk), and every public
# header has its test. Prints each violation; exit code 1 if there is any.
set -u
rules=$(cd "$(dirname "$0")" && pwd)/rules.awk
cd "${1:?usage: check.sh ROOT}" || exit 2
failed=0

find include/lockstep src kernels $(find tests/support/walker tests/support/ports -maxdepth 0 2>/dev/null) \( -name '*.hpp' -o -name '*.cpp' \) -exec \
  grep -n '^[[:space:]]*#[[:space:]]*include' /dev/null {} + |
  awk -v rules="$rules" -f "$rules" || failed=1

# Headers without a test of their own, with the reason.
without_test='
config.hpp             only macros, which every test uses
glsl/keywords_off.hpp  takes back what glsl/keywords.hpp defines; tests/glsl/keywords.cpp tries both
'

# Whether a header declares anything itself; one of includes only is an umbrella.
has_code() {
  sed -e 's|//.*||' -e '/^[[:space:]]*$/d' -e '/^[[:space:]]*#[[:space:]]*\(include\|pragma\)/d' "$1" |
    grep -q .
}

for header in $(find include/lockstep -name '*.hpp' ! -path '*/detail/*' | sort); do
  path=${header#include/lockstep/}
  printf '%s\n' "$without_test" | grep -q "^$path " && continue
  has_code "$header" || continue
  test=tests/${path%.hpp}.cpp
  if [ ! -f "$test" ]; then
    echo "$header: has no test $test"
    failed=1
  fi
done
exit $failed
