# Sourced by the project's scripts: installs packages, configures and builds.
# Everything here works from any directory and does not change the caller's directory.

set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

step() { printf '\n==> %s\n' "$*"; }

# fail WHAT WHAT_TO_DO
fail() {
  printf '\nerror: %s\n%s\n' "$1" "${2:-}" >&2
  exit 1
}

build_packages=(g++ cmake ninja-build libtbb-dev libboost-context-dev libfmt-dev
                libcli11-dev nlohmann-json3-dev catch2 libbenchmark-dev glslang-tools glslang-dev
                spirv-tools spirv-headers libxbyak-dev libpng-dev libcpp-httplib-dev libjs-codemirror
                libvulkan-dev)
# Tests compare shaders with lavapipe, a Vulkan device on the CPU, and act as users of GoogleTest.
test_packages=(mesa-vulkan-drivers libgtest-dev libgmock-dev libeigen3-dev libxsimd-dev python3)

# install_packages PACKAGE...: installs the missing ones, if any.
install_packages() {
  local missing=() package by_hand as_root=()
  if ! command -v apt-get >/dev/null; then
    printf 'This is not Debian or Ubuntu: the packages to have are\n  %s\n' "$*"
    return
  fi
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
  done
  if [ ${#missing[@]} -eq 0 ]; then
    echo "All packages are installed."
    return
  fi
  by_hand="apt-get install ${missing[*]}"
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || fail "packages are missing, and there is no sudo to install them" \
      "Run as root: $by_hand"
    as_root=(sudo)
  fi
  echo "Installing: ${missing[*]}"
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -y -q -o DPkg::Lock::Timeout=300)
  { "${apt[@]}" update && "${apt[@]}" install --no-install-recommends "${missing[@]}"; } ||
    fail "the packages could not be installed" "See apt's message above, then run as root: $by_hand"
}

# How many compilers run at once: one per core, and 1.5 GB of memory for each.
jobs() {
  local cores memory
  cores=$(nproc)
  memory=$(awk '/^MemAvailable/ { print int($2 / 1500000) }' /proc/meminfo)
  [ "$memory" -ge "$cores" ] && echo "$cores" || echo $((memory > 1 ? memory : 1))
}

# build_in DIRECTORY CMAKE_OPTION...: configures and builds there; Release unless an option says so.
build_in() {
  local directory=$1
  shift
  # g++ collects garbage from 1 GB on, two thirds of what jobs() leaves to each compiler.
  cmake -S "$root" -B "$directory" -G Ninja -DCMAKE_BUILD_TYPE=Release -DLOCKSTEP_COMPILER_HEAP=500 "$@" ||
    fail "CMake stopped while configuring" "If the message above does not help: rm -r $directory and retry."
  cmake --build "$directory" --parallel "$(jobs)" ||
    fail "the build stopped" "The first 'error:' above says why; try again with: cmake --build $directory"
}
