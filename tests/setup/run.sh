#!/bin/bash
# What the scripts that set up and build say when they cannot, and that the same command goes on afterwards. Runs
# kernels/run.sh on a project of two sources, with commands of its own instead of apt-get, dpkg and sudo.
# usage: bash tests/setup/run.sh
source "$(dirname "${BASH_SOURCE[0]}")/../../src/cmake/setup.sh"

[ $# -eq 0 ] || fail "unknown arguments: $*" "usage: bash tests/setup/run.sh"
# Disks and folders of packages are replaced for this process alone, where root may do so.
can_mount=${LOCKSTEP_SETUP_TEST:-false}
if ! $can_mount && unshare --mount true 2>/dev/null; then
  exec unshare --mount env LOCKSTEP_SETUP_TEST=true bash "$0"
fi
work=$(mktemp -d)
out=$work/out
# Also when it fails.
clean_up() {
  ! mountpoint -q "$work/project/build" || umount "$work/project/build"
  rm -rf "$work"
}
trap clean_up EXIT

# The project.
mkdir -p "$work/project/src/cmake" "$work/project/kernels"
cp "$root/src/cmake/setup.sh" "$work/project/src/cmake"
cp "$root/kernels/run.sh" "$work/project/kernels"
cat >"$work/project/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.22)
project(stub LANGUAGES CXX)
add_library(first OBJECT first.cpp)
# The second source waits until the first is compiled, and for as long as the test wants.
add_custom_command(OUTPUT turn DEPENDS $<TARGET_OBJECTS:first>
                   COMMAND sh -c "while [ -e ${CMAKE_SOURCE_DIR}/wait ]; do sleep 0.1; done; touch turn" VERBATIM)
add_custom_target(wait_for_turn DEPENDS turn)
add_executable(lockstep second.cpp)
target_link_libraries(lockstep PRIVATE first)
add_dependencies(lockstep wait_for_turn)
CMAKE
cat >"$work/project/first.cpp" <<'CPP'
#include <cstdio>
int second();
int main() { std::printf("the program says %d\n", second()); }
CPP
echo 'int second() { return 2; }' >"$work/project/second.cpp"

# All commands of this machine but those that would change it, which the cases replace.
bin=$work/bin
mkdir "$bin"
cp -as /usr/local/bin/. /usr/bin/. /usr/sbin/. "$bin" 2>/dev/null || true
# command NAME TEXT: a command of that name, which is this shell script.
command_is() {
  rm -f "$bin/$1"
  printf '#!/bin/sh\n%s\n' "$2" >"$bin/$1"
  chmod +x "$bin/$1"
}
command_is sudo 'exec "$@"'
command_is dpkg 'echo "dpkg $*"'
installed='printf "install ok installed"'
unset CMAKE_CXX_COMPILER_LAUNCHER CMAKE_GENERATOR

start() { env PATH="$bin" "$@" bash "$work/project/kernels/run.sh" >"$out" 2>&1; }
# ends NAME LINE: the command fails, its last line is this one, a regular expression.
ends() {
  ! start || fail "$1: kernels/run.sh succeeds" "$(cat "$out")"
  judge "$1" "$2"
}
judge() {
  tail -n 1 "$out" | grep -qE "^$2\$" || fail "$1: the last line is not '$2'" "$(cat "$out")"
  [ "$(grep -c '^error: ' "$out")" -eq 1 ] || fail "$1: there is not one line with 'error: '" "$(cat "$out")"
  echo "$1: $(grep '^error: ' "$out")"
  echo "  $(tail -n 1 "$out")"
}
goes_on() {
  start || fail "$1: the same command does not go on" "$(cat "$out")"
  tail -n 1 "$out" | grep -q '^the program says 2$' || fail "$1: the program is not run" "$(cat "$out")"
}
again="go on with: bash $work/project/kernels/run.sh"

step "Packages"
command_is dpkg-query 'exit 1'
command_is id 'echo 0'
command_is apt-get 'case "$*" in *install*) echo "E: Unable to locate package libtbb-dev" >&2; exit 100 ;; esac'
ends "a package that apt lacks" "Lockstep is for Debian 12.*$again"
grep -q '^error: apt has no package libtbb-dev' "$out" || fail "the package is not named" "$(cat "$out")"
command_is apt-get 'echo "W: Failed to fetch http://deb.debian.org  Temporary failure resolving deb.debian.org" >&2
case "$*" in *install*) echo "E: Unable to fetch some archives" >&2; exit 100 ;; esac'
ends "no network" "Connect this machine .*$again"
command_is apt-get 'case "$*" in *install*) echo "E: You do not have enough free space in /var/cache/apt/archives/." >&2; exit 100 ;; esac'
ends "no space for packages" "Free some space .*$again"
command_is apt-get 'echo "E: something else" >&2; exit 100'
ends "another failure of apt" "See apt's message above, then as root: apt-get install .*$again"
command_is id 'echo 1000'
command_is sudo 'echo "a builder is not in the sudoers file" >&2; exit 1'
ends "no right to use sudo" "As root: apt-get install .*$again"
rm "$bin/sudo"
ends "neither root nor sudo" "As root: apt-get install .*$again"
rm "$bin/apt-get"
mv "$bin/ninja" "$work/ninja"
ends "no Debian, and a package is missing" "Install the packages above and $again"
mv "$work/ninja" "$bin/ninja"
if $can_mount; then
  # An installation that was interrupted is finished first, as apt demands.
  mkdir "$work/updates"
  touch "$work/updates/0001"
  mount --bind "$work/updates" /var/lib/dpkg/updates
  command_is id 'echo 0'
  command_is apt-get 'exit 100'
  ends "an interrupted installation" "See apt's message above, then as root: .*"
  grep -q '^dpkg --configure -a$' "$out" || fail "the interrupted installation is not finished" "$(cat "$out")"
  umount /var/lib/dpkg/updates
