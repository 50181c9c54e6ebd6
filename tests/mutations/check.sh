#!/bin/sh
# Every fault of tests/mutations.sh names a file and changes it: it still fits the sources.
# usage: check.sh PROJECT
set -u
status=0
for change in "$1"/tests/mutations/*/*.sed; do
  file=$(sed -n '1s/^# //p' "$change")
  if [ ! -f "$1/$file" ]; then
    echo "$change names no file: '$file'; its first line is '# PATH'"
    status=1
  elif sed -f "$change" "$1/$file" | cmp -s - "$1/$file"; then
    echo "$change changes nothing: fit it to $file"
    status=1
  fi
done
exit $status
