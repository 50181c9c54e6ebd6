#!/bin/sh
# usage: check.sh FILE COMPILER [FLAGS...]
# Passes if FILE compiles unchanged, does not compile with -DMUST_FAIL, and the compiler's output then
# contains the text of one of FILE's `// expect-error: text` lines (wording differs between compilers) and
# names the line of the mistake in one of its first lines. With `// expect-warning: text`, FILE compiles with -DMUST_FAIL, too,
# and the text is that of a warning under -Wall and what a line `// flags: FLAG...` adds.
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

expected=$(sed -n -e 's|^// expect-error: ||p' -e 's|^// expect-warning: ||p' "$file")
[ -n "$expected" ] || fail 'has no "// expect-error: text" or "// expect-warning: text" line'

# shellcheck disable=SC2046 # these are flags
set -- "$@" $(sed -n 's|^// flags: ||p' "$file")

"$@" -Wall -Werror -fsyntax-only "$file" 2>"$messages" || fail 'must compile without MUST_FAIL, but does not'
if grep -q '^// expect-warning: ' "$file"; then
  "$@" -Wall -DMUST_FAIL -fsyntax-only "$file" 2>"$messages" || fail 'must compile with MUST_FAIL, but does not'
elif "$@" -DMUST_FAIL -fsyntax-only "$file" 2>"$messages"; then
  fail 'must not compile with MUST_FAIL, but does'
fi
# A pattern of several lines matches where any one of them does.
grep -qF -e "$expected" "$messages" || fail "must say one of: $expected"
# A `// expect-errors: N` is how many errors there are at most: a mistake is reported once, and nothing after it.
allowed=$(sed -n 's|^// expect-errors: ||p' "$file")
errors=$(grep -c -a ': error: ' "$messages")
[ "$errors" -le "${allowed:-$errors}" ] || fail "must be at most $allowed errors, but are $errors"
# Besides those that quote the source, the first three lines name the line of the mistake, between #ifdef MUST_FAIL and #else
# or #endif; if no line does, they name some line of FILE, because what is there is only used elsewhere. A
# `// expect-line: N` raises the limit where the compiler says first where in headers it noticed.
most=$(sed -n 's|^// expect-line: ||p' "$file")
named=$(grep -E ': (error|warning|note|In )|required (from|by)' "$messages" | awk -v file="$file" '
  FILENAME == file {
    if (/^#(else|endif)/) inside = 0
    if (inside) mistake[FNR] = 1
    if (/^#ifdef MUST_FAIL/) inside = 1
    next
  }
  index($0, file ":") == 1 {
    split(substr($0, length(file) + 2), place, ":")
    if (place[1] !~ /^[0-9]+$/) next
    if (!any) any = FNR
    if (!exact && place[1] in mistake) exact = FNR
  }
  END { print exact ? exact : any ? any : 999 }' "$file" -)
[ "$named" -le "${most:-3}" ] || fail "must be named in line ${most:-3}, but is in line $named"
