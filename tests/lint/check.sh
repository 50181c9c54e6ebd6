#!/bin/sh
# usage: check.sh ROOT COMPILER_OPTION...
# src/lint/plain_writes.sh names the marked lines of plain_writes.hpp and no others, and nothing in the kernels of kernels/.
# Exit status 77 without clang-query.
set -u
export LC_ALL=C
root=${1:?usage: check.sh ROOT COMPILER_OPTION...}
shift
lint=$root/src/lint/plain_writes.sh marked=$root/tests/lint/plain_writes.hpp
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

sh "$lint" "$marked" -x c++ "$@" >"$folder/found"
status=$?
[ $status -eq 77 ] && exit 77
if [ $status -ne 1 ]; then
  echo "plain_writes.sh ends with $status instead of 1"
  failed=1
fi
grep -n '// WRITE$' "$marked" | cut -d : -f 1 >"$folder/expected"
sed -n 's/^.*plain_writes.hpp:\([0-9]*\): warning: .*/\1/p' "$folder/found" >"$folder/lines"
if ! diff "$folder/expected" "$folder/lines"; then
  echo "plain_writes.sh names other lines of $marked than those with WRITE"
  failed=1
fi

find "$root/kernels" -name '*.hpp' | sort | sed 's/.*/#include "&"/' >"$folder/kernels.cpp"
if ! sh "$lint" "$folder/kernels.cpp" "$@"; then
  echo "a kernel writes to plain numbers while lanes wait"
  failed=1
fi

echo 'int main() { return missing; }' >"$folder/wrong.cpp"
sh "$lint" "$folder/wrong.cpp" 2>"$folder/error"
if [ $? -ne 2 ] || ! grep -q "error: use of undeclared identifier 'missing'" "$folder/error"; then
  echo "plain_writes.sh does not report errors of compilation"
  failed=1
fi
exit $failed
