#!/bin/sh
# usage: check.sh FILE COMPILER [FLAGS...]
# Passes if FILE compiles unchanged, does not compile with -DMUST_FAIL, and the compiler's output then
# contains the text of one of FILE's `// expect-error: text` lines (wording differs between compilers).
set -u
export LC_ALL=C
file=$1
shift

messages=$(mktemp)
trap 'rm -f "$messages"' EXIT

fail() {
  printf '%s: %s\n' "$file" "$1" >&2
  cat "$messages" >&2
  exit 1
}

expected=$(sed -n 's|^// expect-error: ||p' "$file")
[ -n "$expected" ] || fail 'has no "// expect-error: text" line'

"$@" -c "$file" -o /dev/null 2>"$messages" || fail 'must compile without MUST_FAIL, but does not'
if "$@" -DMUST_FAIL -c "$file" -o /dev/null 2>"$messages"; then
  fail 'must not compile with MUST_FAIL, but does'
fi
# A pattern of several lines matches where any one of them does.
grep -qF -e "$expected" "$messages" || fail "must fail with one of: $expected"
