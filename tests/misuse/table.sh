#!/bin/sh
# usage: table.sh ROOT [check]
# Writes ROOT/docs/reference/misuse.md, a table of the mistakes in tests/compile_fail, tests/misuse and tests/spirv/misuse.cpp, or checks that it
# is current.
set -u
export LC_ALL=C
root=${1:?usage: table.sh ROOT [check]}
page=docs/reference/misuse.md
cd "$root" || exit 2

rows() {
  # What is between #ifdef MUST_FAIL and #else or #endif is the mistake.
  for file in tests/compile_fail/*.cpp; do
    awk -v file="$file" '
      NR == 1 { sub(/^\/\/ /, ""); gsub(/\|/, "\\|"); why = $0; next }
      /^\/\/ expect-/ {
        if (text != "") next
        happens = /^\/\/ expect-warning/ ? "warning" : "does not compile"
        sub(/^\/\/ expect-[a-z]*: /, "")
        text = $0
      }
      /^#(else|endif)/ { inside = 0 }
      inside { sub(/^ +/, ""); code = code (code == "" ? "" : " ") $0 }
      /^#ifdef MUST_FAIL/ { inside = 1 }
      END {
        gsub(/\|/, "\\|", code)
        gsub(/\|/, "\\|", text)
        name = file
        sub(/.*\//, "", name)
        printf "| `%s` | %s | %s: %s | [%s](../../%s) |\n", code, why, happens, text, name, file
      }' "$file"
  done
  # The name of a test case is the mistake, " => " and what the Error says; "Error: " if it names no line, or "no error: "
  # and why.
  for file in tests/misuse/*.cpp tests/spirv/misuse.cpp; do
    awk -v file="$file" '
      /^TEST_CASE\(/ { inside = 1; title = "" }
      inside {
        rest = $0
        while (match(rest, /"[^"]*"/)) {
          title = title substr(rest, RSTART + 1, RLENGTH - 2)
          rest = substr(rest, RSTART + RLENGTH)
        }
      }
      inside && /\) \{$/ {
        inside = 0
        at = index(title, " => ")
        if (at == 0) next
        code = substr(title, 1, at - 1)
        gsub(/\|/, "\\|", code)
        name = file
        sub(/.*\//, "", name)
        happens = substr(title, at + 4)
        if (happens !~ /^(no error|Error): /) happens = "Error with file and line: " happens
        printf "| `%s` | | %s | [%s](../../%s) |\n", code, happens, name, file
      }' "$file"
  done
}

print_page() {
  cat <<'EOF'
# Mistakes in kernels

How Lockstep reports each mistake that it detects. tests/misuse/table.sh generates this page from the tests in tests/compile_fail,
tests/misuse and tests/spirv/misuse.cpp: add a test, not a row. Each test shows that the mistake does not compile, is a warning under -Wall (or -Wconversion, where the row says so), or ends in an
Error at run time, with file and line or with kernel and argument. A test of a compile error also shows that the same code without the mistake compiles.

`dispatch` is not [[nodiscard]], because nothing is lost with its result: a dispatch whose faults are not asked for throws the first
one at its end. With `Device{.faults = Faults::counted}` they are only counted, in the result.

The rows with "no error" are not mistakes: they are defined, and their tests show what they do. Barriers of one macro, or of a function that
is awaited at several places, are told apart by g++ and by clang without optimization. When clang optimizes, they are one barrier.

| mistake | why | what happens | test |
| --- | --- | --- | --- |
EOF
  rows
}

if [ "${2:-}" = check ]; then
  print_page | diff "$page" - || { echo "$page is not current: run tests/misuse/table.sh ." >&2; exit 1; }
else
  print_page >"$page"
fi
