#!/bin/bash
# usage: inside.sh [vulkan]
# Runs in a root that has a lockstep in PATH and nothing else of the project: uses it as its users do, in a folder of
# their own. With vulkan, a program that uses the Vulkan loader runs on the driver, too.
set -euo pipefail
cd "$(mktemp -d)"

# expect TEXT STATUS COMMAND...: the command ends so, and says that.
expect() {
  local text=$1 status=$2 got=0 output
  shift 2
  output=$("$@" 2>&1) || got=$?
  if [ "$got" != "$status" ] || ! grep -qF -e "$text" <<< "$output"; then
    printf '%s\nerror: %s\nended with %s instead of %s, or did not print: %s\n' "$output" "$*" "$got" "$status" "$text" >&2
    exit 1
  fi
  printf 'passed: %s\n' "$*"
}

! command -v g++ gcc cc clang || { echo "error: there is a compiler in this root" >&2; exit 1; }
expect "lockstep " 0 lockstep --version
expect "collatz, subgroup size 24: ok" 0 lockstep run-kernel collatz --subgroup-size 24 --size 4096
expect "prefix_sum" 0 lockstep kernels
expect "  ok" 0 lockstep demo --elements 4096 --subgroup-size 32
expect "allocate_broken.hpp:38" 0 lockstep demo divergence

# A shader of the user's.
cat > difference.comp << 'END'
#version 450
#extension GL_KHR_shader_subgroup_shuffle_relative : require
layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer In { uint before[]; };
layout(std430, binding = 1) buffer Out { uint after[]; };
void main() {
  uint next = subgroupShuffleDown(before[gl_GlobalInvocationID.x], 1u);
  after[gl_GlobalInvocationID.x] = next;
}
END
run=(lockstep run difference.comp --groups 1 --subgroup-size 8 --buffer 0=iota:u32:8 --buffer 1=zeros:u32:8)
expect "buffer 1 (Out): u32 x 8" 0 "${run[@]}"
expect "difference.comp:8: error: an undefined value is stored to Out" 1 "${run[@]}" --check --sarif findings.sarif
grep -q shuffle-past-edge findings.sarif

# Ours, by the names that our pages give them.
expect "# 1. Active lanes" 0 lockstep lesson 1
expect "subgroup built-ins: subgroupBallot" 0 lockstep inspect kernels/compact/compact.comp
# Sources of the kernels in C++.
expect "base = subgroupBroadcastFirst(base);" 0 lockstep trace allocate_broken --width 120
expect "depends on convergence" 1 lockstep explore allocate_broken --subgroup-size 8 --budget 200
# What lessons show can be done.
for ((number = 1; number <= $(lockstep lesson | grep -c '^ *[0-9]'); ++number)); do
  while read -r command; do
    status=0
    bash -o pipefail -c "$command" > output 2>&1 || status=$?
    [ $status -lt 2 ] || { cat output; echo "error: lesson $number shows a command that fails: $command" >&2; exit 1; }
  done < <(lockstep lesson "$number" | sed -n ':more; s/\\$//; T end; N; s/\n//; b more; :end; s/^ *\$ //p')
done
[ -s picture.svg ] || { echo "error: no lesson wrote its picture" >&2; exit 1; }
echo "passed: the commands of all lessons"

# The live page, until its server is told to end.
lockstep serve --port 8420 > serve.log &
for _ in {1..100}; do grep -q http serve.log && break || sleep 0.1; done
# get PATH: what the server answers.
get() {
  exec 3<> /dev/tcp/127.0.0.1/8420
  printf 'GET %s HTTP/1.1\r\nHost: 127.0.0.1:8420\r\nConnection: close\r\n\r\n' "$1" >&3
  cat <&3
}
# ask MESSAGE: what the server answers to the page's message.
ask() {
  exec 3<> /dev/tcp/127.0.0.1/8420
  printf 'POST /ask HTTP/1.1\r\nHost: 127.0.0.1:8420\r\nContent-Type: application/json\r\nContent-Length: %s\r\nConnection: close\r\n\r\n%s' \
    "${#1}" "$1" >&3
  cat <&3
}
ask '{"ask": "choices"}' > choices
grep -q '"allocate_broken"' choices || { echo "error: the server has no examples" >&2; exit 1; }
if [ -e "$(dirname "$(readlink -f "$(command -v lockstep)")")/../share/lockstep/codemirror/lib/codemirror.js" ]; then
  get /editor.js | grep CodeMirror > /dev/null || { echo "error: the server does not give CodeMirror" >&2; exit 1; }
fi
kill %1
wait %1
echo "passed: lockstep serve"

if [ "${1:-}" = vulkan ]; then
  expect "Lockstep" 0 lockstep vulkan vulkaninfo --summary
  # For all programs.
  mkdir -p /etc/vulkan/icd.d
  lockstep vulkan --manifest > /etc/vulkan/icd.d/lockstep.json
  expect "Lockstep" 0 vulkaninfo --summary
fi