fi

command_is dpkg-query "$installed"
command_is apt-get 'exit 100'
step "Disk"
if $can_mount; then
  mkdir -p "$work/project/build"
  mount -t tmpfs -o size=64k none "$work/project/build"
  ends "a disk that is full while CMake configures" "Free some space .*$again"
  ! grep -q 'Build files have been written' "$out" || fail "CMake has space to configure" "$(cat "$out")"
  mount -o remount,size=1g "$work/project/build"
  goes_on "a disk with space again"
  umount "$work/project/build"
  # Full while the second source is compiled.
  mount -t tmpfs -o size=1g none "$work/project/build"
  touch "$work/project/wait"
  start & pid=$!
  object=$work/project/build/release/CMakeFiles/first.dir/first.cpp.o
  for _ in $(seq 600); do [ ! -e "$object" ] || break; sleep 0.1; done
  dd if=/dev/zero of="$work/project/build/large" bs=1M status=none 2>/dev/null || true
  rm "$work/project/wait"
  ! wait $pid || fail "the build succeeds on a full disk" "$(cat "$out")"
  judge "a disk that is full during the build" "Free some space .*$again"
  rm "$work/project/build/large"
  goes_on "a disk with space again"
  umount "$work/project/build"
else
  echo "left out: making a full disk takes a root that may mount"
fi

step "Interruptions"
# interrupt NAME LINE COMMAND...: the command, given the script's process id, ends a build half-way.
interrupt() {
  local name=$1 line=$2 object made pid
  shift 2
  rm -rf "$work/project/build"
  touch "$work/project/wait"
  # A shell starts background commands with SIGINT ignored.
  setsid env --default-signal=INT PATH="$bin" bash "$work/project/kernels/run.sh" >"$out" 2>&1 &
  pid=$!
  object=$work/project/build/release/CMakeFiles/first.dir/first.cpp.o
  for _ in $(seq 600); do [ ! -e "$object" ] || break; sleep 0.1; done
  sleep 1
  "$@" $pid
  ! wait $pid || fail "$name: kernels/run.sh succeeds" "$(cat "$out")"
  judge "$name" "$line"
  made=$(stat -c %y "$object")
  rm "$work/project/wait"
  goes_on "$name"
  [ "$(stat -c %y "$object")" = "$made" ] || fail "$name: what was built is built again" "$(cat "$out")"
}
press_ctrl_c() { kill -INT -- "-$1"; }
kill_ninja() { pkill -KILL --session "$1" ninja; }
interrupt "Ctrl-C" "Nothing is lost; $again" press_ctrl_c
interrupt "a killed build" "If there is an 'error:' above, it says why; $again" kill_ninja
