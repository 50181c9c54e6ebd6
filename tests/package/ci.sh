#!/bin/bash
# usage: ci.sh PROGRAM
# Runs what the workflows in docs/ci have `lockstep` do, and checks the reports that their last steps upload.
source "$(dirname "${BASH_SOURCE[0]}")/../../src/cmake/setup.sh"
[ $# = 1 ] || fail "ci.sh takes one argument" "usage: bash tests/package/ci.sh PROGRAM"
PATH=$(cd "$(dirname "$1")" && pwd):$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# github_step NAME [FILE]: the lines of the block `run: |` after the step of that name.
github_step() {
  awk -v name="- name: $1" '
    index($0, "- ") && index($0, name) { in_step = 1 }
    in_step && !in_block && /^ *run: [|]$/ { in_block = match($0, /[^ ]/); next }
    in_block && match($0, /[^ ]/) && RSTART <= in_block { exit }
    in_block { print substr($0, in_block + 2) }' "${2:-$root/docs/ci/github.yml}"
}
# The items of a list of commands.
gitlab_commands() {
  awk -v list="^  $1:$" '
    $0 ~ list { in_list = 1; next }
    in_list && !/^    - / { exit }
    in_list { sub(/^    - /, ""); print }' "$root/docs/ci/gitlab.yml"
}
# run_commands NAME FILE: as the service does, in a folder of its own.
run_commands() {
  mkdir "$work/$1"
  grep -q '^ *lockstep run ' "$2" || fail "no command of lockstep was found in docs/ci/$1.yml" "See what the workflow runs."
  (cd "$work/$1" && bash -e "$2") || fail "the commands of docs/ci/$1.yml fail" "They are: $(cat "$2")"
}

github_step "Check shaders" > "$work/github.sh"
run_commands github "$work/github.sh"
folder=$(sed -n 's/^ *sarif_file: //p' "$root/docs/ci/github.yml")
count=0
for log in "$work/github/$folder"/*.sarif; do
  python3 -c 'import json, sys
log = json.load(open(sys.argv[1]))
assert log["version"] == "2.1.0" and log["runs"][0]["tool"]["driver"]["name"] == "lockstep"' "$log" ||
    fail "$log is not a log in SARIF 2.1.0" "docs/ci/github.yml uploads it."
  count=$((count + 1))
done
[ "$count" = "$(grep -c -e --sarif "$work/github.sh")" ] || fail "$count logs were written" "docs/ci/github.yml names another number."
# A finding fails the step, after all commands.
sed 's/random:u32:512:1/random:u32:512:1 --buffer nothing/' "$work/github.sh" > "$work/broken.sh"
mkdir "$work/broken"
! (cd "$work/broken" && bash -e "$work/broken.sh" 2> /dev/null) || fail "a failing check does not fail docs/ci/github.yml" ""
[ "$(find "$work/broken" -name '*.sarif' | wc -l)" -gt 0 ] || fail "after a failure docs/ci/github.yml runs nothing more" ""

gitlab_commands script > "$work/gitlab.sh"
run_commands gitlab "$work/gitlab.sh"
report=$(sed -n 's/^ *junit: //p' "$root/docs/ci/gitlab.yml")
python3 -c 'import sys, xml.etree.ElementTree as tree
suites = tree.parse(sys.argv[1]).getroot()
assert suites.findall(".//testcase") and not suites.findall(".//failure")' "$work/gitlab/$report" ||
  fail "$report is not a report in JUnit XML in which all pass" "docs/ci/gitlab.yml uploads it."

# A program's own tests: here one that dispatches a shader with `lockstep capture`, which is told what devices there are.
github_step "Run the tests on Lockstep" "$root/docs/guide/ci.md" > "$work/tests.sh"
grep -q 'lockstep vulkan .*--fail-on-findings' "$work/tests.sh" || fail "no step runs tests on the driver in docs/guide/ci.md" ""
# tests_of NAME SHADER: a folder with ./my_tests.
tests_of() {
  mkdir "$work/$1"
  printf '#!/bin/bash\nexec lockstep capture "%s" --groups 2 --buffer 0=iota:u32:256 --buffer 1=zeros:u32:1 -o "$PWD/jobs_$RANDOM"\n' \
    "$2" > "$work/$1/my_tests"
  chmod +x "$work/$1/my_tests"
}
if lockstep vulkan lockstep capture --list 2> /dev/null | grep -q Lockstep; then
  tests_of good "$root/kernels/max_reduce/max_reduce.comp"
  (cd "$work/good" && bash -e "$work/tests.sh") || fail "the step of docs/guide/ci.md fails" "It is: $(cat "$work/tests.sh")"
  [ "$(find "$work/good/findings" -name '*.sarif' | wc -l)" = 3 ] || fail "the step of docs/guide/ci.md does not write three logs" ""
  sed 's/values\[gl_GlobalInvocationID.x\]/values[gl_GlobalInvocationID.x + 4u]/' "$root/kernels/max_reduce/max_reduce.comp" > "$work/outside.comp"
  tests_of bad "$work/outside.comp"
  ! (cd "$work/bad" && bash -e "$work/tests.sh" 2> /dev/null) || fail "a finding does not fail the step of docs/guide/ci.md" ""
else
  echo "note: the step of docs/guide/ci.md for programs that use Vulkan is skipped: there is no loader"
fi
echo "The commands of the workflows in docs/ci work."
