#!/bin/bash
# Follows README.md as someone does who sees Lockstep for the first time, by its own listings and commands: to a passing test
# of a kernel of their own, to a bug found in a shader, and to a link that holds an experiment. `lockstep` is in PATH, as
# kernels/run.sh or a package leaves it; for the kernel the packages that kernels/run.sh installs are there.
# usage: bash tests/bare_root/paths.sh README.md FOLDER PATH...
#   PATH is kernel, shader or link; FOLDER is where their project is made. The library is installed in the system, as root,
#   or under PREFIX where that is set.
set -euo pipefail

readme=$(realpath "$1") folder=$2 prefix=${PREFIX:-}
shift 2

fail() {
  printf 'error: %s\n' "$1" >&2
  exit 1
}

# block LANGUAGE TEXT: the first listing of README.md in that language that contains the text.
block() {
  awk -v language="$1" -v text="$2" '
    /^```/ && inside { if (index(listing, text)) { printf "%s", listing; exit } inside = 0; next }
    /^```/ { inside = $0 == "```" language; listing = ""; next }
    inside { listing = listing $0 "\n" }' "$readme"
}

# within SECONDS WHAT: the time since `started` is less, or four times that where other work slows the machine.
within() {
  local took=$((SECONDS - started))
  echo "$2: $took s"
  [ $took -le $(($1 * 4)) ] || fail "$2 took $took s instead of $1"
}

rm -rf "$folder"
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)

# A kernel of their own: README's, which triples instead.
follow_kernel() {
  started=$SECONDS
  cd "$(dirname "$readme")"
  install=$(block sh 'LOCKSTEP_LIBRARY_ONLY=ON')
  [ -n "$install" ] || fail "README.md does not say how to install the library"
  [ -z "$prefix" ] || install=${install//cmake --install build\/library/cmake --install build\/library --prefix $prefix}
  bash -e -c "$install" > "$folder/install.log" 2>&1 || { tail -20 "$folder/install.log"; fail "README's commands do not install the library"; }
  block cpp 'TEST_CASE' | sed 's/DoubleEven/TripleEven/g; s/data\[i\] \* 2u/data[i] * 3u/' > "$folder/my_tests.cpp"
  grep -q 'data\[i\] \* 3u' "$folder/my_tests.cpp" || fail "README.md has no kernel that doubles"
  {
    echo 'cmake_minimum_required(VERSION 3.20)'
    echo 'project(mine CXX)'
    block cmake 'find_package(lockstep'
  } > "$folder/CMakeLists.txt"
  cmake -S "$folder" -B "$folder/build" -G Ninja ${prefix:+-DCMAKE_PREFIX_PATH="$prefix"} > "$folder/build.log" 2>&1 &&
    cmake --build "$folder/build" >> "$folder/build.log" 2>&1 || { tail -20 "$folder/build.log"; fail "README's listings do not build"; }
  # Its test still expects twice the number, and says so.
  ! "$folder/build/my_tests" > "$folder/output" 2>&1 || fail "a test that expects something else passes"
  grep -qE 'element +2: got +6, expected +4' "$folder/output" || { cat "$folder/output"; fail "the failing test does not name the element"; }
  sed -i 's/2 \* i/3 * i/' "$folder/my_tests.cpp"
  cmake --build "$folder/build" >> "$folder/build.log" 2>&1
  "$folder/build/my_tests" > "$folder/output" 2>&1 || { cat "$folder/output"; fail "the test of their kernel fails"; }
  within 150 "a passing test of a kernel of their own, after kernels/run.sh"
}

# A bug in a shader: what README shows is what its command prints.
follow_shader() {
  started=$SECONDS
  block console '--check' > "$folder/console"
  [ -s "$folder/console" ] || fail "README.md shows no checked run"
  command=$(sed -n '1s/^\$ //; /\\$/{s/\\$//; p; b}; p; q' "$folder/console" | tr -d '\n')
  status=0
  bash -c "$command" > "$folder/output" 2>&1 || status=$?
  [ $status -eq 1 ] || { cat "$folder/output"; fail "a run with an error ends with $status: $command"; }
# An installed program names the shaders of the lessons by where they are installed.
  sed 's,^/[^ ]*/share/lockstep/,,' "$folder/output" > "$folder/printed"
  sed '1,/[^\\]$/d' "$folder/console" | diff - "$folder/printed" || fail "README's command prints something else: $command"
  within 10 "a bug found in a shader"
}

# A link: its address holds the experiment, and the server runs what the page makes of it.
follow_link() {
  started=$SECONDS
  lockstep serve --port 0 > "$folder/serve" 2>&1 &
  server=$!
  trap 'kill $server 2>/dev/null || true' EXIT
  for ((k = 0; k < 100; ++k)); do grep -qs 'http://' "$folder/serve" && break || sleep 0.1; done
  port=$(sed -n 's,.*http://127.0.0.1:\([0-9]*\)/.*,\1,p' "$folder/serve")
  [ -n "$port" ] || { cat "$folder/serve"; fail "lockstep serve does not print its address"; }
  # ask METHOD PATH BODY: what the server answers.
  ask() {
    exec 3<> "/dev/tcp/127.0.0.1/$port"
    printf '%s %s HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nContent-Type: application/json\r\nContent-Length: %s\r\nConnection: close\r\n\r\n%s' \
      "$1" "$2" "$port" "${#3}" "$3" >&3
    cat <&3
    exec 3>&-
  }
  ask GET / '' > "$folder/page"
  grep -q 'Copy link' "$folder/page" || fail "the page has no link to copy"
  source='#version 450\nlayout(local_size_x = 4) in;\nlayout(binding = 0) buffer B { uint x[]; };\nvoid main() { x[gl_LocalInvocationIndex] = 7u; }'
  ask POST /ask "{\"ask\": \"trace\", \"source\": \"$source\", \"size\": 4, \"buffers\": [\"0=zeros:u32:4\"]}" > "$folder/answer"
  grep -q '7' "$folder/answer" && grep -q '"run"' "$folder/answer" || { head -c 2000 "$folder/answer"; fail "the server does not run an experiment"; }
  within 10 "a link that holds an experiment"
}

for path in "$@"; do
  case $path in
    kernel | shader | link) "follow_$path" ;;
    *) fail "unknown path: $path" ;;
  esac
done
