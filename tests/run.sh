#!/bin/bash
# Builds the tests beside the program, for this machine, and runs them.
# usage: bash tests/run.sh [--all | --full]
#   --all    for each instruction set, with all in one program, under sanitizers, in gdb, under mpirun, and on 64-bit ARM,
#            cross-compiled and emulated; warnings are errors; also the packages, the README's commands in a bare Debian,
#            builds without optional packages, the validator of SARIF, pages in a browser, programs that use Vulkan, the API
#            reference and the site; installs gdb, OpenMPI, clang-query, Doxygen, mkdocs, a compiler, an emulator, mmdebstrap, Chromium, VkFFT,
#            FFmpeg and, with npm, what the rest needs
#   --full   the same with every type, size and mask instead of a sample, and what compiles much again: the engine on
#            64-bit ARM and as WebAssembly, clang, clang-tidy, and the pages in Firefox; takes hours
source "$(dirname "${BASH_SOURCE[0]}")/../src/cmake/setup.sh"

sweep=sampled one_build=true all=false ctest_options=(--output-on-failure --no-tests=error)
sweep_options=(-DLOCKSTEP_TEST_FULL=OFF)
case "$*" in
  '') ;;
  --all) one_build=false all=true ;;
  --full)
    sweep=full one_build=false all=true
    sweep_options=(-DLOCKSTEP_TEST_FULL=ON)
    ctest_options+=(--timeout 36000)
    export LOCKSTEP_TEST_FULL=1
    ;;
  *) fail "unknown arguments: $*" "usage: bash tests/run.sh [--all | --full]" ;;
esac

# cpu_has FLAG...: whether the processor has all of these; stores the missing ones.
cpu_has() {
  local flag
  lacking=
  for flag in "$@"; do
    grep -qm1 "^flags.* $flag\( \|$\)" /proc/cpuinfo || lacking+=" $flag"
  done
  [ -z "$lacking" ]
}

instruction_sets=(all)  # one binary for every x86-64; elsewhere the baseline
notes=()
if cpu_has avx2 bmi1 bmi2 fma f16c abm movbe; then instruction_sets+=(avx2)
else notes+=("avx2: skipped, the CPU lacks$lacking"); fi
if cpu_has avx512f avx512bw avx512dq avx512vl avx512cd; then instruction_sets+=(avx512)
else notes+=("avx512: skipped, the CPU lacks$lacking"); fi
widest=${instruction_sets[-1]}

builds=("${instruction_sets[@]}" sanitize)
if $one_build; then
  builds=(release)
  notes+=("only this machine's instruction set, $widest, with lanes, built-ins and GLSL's types at the sizes 1, 3, 24, 33 and 128; --all, which CI runs, adds types, sizes, instruction sets, sanitizers, 64-bit ARM, benchmarks and installing")
fi
[ "$sweep" = full ] || notes+=("types, sizes and masks were sampled as printed above; --full tests all")

summary=()
# run_tests NAME DIRECTORY CTEST_OPTION...
run_tests() {
  local name=$1 directory=$2
  shift 2
  ctest --test-dir "$directory" --parallel "$(nproc)" "${ctest_options[@]}" "$@" ||
    fail "tests failed in the $name build" \
      "Run them alone with: ctest --test-dir $directory --rerun-failed --output-on-failure"
  # Each test program prints what it samples.
  grep -hE '^(sizes|types|masks|seed): ' "$directory/Testing/Temporary/LastTest.log" | sort -u
}
# Stores the seconds of processors that this shell's finished children have used.
processors=0
measure_processors() {
  local fields
  read -r fields <"/proc/$BASHPID/stat"
  read -ra fields <<<"${fields##*) }"
  processors=$(((fields[13] + fields[14]) / 100))
}
# summarize NAME SECONDS PROCESSOR_SECONDS
summarize() { summary+=("$(printf '%-32s passed after %5d s, used %5d s of processors' "$@")"); }

