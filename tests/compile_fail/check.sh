#!/bin/sh
# usage: check.sh FILE COMPILER [FLAGS...]
# Passes if FILE compiles unchanged, does not compile with -DMUST_FAIL, and the compiler's output then
# contains the text of one of FILE's `// expect-error: text` lines (wording differs between compilers) and
# names FILE in one of its first lines. With `// expect-warning: text`, FILE compiles with -DMUST_FAIL, too,
# and the text is that of a warning under -Wall.
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

expected=$(sed -n 's|^// expect-[a-z]*: ||p' "$file")
[ -n "$expected" ] || fail 'has no "// expect-error: text" or "// expect-warning: text" line'

"$@" -Wall -Werror -fsyntax-only "$file" 2>"$messages" || fail 'must compile without MUST_FAIL, but does not'
if grep -q '^// expect-warning: ' "$file"; then
  "$@" -Wall -DMUST_FAIL -fsyntax-only "$file" 2>"$messages" || fail 'must compile with MUST_FAIL, but does not'
elif "$@" -DMUST_FAIL -fsyntax-only "$file" 2>"$messages"; then
  fail 'must not compile with MUST_FAIL, but does'
fi
# A pattern of several lines matches where any one of them does.
grep -qF -e "$expected" "$messages" || fail "must say one of: $expected"
# The compiler may say first where in headers it noticed, in few lines besides those that quote the source.
grep -E ': (error|warning|note|In )|required (from|by)' "$messages" | head -n 12 | grep -qF "$file" ||
  fail 'must be named in the first lines'
