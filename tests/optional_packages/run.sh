#!/bin/bash
# Configures without each package: without a required one CMake stops and names the Debian package, without the optional
# ones the program is built and its tests pass. Also configures one tree again with other values of options.
# usage: bash tests/optional_packages/run.sh BUILD
# BUILD is a folder where the program and the tests of cli are built; it is left as it was.
source "$(dirname "${BASH_SOURCE[0]}")/../../src/cmake/setup.sh"

[ $# -eq 1 ] && [ -f "$1/CMakeCache.txt" ] ||
  fail "one argument is needed, a folder with a build" "usage: bash tests/optional_packages/run.sh BUILD"
build=$(realpath "$1")
tree=$root/build/optional_packages
log=$tree.log

# configure OPTION...: configures the tree, which keeps what earlier calls set.
configure() { cmake -S "$root" -B "$tree" -G Ninja "$@" >"$log" 2>&1; }
# configured OPTION...: the same, and it must succeed.
configured() { configure "$@" || fail "CMake stopped while configuring with $*" "$(grep -A5 'CMake Error' "$log")"; }
# hidden NAME: the option of CMake that makes a package or a variable of find_path and find_program look missing.
hidden() { case $1 in LOCKSTEP_*) echo "$1" ;; *) echo "CMAKE_DISABLE_FIND_PACKAGE_$1" ;; esac; }
# hide NAME / show NAME
hide() { case $1 in LOCKSTEP_*) echo "-D$1=OFF" ;; *) echo "-D$(hidden "$1")=ON" ;; esac; }
show() { echo "-U$(hidden "$1")"; }

# The packages of each part: what CMake calls it, what the message must name.
library=(TBB=libtbb-dev boost_context=libboost-context-dev fmt=libfmt-dev)
shaders=(glslang=glslang-dev SPIRV-Tools=spirv-tools)
[ "$(uname -m)" != x86_64 ] || shaders+=(LOCKSTEP_XBYAK_INCLUDE=libxbyak-dev)
program=(CLI11=libcli11-dev nlohmann_json=nlohmann-json3-dev PNG=libpng-dev LOCKSTEP_HTTPLIB=libcpp-httplib-dev
         LOCKSTEP_VULKAN_INCLUDE=libvulkan-dev)
tests=(Catch2=catch2 Eigen3=libeigen3-dev xsimd=libxsimd-dev GTest='libgtest-dev libgmock-dev'
       Python3=python3 LOCKSTEP_GLSLANG_VALIDATOR=glslang-tools LOCKSTEP_SPIRV_VAL=spirv-tools)
bench=(benchmark=libbenchmark-dev)
optional=(MPI LOCKSTEP_CODEMIRROR LOCKSTEP_PYBIND11_INCLUDE)
left_out=(LOCKSTEP_GDB LOCKSTEP_PKG_CONFIG)