sanitized_only="workgroup;dispatch;exec;convergence;trace;io;report;amber"
# test_build NAME: builds and runs the tests in build/tests-NAME, or in that of the program.
test_build() {
  local name=$1 directory=$root/build/tests-$1 start=$SECONDS used built options=() selection=()
  measure_processors
  used=$processors
  # Whether it tests everything, not only what depends on the instruction set or has memory errors to find.
  local whole=false
  [[ $name != release && $name != "$widest" ]] || whole=true
  case $name in
    release)
      directory=$release_build
      options=("${release_options[@]}" -DLOCKSTEP_BUILD_TESTS=ON -DLOCKSTEP_TEST_FULL=OFF -DLOCKSTEP_TEST_REDUCED=OFF) ;;
    # Not optimized: optimizing takes g++ 12 half as long again.
    sanitize) options=(-DLOCKSTEP_ISA=native -DLOCKSTEP_SANITIZE=ON -DLOCKSTEP_TEST_REDUCED=ON
                       -DLOCKSTEP_TEST_FULL=OFF -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=) ;;
    *) options=(-DLOCKSTEP_ISA="$name" "${sweep_options[@]}" -DLOCKSTEP_TEST_REDUCED=OFF) ;;
  esac
  if [ "$name" != release ]; then
    # Of the libraries; tests have their own.
    local optimization=-O1
    if $whole; then
      optimization=-O2
      [ "$sweep" = sampled ] || optimization=-O3  # as in releases; takes minutes more
    fi
    options+=("-DCMAKE_CXX_FLAGS_RELEASE=$optimization -DNDEBUG")
    if [ "$sweep" = full ]; then
      options+=(-DLOCKSTEP_KERNEL_WIDTHS= -DLOCKSTEP_SHADER_WIDTHS= -DLOCKSTEP_BENCH_ONE_SIZE=OFF)
    else
      local shader_widths=128
      ! $whole || shader_widths=32,128
      options+=(-DLOCKSTEP_KERNEL_WIDTHS=128 "-DLOCKSTEP_SHADER_WIDTHS=$shader_widths"
                -DLOCKSTEP_BENCH_ONE_SIZE=ON)
    fi
  fi
  # The widest build tests everything except what is left to the sanitizers. The others sample fewer types
  # and sizes, but the same masks: the instruction sets test lanes and built-ins, the sanitizers code with
  # memory errors to find.
  local skipped= folders= optimized= engine=true
  if [ "$sweep" != full ]; then
    case $name in
      release)
        optimized=convergence ;;
      "$widest")
        optimized="lanes;subgroup;glsl/functions;convergence;spirv;kernels"
        skipped=$sanitized_only ;;
      sanitize)
        folders="lanes;subgroup;spirv;check;explore;$sanitized_only"
        optimized=convergence ;;  # instrumented and optimized they found masks that g++ 12 spills wrongly
      all)
        folders="lanes;subgroup;glsl/functions;spirv"
        optimized="lanes;subgroup;glsl/functions" ;;
      *)
        folders="lanes;subgroup"
        optimized=$folders engine=false ;;
    esac
    $whole || options+=(-DLOCKSTEP_TEST_REDUCED=ON)
    # Here more types and sizes are more to compile; --all compiles them.
    ! $one_build || options+=("-DLOCKSTEP_TEST_REDUCED_FOLDERS=lanes;subgroup;glsl;glsl/functions;checked")
  fi
  $one_build || options+=(-DLOCKSTEP_WARNINGS_AS_ERRORS=ON)
  options+=("-DLOCKSTEP_TEST_FOLDERS=$folders" "-DLOCKSTEP_TEST_SKIPPED_FOLDERS=$skipped"
            "-DLOCKSTEP_TEST_OPTIMIZED_FOLDERS=$optimized")
  # Tests that do not depend on the instruction set take part once, and so do benchmarks. The program for every processor is
  # what tests/one_binary and tests/package look at.
  if [ "$name" = all ]; then
    options+=(-DLOCKSTEP_BUILD_BENCH=OFF -DLOCKSTEP_MPI=OFF -DLOCKSTEP_PROGRAM_OPTIMIZATION=-O0 -DCMAKE_INSTALL_PREFIX=/usr)
  elif ! $whole; then
    options+=(-DLOCKSTEP_BUILD_PROGRAM=OFF -DLOCKSTEP_BUILD_BENCH=OFF -DLOCKSTEP_BUILD_SPIRV=OFF -DLOCKSTEP_VULKAN_DRIVER=OFF
              -DLOCKSTEP_PYTHON=OFF -DLOCKSTEP_INSTALL=OFF)
  fi
  $whole || selection=(--label-exclude '^source$')
  # Benchmarks, the ways to install Lockstep, headers that are compiled alone and the page of all captures are left to --all.
  ! $one_build || selection=(--exclude-regex '^(consumer|header)/|^job/conformance$')

  build_in "$directory" "${options[@]}"
  measure_processors
  summarize "Build of $name" $((SECONDS - start)) $((processors - used))
  built=$SECONDS used=$processors
  run_tests "$name" "$directory" "${selection[@]}"
  # The shader engine again with other machine code, and with none; where it has parts, also with those. With the sanitizers,
  # which are slow, --full alone does so.
  local machine_code=(off)
  [ "$name" != all ] || machine_code=(calls avx2)
  [ "$name" != sanitize ] || [ "$sweep" = full ] || machine_code=()
  $engine || machine_code=()
  local code repeated
  for code in "${machine_code[@]}"; do
    # These choose the machine code themselves, and without any it is that of the first round.
    repeated='^$'
    [ "$code" != off ] || repeated='^spirv/(native|phis)'
    LOCKSTEP_NATIVE=$code run_tests "$name" "$directory" --tests-regex '^spirv/' --exclude-regex "$repeated"
  done
  measure_processors
  summarize "Tests of $name" $((SECONDS - built)) $((processors - used))
}

