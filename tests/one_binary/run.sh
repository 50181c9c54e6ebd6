#!/bin/bash
# One program for every x86-64 (LOCKSTEP_ISA=all): no instruction beyond the baseline can be reached where the
# processor lacks it, the program runs on a processor of 2008, and all instruction sets give the same.
# usage: bash tests/one_binary/run.sh [BUILD_DIRECTORY]    builds there first what tests/package packages; build/one-binary by default
source "$(dirname "${BASH_SOURCE[0]}")/../../src/cmake/setup.sh"

build=${1:-$root/build/one-binary}
if [ "$(uname -m)" != x86_64 ]; then
  echo "This is not x86-64, where one binary has one instruction set: left out."
  exit 0
fi
step "Packages"
install_packages "${build_packages[@]}" qemu-user binutils

step "Build in $build"
if [ -e "$build/CMakeCache.txt" ]; then
  grep -q '^LOCKSTEP_ISA:STRING=all$' "$build/CMakeCache.txt" ||
    fail "$build is configured for one instruction set" "Configure it with -DLOCKSTEP_ISA=all, or name another folder."
  cmake --build "$build" --parallel "$(jobs)"
else
  # Few widths and little optimization: the parts and their boundary are the same.
  cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG" \
    -DLOCKSTEP_ISA=all -DLOCKSTEP_KERNEL_WIDTHS=128 -DLOCKSTEP_SHADER_WIDTHS=128 -DLOCKSTEP_PROGRAM_OPTIMIZATION=-O0 \
    -DLOCKSTEP_COMPILER_HEAP=500 -DLOCKSTEP_BUILD_TESTS=OFF -DLOCKSTEP_BUILD_BENCH=OFF \
    -DLOCKSTEP_MPI=OFF -DCMAKE_INSTALL_PREFIX=/usr
  cmake --build "$build" --parallel "$(jobs)"
fi
program=$build/lockstep
scratch=$(mktemp -d)
sums=$scratch/sums.npy  # what a shader wrote, if one ran
trap 'rm -rf "$scratch"' EXIT

# Instructions that the baseline lacks: VEX and EVEX encodings, mask registers, and those of x86-64-v2 to v4 without
# either. (verr, verw and the vm... of virtual machines are older.)
newer='%[yz]mm|%k[0-7]|	v[a-z0-9]+ .*%xmm|	(andn|bextr|blsi|blsmsk|blsr|bzhi|mulx|pdep|pext|rorx|sarx|shlx|shrx|lzcnt|movbe|popcnt|pshufb|pmulld|roundps|blendvps|ptest) '
# disassemble OBJECT: from one section, since with many objdump takes minutes to find the symbol of each address.
echo 'SECTIONS { .text : { *(.text .text.*) } /DISCARD/ : { *(.eh_frame .gcc_except_table* .debug*) } }' >"$scratch/one_section"
disassemble() {
  ld -r --force-group-allocation -T "$scratch/one_section" -o "$scratch/merged.o" "$1" ||
    fail "ld cannot merge the sections of $1" "Is it an object file?"
  objdump -d --no-show-raw-insn "$scratch/merged.o"
}
# newer_instructions OBJECT: prints the first few.
newer_instructions() { disassemble "$1" | LC_ALL=C grep -E -m5 "$newer" || true; }

step "Parts"
parts=("$build"/lockstep_{spirv,kernels}_{avx2,avx512}.o)
for part in "${parts[@]}"; do
  name=$(basename "$part" .o)
  [ -n "$(newer_instructions "$part")" ] ||
    fail "$name holds no instruction beyond the baseline" "It was compiled without its flags, or the search is wrong."
  # For the sets of their own: 512-bit registers in one, none in the other.
  wide=$(disassemble "$part" | LC_ALL=C grep -c -m1 '%zmm' || true)
  case $name in
    *avx512) [ "$wide" = 1 ] || fail "$name has no 512-bit register" "It was compiled without its flags." ;;
    *) [ "$wide" = 0 ] || fail "$name has a 512-bit register" "It was compiled with another part's flags." ;;
  esac
  case $name in
    *spirv_avx2) entry=lockstep_functions_avx2 ;;
    *spirv_avx512) entry=lockstep_functions_avx512 ;;
    *) entry=$name ;;
  esac
  # Weak and unique symbols are among the external ones: the linker may take them for another's.
  seen=$(nm --extern-only --defined-only "$part" | awk '{ print $3 }')
  [ "$seen" = "$entry" ] ||
    fail "$name has other global symbols than $entry: $(echo "$seen" | head -5 | tr '\n' ' ')" \
      "See lockstep_add_isa_parts in src/cmake/isa.cmake."
  ! objdump -h "$part" | grep -E '\.(preinit_array|init_array|ctors)' ||
    fail "$name runs code when the program starts, on every processor" \
      "Find the object with a constructor in this part's sources and make it constant."
  case $name in
    *spirv*) ! objdump -h "$part" | grep -E "${entry}_init" || fail "$name has initializers, which nothing runs" \
      "Make its variables constants, or run them as kernels/registry/registry.cpp does." ;;
  esac
  # What other code hands a part has no name of an instruction set.
  ! nm --undefined-only "$part" | grep -E '(sse2|avx2|avx512)_v1' ||
    fail "$name calls the functions above, whose names belong to one instruction set" \
      "Give them parameters without lanes and masks, as note_undefined in src/shader/run/program.hpp has."
  echo "$name: only $entry is global"
