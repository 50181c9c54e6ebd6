#!/bin/sh
# usage: plain_writes.sh SOURCE [COMPILER_OPTION...]
# Names the places in a C++ source and its headers where the body of If, Else, While, For, Do, Switch, AndAlso, OrElse,
# Choose, when(), otherwise() or loop() writes to a plain number or bool that is declared outside of it, or to a member.
# It has one value for the subgroup, and changes also for lanes that wait. A comment in the line allows it:
# // lockstep: allow divergent-write. Needs clang-query 14 or later. Exit status: 0 for none, 1 for some, 2 for errors of
# compilation, 77 without clang-query.
set -u
export LC_ALL=C
source=${1:?usage: plain_writes.sh SOURCE [COMPILER_OPTION...]}
shift
query=$(dirname "$0")/plain_writes.query
for program in "${CLANG_QUERY:-}" clang-query clang-query-14; do
  [ -n "$program" ] && command -v "$program" >/dev/null && break
  program=
done
if [ -z "$program" ]; then
  echo "plain_writes.sh: there is no clang-query; Debian's package is clang-tools" >&2
  exit 77
fi

found=$("$program" -f "$query" "$source" -- -std=c++20 "$@" 2>&1)
if printf '%s\n' "$found" | grep -E '(: (fatal )?error|^[0-9]+:[0-9]+): ' >&2; then exit 2; fi
# PATH:LINE:COLUMN: note: "write" binds here
printf '%s\n' "$found" | sed -n 's/^\(.*\):\([0-9]*\):[0-9]*: note: "write" binds here$/\1:\2/p' |
  grep -v '/include/lockstep/' | sort -t : -k 1,1 -k 2,2n -u | {
  status=0
  while IFS= read -r place; do
    line=$(sed -n "${place##*:}p" "${place%:*}")
    case $line in
      *'lockstep: allow'*divergent-write*) continue ;;
      *'lockstep: allow') continue ;;
    esac
    echo "$place: warning: this changes for lanes that wait, too: make it a variable with var(), or write it where all lanes are active [divergent-write]"
    echo "$line"
    status=1
  done
  exit $status
}
