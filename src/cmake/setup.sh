# Sourced by the project's scripts: installs packages, configures and builds.
# Everything here works from any directory and does not change the caller's directory.

set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

# The command that goes on where this one stopped.
again="bash $0${*:+ $*}"

step() { printf '\n==> %s\n' "$*"; }

# fail WHAT WHAT_TO_DO
fail() {
  printf '\nerror: %s\n%s\n' "$1" "${2:-}" >&2
  exit 1
}

# stopped WHAT WHAT_TO_DO DIRECTORY...: fails, and says so if the reason is a full disk of one of the directories.
stopped() {
  local what=$1 what_to_do=$2 directory
  shift 2
  for directory in "$@"; do
    [ ! -d "$directory" ] || [ "$(df --output=avail "$directory" | tail -n 1)" -ge 65536 ] ||  # in units of 1 KiB
      fail "the disk of $directory is full" "Free some space (a build takes 1 GB) and go on with: $again"
  done
  fail "$what" "$what_to_do"
}

trap 'trap - INT TERM; fail "interrupted" "Nothing is lost; go on with: $again"' INT TERM

build_packages=(g++ cmake ninja-build libtbb-dev libboost-context-dev libfmt-dev
                libcli11-dev nlohmann-json3-dev catch2 libbenchmark-dev glslang-tools glslang-dev
                spirv-tools spirv-headers libxbyak-dev libpng-dev libcpp-httplib-dev libjs-codemirror
                libvulkan-dev)
# Tests compare shaders with lavapipe, a Vulkan device on the CPU, and act as users of GoogleTest.
test_packages=(mesa-vulkan-drivers libgtest-dev libgmock-dev libeigen3-dev libxsimd-dev python3)

# The Python package, its wheel, and what its tests check types and run a notebook with.
python_packages=(python3-dev pybind11-dev python3-numpy python3-pytest python3-pip python3-wheel python3-setuptools patchelf
                 mypy python3-nbconvert python3-ipykernel)

# install_packages PACKAGE...: installs the missing ones, if any.
install_packages() {
  local missing=() package by_hand as_root=()
  if ! command -v apt-get >/dev/null; then
    printf 'This is not Debian or Ubuntu: the packages to have are\n  %s\n' "$*"
    for package in cmake ninja; do
      command -v $package >/dev/null || fail "there is no $package" "Install the packages above and go on with: $again"
    done
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
      "As root: $by_hand; then go on with: $again"
    sudo true || fail "packages are missing, and sudo does not let you install them" \
      "As root: $by_hand; then go on with: $again"
    as_root=(sudo)
  fi
  echo "Installing: ${missing[*]}"
  local log
  log=$(mktemp)
  install_missing "${missing[@]}" 2>&1 | tee "$log" || explain_apt "$log" "$by_hand"
  rm -f "$log"
}

# Of install_packages, as whom it has decided.
install_missing() {
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -y -q -o DPkg::Lock::Timeout=300)
  # Scripts that run beside each other take turns: apt waits for others to install, but not to update.
  local lock
  { mkdir -p "$root/build" && exec {lock}>"$root/build/packages.lock" && flock "$lock"; } 2>/dev/null || true
  # What an interrupted installation has left.
  [ -z "$(ls /var/lib/dpkg/updates)" ] || "${as_root[@]}" dpkg --configure -a
  "${apt[@]}" update && "${apt[@]}" install --no-install-recommends "$@"
}

# explain_apt LOG COMMAND: fails with what apt's messages mean.
explain_apt() {
  local log=$1 by_hand=$2 unknown
  unknown=$(sed -nE "s/^E: (Unable to locate package |Package '?)([a-z0-9.+-]+).*/\2/p" "$log" | paste -s -d ' ')
  if grep -qE 'enough free space|No space left' "$log"; then
    fail "the disk is too full for the packages" "Free some space (they take 2 GB) and go on with: $again"
  elif [ -n "$unknown" ]; then
    fail "apt has no package $unknown" "Lockstep is for Debian 12, Ubuntu 22.04 and later: install it otherwise, then go on with: $again"
  elif grep -qE 'Temporary failure|Could not (resolve|connect)|Unable to connect|Cannot initiate|unreachable|Failed to fetch' "$log"; then
    stopped "apt reaches no server" "Connect this machine (or name a proxy in /etc/apt/apt.conf) and go on with: $again" /var/cache/apt
  fi
  stopped "the packages could not be installed" "See apt's message above, then as root: $by_hand; then go on with: $again" \
    /var/cache/apt /usr /tmp
}

# How many compilers run at once: one per core, and 1.5 GB of memory for each.
jobs() {
  local cores memory
  cores=$(nproc)
  memory=$(awk '/^MemAvailable/ { print int($2 / 1500000) }' /proc/meminfo)
  [ "$memory" -ge "$cores" ] && echo "$cores" || echo $((memory > 1 ? memory : 1))
}

# The build of kernels/run.sh, to which tests/run.sh adds the tests: neither compiles what the other has compiled.
release_build=$root/build/release
release_options=(-DLOCKSTEP_ISA=native -DLOCKSTEP_BUILD_BENCH=OFF)

# build_in DIRECTORY CMAKE_OPTION...: configures and builds there; Release unless an option says so.
build_in() {
  local directory=$1
  shift
  # g++ collects garbage from 1 GB on, two thirds of what jobs() leaves to each compiler.
  cmake -S "$root" -B "$directory" -G Ninja -DCMAKE_BUILD_TYPE=Release -DLOCKSTEP_COMPILER_HEAP=500 "$@" ||
    stopped "CMake stopped while configuring" "If the message above does not help: rm -r $directory; then go on with: $again" \
      "$directory" "$root" /tmp
  cmake --build "$directory" --parallel "$(jobs)" ||
    stopped "the build stopped" "If there is an 'error:' above, it says why; go on with: $again" "$directory" /tmp
}