done

step "Everything else"
mapfile -t objects < <(find "$build/CMakeFiles" -name '*.o' -path '*.dir/*' ! -path '*_avx2.dir/*' ! -path '*_avx512.dir/*')
[ ${#objects[@]} -gt 50 ] || fail "only ${#objects[@]} objects were found in $build" "Where does CMake put them?"
for object in "${objects[@]}"; do
  found=$(newer_instructions "$object")
  [ -z "$found" ] || fail "${object#"$build/"} holds instructions beyond the baseline: $found" \
    "Compile it without -march, or make it part of a part (src/cmake/isa.cmake)."
done
echo "${#objects[@]} objects hold no instruction beyond the baseline"

step "Installed libraries"
cmake --install "$build" --prefix "$scratch/prefix" --component development >/dev/null
mapfile -t libraries < <(find "$scratch/prefix" -name 'liblockstep_*.a')
[[ "${libraries[*]}" == *liblockstep_spirv.a* ]] || fail "liblockstep_spirv.a is not installed" "See src/cmake/install.cmake."
for library in "${libraries[@]}"; do
  name=$(basename "$library" .a)
  mkdir "$scratch/$name"
  (cd "$scratch/$name" && ar x "$library" && rm -f lockstep_*_avx2.o lockstep_*_avx512.o)
  for object in "$scratch/$name"/*.o; do
    found=$(newer_instructions "$object")
    [ -z "$found" ] || fail "$(basename "$object") of $name holds instructions beyond the baseline: $found" \
      "Users of the installed library run on every processor; see src/cmake/isa.cmake."
  done
  echo "$name: all but its parts runs on every processor"
done

# on_processor NAME COMMAND...: NAME is one of qemu's, or host.
on_processor() {
  local processor=$1
  shift
  if [ "$processor" = host ]; then "$@"; else qemu-x86_64 -cpu "$processor" "$@"; fi
}
# run_on PROCESSOR NATIVE ARGUMENTS...: runs the program, which judges its results itself.
run_on() {
  local processor=$1 native=$2
  shift 2
  LOCKSTEP_NATIVE=$native on_processor "$processor" "$program" "$@" >"$scratch/output" 2>"$scratch/notes" ||
    fail "lockstep $* fails (processor $processor, LOCKSTEP_NATIVE='$native'): $(tail -3 "$scratch/notes")" \
      "On a processor of today: LOCKSTEP_NATIVE=calls $program $*"
  # After the results, whichever was written first.
  grep -v '^qemu-x86_64: warning' "$scratch/notes" >>"$scratch/output" || true
}
# same_on PROCESSOR NATIVE ARGUMENTS...: the same, and compares what it prints with what it printed before.
same_on() {
  run_on "$@"
  local expected
  expected=$scratch/$(echo "${*:3}" | cksum | tr ' ' _)
  [ ! -e "$sums" ] || sha256sum <"$sums" >>"$scratch/output"
  [ -e "$expected" ] || cp "$scratch/output" "$expected"
  diff "$expected" "$scratch/output" >&2 ||
    fail "lockstep ${*:3} prints something else (processor $1, LOCKSTEP_NATIVE='$2'): see above" \
      "Results must not depend on the instruction set."
}

version_on() { LOCKSTEP_NATIVE=$2 on_processor "$1" "$program" --version 2>/dev/null; }
chooses() {
  local version
  version=$(version_on "$1" "$2")
  [[ $version == *"($3,"* ]] ||
    fail "on processor $1 with LOCKSTEP_NATIVE='$2' the program says '$version', without $3" \
      "See src/runtime/dispatch/instruction_set.cpp."
  echo "processor $1, LOCKSTEP_NATIVE='$2': $version"
}

step "Choice"
chooses Nehalem '' baseline
chooses Nehalem avx512 baseline
chooses Haswell '' avx2
chooses Haswell calls baseline
chooses host calls baseline

step "Runs"
mapfile -t kernels < <("$program" kernels | cut -d' ' -f1)
[ ${#kernels[@]} -gt 20 ] || fail "lockstep kernels lists ${#kernels[@]} kernels" "Run $program kernels."
shader=$root/kernels/prefix_sum/prefix_sum.comp
inputs=(--groups 2 --buffer 0=iota:u32:2048 --buffer 1=zeros:u32:2048 --buffer 2=zeros:u32:2 --save "1=$sums")
for target in "Nehalem " "Haswell " "host calls" "host avx2" "host "; do
  processor=${target%% *} native=${target#* }
  start=$SECONDS
  run_on "$processor" "$native" demo --elements 65536
  for size in 8 24 32 64 128; do
    same_on "$processor" "$native" run "$shader" --subgroup-size "$size" "${inputs[@]}"
    same_on "$processor" "$native" run "$shader" --subgroup-size "$size" "${inputs[@]}" --check
  done
  rm "$sums"
  same_on "$processor" "$native" lesson 1
  for kernel in "${kernels[@]}"; do
    run_on "$processor" "$native" run-kernel "$kernel" --size 4096
    # Under a rule of convergence every part uses the baseline's tangled machine.
    [ "$processor" = Haswell ] ||
      run_on "$processor" "$native" run-kernel "$kernel" --size 1024 --convergence subgroup-uniform
  done
  echo "processor $processor, LOCKSTEP_NATIVE='$native': ${#kernels[@]} kernels, shaders and a lesson, $((SECONDS - start)) s"
done
