#!/bin/sh
# usage: check.sh GDB PROGRAM
# Runs PROGRAM (kernel.cpp) in gdb up to its call of stop, with the printers that it contains, and checks what gdb
# prints in the kernel.
set -u
export LC_ALL=C
gdb=${1:?usage: check.sh GDB PROGRAM} program=$2
output=$(mktemp)
trap 'rm -f "$output"' EXIT

set -- -ex 'break stop' -ex run -ex up
expected=
# expect EXPRESSION TEXT: what gdb shall print for the expression.
expect() { expected="$expected
$1 => $2"; }
expect lane '{0, 1, 2, 3, 4, 5}'
expect tenths '{0, 0.1, 0.2, 0.3, 0.4, 0.5}'
expect odd '{false, true, false, true, false, true}'
expect pair '{(0, 0.5), (1, 0.5), (2, 0.5), (3, 0.5), (4, 0.5), (5, 0.5)}'
expect matrix '{((0, 0.5), (1, 2)), ((1, 0.5), (1, 2)), ((2, 0.5), (1, 2)), ((3, 0.5), (1, 2)), ((4, 0.5), (1, 2)), ((5, 0.5), (1, 2))}'
expect bytes '{-3, -2, -1, 0, 1, 2}'
expect ballot '0x2a {1,3,5}'
expect ballots '{0x2a, 0x2a, 0x2a, 0x2a, 0x2a, 0x2a}'
expect counter 'active {1,3,5} of 6 = {0, 102, 4, 106, 8, 110}'
expect moving 'active {1,3,5} of 6 = {(0, 0.5), (2, 0.5), (2, 0.5), (4, 0.5), (4, 0.5), (6, 0.5)}'
expect active '{1,3,5} of 6'
expect gl_LocalInvocationIndex '{0, 1, 2, 3, 4, 5}'
expect '/x lane' '{0x0, 0x1, 0x2, 0x3, 0x4, 0x5}'

names=$(printf '%s\n' "$expected" | sed -n 's/ => .*//p')
while read -r name; do
  [ -n "$name" ] || continue
  set -- "$@" -ex "printf \"$name => \"" -ex "output $name" -ex 'echo \n'
done <<EOT
$names
EOT

"$gdb" -batch -nx -iex 'set debuginfod enabled off' -iex "add-auto-load-safe-path $program" \
  -iex 'set print repeats unlimited' "$@" "$program" >"$output" 2>&1
if grep -q 'ptrace: Operation not permitted' "$output"; then
  echo 'gdb may not run programs here'
  exit 77
fi
failed=0
while IFS= read -r line; do
  [ -z "$line" ] && continue
  grep -qxF -- "$line" "$output" || { echo "gdb did not print: $line"; failed=1; }
done <<EOT
$expected
EOT
[ $failed -eq 0 ] || { echo "It printed:"; cat "$output"; }
exit $failed
