#!/bin/bash
# Builds the program with LOCKSTEP_SANDBOX=ON, which needs neither threads nor other stacks, and compares what both programs say
# of shaders whose subgroups wait for one another.
# usage: bash tests/sandbox/run.sh PROGRAM
source "$(dirname "${BASH_SOURCE[0]}")/../../src/cmake/setup.sh"

[ $# -eq 1 ] || fail "one argument is needed" "usage: bash tests/sandbox/run.sh PROGRAM"
program=$(realpath "$1")
tree=$root/build/sandbox

step "The program in a sandbox"
build_in "$tree" -DLOCKSTEP_SANDBOX=ON -DCMAKE_DISABLE_FIND_PACKAGE_TBB=ON -DCMAKE_DISABLE_FIND_PACKAGE_PNG=ON \
  -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0 -DLOCKSTEP_ISA=native -DLOCKSTEP_SHADER_WIDTHS=128 -DLOCKSTEP_KERNEL_WIDTHS=128 \
  -DLOCKSTEP_BUILD_TESTS=OFF -DLOCKSTEP_BUILD_BENCH=OFF -DLOCKSTEP_MPI=OFF -DLOCKSTEP_PYTHON=OFF -DLOCKSTEP_VULKAN_DRIVER=OFF
! ldd "$tree/lockstep" | grep -E 'libtbb|libboost_context|libpng' || fail "the program of a sandbox needs libraries" "See above."

scan=(--groups 1 --buffer 0=iota:u32:1024 --buffer 1=zeros:u32:1024 --buffer 2=zeros:u32:1)
# said_by PROGRAM: what it says under each rule.
said_by() {
  local rule
  for rule in maximal subgroup-uniform core; do
    "$1" trace "$root/kernels/prefix_sum/prefix_sum.comp" "${scan[@]}" --subgroup-size 128 --subgroup all --convergence $rule || return
    "$1" run "$root/kernels/prefix_sum/prefix_sum.comp" "${scan[@]}" --subgroup-size 24 --convergence $rule || return
    "$1" trace "$root/tests/sandbox/meetings.comp" --groups 2 --subgroup-size 16 --subgroup all \
      --convergence $rule --choose rejoin-none --buffer 0=zeros:u32:1 --buffer 1=zeros:u32:64 || return
  done
}
said_by "$program" >"$tree/hosted.txt" 2>&1 || fail "$program does not run" "$(tail -n 5 "$tree/hosted.txt")"
said_by "$tree/lockstep" >"$tree/sandboxed.txt" 2>&1 ||
  fail "the program in a sandbox does not run" "$(tail -n 5 "$tree/sandboxed.txt")"
cmp "$tree/hosted.txt" "$tree/sandboxed.txt" || fail "the program in a sandbox says something else" "See the two files."
[ "$(grep -c '^buffer 2 .* 523776 to 523776' "$tree/sandboxed.txt")" -eq 6 ] ||
  fail "a sum of 0 to 1023 is not 523776" "$(grep '^buffer 2' "$tree/sandboxed.txt")"
echo "Both programs say the same."