step "Required packages"
rm -rf "$tree"
configured
shown=()
for one in "${library[@]}" "${shaders[@]}" "${program[@]}" "${tests[@]}" "${bench[@]}"; do
  name=${one%%=*} debian=${one#*=}
  ! configure "${shown[@]}" "$(hide "$name")" || fail "CMake configures without $name" "It must stop, or $name is optional."
  grep -q "apt-get install \(.* \)\?$debian" "$log" || fail "without $name CMake does not name $debian" "$(cat "$log")"
  echo "without $name CMake names $debian"
  shown=("$(show "$name")")
done
configured "${shown[@]}"

step "Parts without the packages of the rest"
# hide_all NAME[=PACKAGE]...
hide_all() { for one in "$@"; do hide "${one%%=*}"; done; }
mapfile -t rest < <(hide_all "${program[@]}" "${tests[@]}" "${bench[@]}" "${optional[@]}" "${left_out[@]}")
mapfile -t with_shaders < <(hide_all "${shaders[@]}")
rm -rf "$tree"
configured -DLOCKSTEP_LIBRARY_ONLY=ON -DLOCKSTEP_BUILD_SPIRV=ON "${rest[@]}"
echo "lockstep::spirv alone configures without the rest"
rm -rf "$tree"
configured -DLOCKSTEP_LIBRARY_ONLY=ON "${rest[@]}" "${with_shaders[@]}"
echo "the library alone configures without the rest"

step "Options that are changed"
# builds TARGET FILE: whether the tree makes the file.
builds() { grep -q "^build $1:" "$tree/build.ninja"; }
parts=(lockstep tests/test_cli bench/bench_whole_kernels liblockstep_vulkan.so)
rm -rf "$tree"
configured
for part in "${parts[@]}"; do builds "$part" || fail "$part is not built by default" "See $tree."; done
grep -q '^LOCKSTEP_ISA:STRING=all$' "$tree/CMakeCache.txt" || fail "LOCKSTEP_ISA is not all by default" \
  "What is installed must run on every processor, not only on the one that built it."
configured -DLOCKSTEP_LIBRARY_ONLY=ON
for part in "${parts[@]}"; do ! builds "$part" || fail "$part is built with LOCKSTEP_LIBRARY_ONLY=ON" "See $tree."; done
configured -DLOCKSTEP_LIBRARY_ONLY=OFF
for part in "${parts[@]}"; do builds "$part" || fail "$part is not built with LOCKSTEP_LIBRARY_ONLY=OFF again" "See $tree."; done
configured -DLOCKSTEP_VULKAN_DRIVER=OFF
! builds liblockstep_vulkan.so || fail "the driver is built with LOCKSTEP_VULKAN_DRIVER=OFF" "See $tree."
configured -DLOCKSTEP_VULKAN_DRIVER=AUTO
builds liblockstep_vulkan.so || fail "the driver is not built with LOCKSTEP_VULKAN_DRIVER=AUTO" "See $tree."
! configure -DLOCKSTEP_MPI=ON "$(hide MPI)" || fail "LOCKSTEP_MPI=ON configures without MPI" "It must stop."
grep -q "apt-get install libopenmpi-dev" "$log" || fail "LOCKSTEP_MPI=ON without MPI does not name the package" "$(cat "$log")"
! configure -DLOCKSTEP_MPI=maybe || fail "LOCKSTEP_MPI=maybe configures" "It must be AUTO, ON or OFF."
grep -q "it must be AUTO, ON or OFF" "$log" || fail "LOCKSTEP_MPI=maybe is not explained" "$(cat "$log")"
configured -DLOCKSTEP_MPI=AUTO "$(show MPI)" "$(hide LOCKSTEP_PYBIND11_INCLUDE)"
! builds lockstep_python || fail "the Python package is built without pybind11" "See $tree."
grep -q "Left out: the Python package (.*pybind11-dev" "$log" || fail "CMake does not say that pybind11 is missing" "$(cat "$log")"
! configure -DLOCKSTEP_PYTHON=ON || fail "LOCKSTEP_PYTHON=ON configures without pybind11" "It must stop."
grep -q "apt-get install .*pybind11-dev" "$log" || fail "LOCKSTEP_PYTHON=ON without pybind11 does not name the package" "$(cat "$log")"
configured -DLOCKSTEP_PYTHON=AUTO "$(show LOCKSTEP_PYBIND11_INCLUDE)"
! grep -q "^LOCKSTEP_PYBIND11_INCLUDE:PATH=/" "$tree/CMakeCache.txt" || builds lockstep_python ||
  fail "the Python package is not built with LOCKSTEP_PYTHON=AUTO, although pybind11 is there" "See $tree."
configured -DLOCKSTEP_PYTHON=OFF
! builds lockstep_python || fail "the Python package is built with LOCKSTEP_PYTHON=OFF" "See $tree."
echo "LOCKSTEP_LIBRARY_ONLY, LOCKSTEP_VULKAN_DRIVER, LOCKSTEP_MPI and LOCKSTEP_PYTHON take effect in a configured tree"
rm -rf "$tree"

step "The program without MPI, CodeMirror and pybind11"
# again OPTION...: configures and builds the program in the caller's folder.
again() {
  cmake "$@" "$build" >"$log" 2>&1 || fail "CMake stopped while configuring with $*" "$(grep -A5 'CMake Error' "$log")"
  cmake --build "$build" --target lockstep_program --parallel "$(jobs)" || fail "the build stopped with $*" "See above."
}
# has_mpi: whether the folder's program is built with MPI.
has_mpi() { grep -q '^build liblockstep_mpi\.so:' "$build/build.ninja"; }
has_mpi && had_mpi=true || had_mpi=false
mapfile -t found < <(for one in "${optional[@]}"; do show "$one"; done)
trap 'cmake "${found[@]}" "$build" >/dev/null' EXIT
mapfile -t without < <(hide_all "${optional[@]}")
again "${without[@]}"
ctest --test-dir "$build" --output-on-failure --no-tests=error --tests-regex '^cli/(explore|serve)$' ||
  fail "tests fail without MPI and CodeMirror" "See above."
shader=(explore "$root/kernels/allocate_broken/allocate_broken.comp" --groups 1 --buffer 0=iota:u32:128 --buffer 1=zeros:u32:1
        --buffer 2=zeros:u32:128 --budget 20)
for variable in OMPI_COMM_WORLD_SIZE PMI_SIZE; do
  ! env $variable=4 "$build/lockstep" "${shader[@]}" >"$log" 2>&1 || fail "explore runs under mpirun without MPI" "$(cat "$log")"
  grep -q "one of 4 processes of mpirun, but lockstep was built without MPI" "$log" ||
    fail "explore does not say that it was built without MPI" "$(cat "$log")"
  env $variable=1 "$build/lockstep" "${shader[@]}" >"$log" 2>&1 || [ $? -eq 1 ] || fail "explore fails in one process" "$(cat "$log")"
done
timeout --preserve-status -s INT 3 "$build/lockstep" serve --port 0 >"$log" || fail "serve fails without CodeMirror" "$(cat "$log")"
grep -q "the editor is a plain text area: CodeMirror was not found" "$log" ||
  fail "serve does not say that CodeMirror was not found" "$(cat "$log")"

step "The program as it was"
again "${found[@]}"
trap - EXIT
has_mpi && mpi=true || mpi=false
[ $mpi = $had_mpi ] || fail "with MPI found again LOCKSTEP_MPI=AUTO is not what it was" "See $build."
echo "All packages are required by a message that names them, or optional."