# Scripts that --all runs: a name and a command for each. These use nothing of the builds.
independent=(
  "Both commands in a bare Debian" "tests/bare_root/run.sh"
  "64-bit ARM" "tests/aarch64/run.sh"
  "API reference" "tests/api/run.sh"
  "Site" "tests/site/run.sh"
)
# These use the build of this name.
with_all=(
  "One binary for every x86-64" "tests/one_binary/run.sh build/tests-all"
  "Packages" "tests/package/run.sh build/tests-all"
  "Python wheel" "tests/python/wheel.sh build/tests-all"
)
widest_build=build/tests-$widest
with_widest=(
  "SARIF" "tests/sarif/run.sh $widest_build/lockstep"
  "Pages in a browser" "tests/browser/run.sh $widest_build/lockstep"
  "Programs that use Vulkan" "tests/vulkan_clients/run.sh $widest_build/lockstep"
  "Setup" "tests/setup/run.sh"
  "Optional packages" "tests/optional_packages/run.sh $widest_build"
)
# Those that compile much again, with --full alone.
[ "$sweep" != full ] ||
  with_widest+=(
    "The engine on 64-bit ARM" "tests/aarch64/engine/run.sh"
    "clang 14" "tests/clang/run.sh"
    "clang-tidy and clang-format" "tests/clang_tidy/run.sh"
    "Sources of unity groups alone" "tests/unity/run.sh"
    "The program in a sandbox" "tests/sandbox/run.sh $widest_build/lockstep"
    "The engine as WebAssembly" "tests/web/run.sh $widest_build/lockstep"
  )

# run_scripts NAME COMMAND...: one after another; appends to the summary.
run_scripts() {
  local start used
  while [ $# -gt 0 ]; do
    measure_processors
    start=$SECONDS used=$processors
    step "Tests: $1"
    # Not quoted: the script and its arguments.
    (cd "$root" && bash $2) || fail "tests failed: $1" "Run them alone with: bash $2"
    measure_processors
    summarize "$1" $((SECONDS - start)) $((processors - used))
    shift 2
  done
}

# Series of scripts that run beside the builds, on what those leave idle wherever a step has one thread.
beside=()
trap 'for group in "${beside[@]}"; do kill -- "-$group" 2>/dev/null || true; done' EXIT
# start_beside SERIES SCRIPTS...
start_beside() {
  local log=$root/build/beside-$1.log
  shift
  mkdir -p "$root/build"
  printf '\nBeside what follows run these; their output is in %s, and follows at the end:\n' "$log"
  printf '  %s (%s)\n' "$@"
  # In a group of their own, which can be stopped whole.
  set -m
  {
    summary=() beside=()
    run_scripts "$@"
    printf '%s\n' "${summary[@]}" >"$log.summary"
  } >"$log" 2>&1 </dev/null &
  set +m
  beside+=($!)
}
# finish_beside NUMBER SERIES
finish_beside() {
  local log=$root/build/beside-$2.log status=0 lines
  step "Tests beside the others: $2"
  tail -n +1 -f --pid="${beside[$1]}" "$log"  # goes on as they do
  wait "${beside[$1]}" || status=$?
  [ $status -eq 0 ] || fail "tests failed beside the others" "See above."
  mapfile -t lines <"$log.summary"
  summary+=("${lines[@]}")
}

total=$((${#builds[@]} + 1))
step "1/$total Packages"
install_packages "${build_packages[@]}" "${test_packages[@]}"
if $all; then
  install_packages gdb libopenmpi-dev openmpi-bin clang-tools-14 mmdebstrap "${python_packages[@]}"
  start_beside independent "${independent[@]}"
fi
for i in "${!builds[@]}"; do
  step "$((i + 2))/$total Tests: ${builds[i]}"
  test_build "${builds[i]}"
  [ "${builds[i]}" != all ] || start_beside all "${with_all[@]}"
done
if $all; then
  run_scripts "${with_widest[@]}"
  finish_beside 0 independent
  finish_beside 1 all
fi

step "Summary"
printf '%s\n' "${summary[@]}"
printf 'note: %s\n' "${notes[@]}"
