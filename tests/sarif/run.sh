#!/bin/bash
# Has what --sarif writes judged by the validator of SARIF's authors, which npm brings.
# usage: bash tests/sarif/run.sh PROGRAM
source "$(dirname "${BASH_SOURCE[0]}")/../../src/cmake/setup.sh"

[ $# -eq 1 ] || fail "one argument is needed" "usage: bash tests/sarif/run.sh PROGRAM"
program=$(realpath "$1")
logs=$root/build/sarif
validator=$logs/node_modules/@microsoft/sarif-multitool-linux/Sarif.Multitool
export DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1

command -v npm >/dev/null || install_packages npm
mkdir -p "$logs"
[ -x "$validator" ] || npm install --silent --no-audit --no-fund --prefix "$logs" @microsoft/sarif-multitool-linux@5.7.0 ||
  fail "the validator could not be installed" "See npm's message above."

# Shaders with and without findings, and one whose run a finding ends.
found=0
for shader in "$root"/tests/bugs/*.comp; do
  log=$logs/$(basename "$shader").sarif buffers=()
  while read -r binding; do buffers+=(--buffer "$binding=iota:u32:1024"); done < \
    <(grep -v 'set = [1-9]' "$shader" | grep -oP '(?<=binding = )\d+' | sort -u)
  rm -f "$log"
  "$program" run "$shader" --groups 4 --subgroup-size 32 --max-steps 2000 --check --sarif "$log" "${buffers[@]}" >"$logs/out.txt" 2>&1 || true
  [ -s "$log" ] || fail "there is no $log" "$(cat "$logs/out.txt")"
  ! grep -q '"ruleId"' "$log" || found=$((found + 1))
done
[ "$found" -ge 30 ] || fail "only $found of the shaders in tests/bugs had findings" "Look at the logs in $logs."

"$validator" validate "$logs"/*.sarif --rule-kind Sarif --output "$logs/verdict.json" --log ForceOverwrite --quiet ||
  fail "the validator did not accept the logs" "See $logs/verdict.json."
! grep -q '"level": "error"' "$logs/verdict.json" ||
  fail "the validator found errors" "$(grep -B3 -A12 '"level": "error"' "$logs/verdict.json" | head -40)"
echo "The validator accepts $(ls "$logs"/*.sarif | wc -l) logs, $found of them with findings."
