#!/bin/bash
# Runs both commands of the README in a bare Debian 12, where nothing is installed, and then what the README goes on
# to use. Needs root, to make and enter such a root directory; elsewhere it says that this was left out.
# usage: bash tests/bare_root/run.sh
source "$(dirname "${BASH_SOURCE[0]}")/../../src/cmake/setup.sh"
source "$root/tests/bare_root/bare_root.sh"

[ $# -eq 0 ] || fail "unknown arguments: $*" "usage: bash tests/bare_root/run.sh"
can_make_bare_roots || exit 0
install_packages mmdebstrap git

place=$root/build/bare-root
step "A bare Debian 12 in $place"
make_bare_root "$place"
# Only what is committed, and no link to this repository.
git clone --quiet --no-hardlinks "$root" "$place/lockstep"
git -C "$place/lockstep" remote remove origin

step "In the bare Debian: bash kernels/run.sh"
in_bare_root "$place" 'bash lockstep/kernels/run.sh' ||
  fail "kernels/run.sh failed in a bare Debian 12" "Its output above says why; the directory is $place"
first=$SECONDS

step "In the bare Debian: what the README goes on to use"
# check WHAT COMMAND TEXT: the command's output contains the text.
check() {
  local output
  output=$(in_bare_root "$place" "cd lockstep && PATH=\$PATH:\$PWD/build/release && $2" 2>&1) ||
    { echo "$output"; fail "$1 failed after kernels/run.sh in a bare Debian 12" "The command was: $2"; }
  grep -qF -- "$3" <<<"$output" ||
    { echo "$output"; fail "$1 did not print '$3' in a bare Debian 12" "The command was: $2"; }
  echo "$1: ok"
  grep -E '^[^:]+: [0-9]+ s$' <<<"$output" || true  # how long the parts took
}
check "the Vulkan driver and capture" 'lockstep vulkan lockstep capture --list' 'Lockstep'
check "capture" 'lockstep vulkan lockstep capture kernels/max_reduce/max_reduce.comp --groups 2 \
  --buffer 0=iota:u32:256 --buffer 1=zeros:u32:1 -o /tmp/jobs && lockstep check /tmp/jobs/max_reduce' 'max_reduce'
check "serve" 'lockstep serve --port 8123 & sleep 2
  exec 3<>/dev/tcp/127.0.0.1/8123
  printf "GET /editor.js HTTP/1.1\r\nHost: 127.0.0.1:8123\r\nConnection: close\r\n\r\n" >&3
  cat <&3; kill %1' 'CodeMirror'
check "README's three paths" 'bash tests/bare_root/paths.sh README.md /root/mine kernel shader link' 'a link that holds an experiment'
check "a lesson" 'lockstep lesson 1' '# 1. Active lanes'

step "In the bare Debian: bash tests/run.sh"
in_bare_root "$place" 'bash lockstep/tests/run.sh' ||
  fail "tests/run.sh failed in a bare Debian 12" "Its output above says why; the directory is $place"

step "Both commands pass in a bare Debian 12, after $first s and $((SECONDS - first)) s more"
rm -rf --one-file-system "$place"
