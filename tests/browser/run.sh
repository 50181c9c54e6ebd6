#!/bin/bash
# Opens pages of `lockstep trace` and `lockstep serve` in Chromium, uses them, and looks for faults of accessibility.
# usage: bash tests/browser/run.sh PROGRAM [firefox | PART...]
#   firefox   what differs between browsers, in Firefox
source "$(dirname "${BASH_SOURCE[0]}")/../../src/cmake/setup.sh"

[ $# -ge 1 ] || fail "an argument is needed" "usage: bash tests/browser/run.sh PROGRAM"
program=$(realpath "$1")
pages=$root/build/browser

command -v npm >/dev/null || install_packages npm
mkdir -p "$pages"
# install_driver PACKAGE...: what drives the browser.
install_driver() {
  npm install --silent --no-audit --no-fund --prefix "$pages" "$@" ||
    fail "what drives the browser could not be installed" "See npm's message above."
}
drive=tests/browser/drive.js
if [ "${2-}" = firefox ]; then
  drive=tests/browser/firefox.js
  install_packages firefox-esr
  [ -d "$pages/node_modules/puppeteer-core" ] || install_driver puppeteer-core
else
  install_packages chromium
  [ -d "$pages/node_modules/axe-core" ] || install_driver playwright-core@1 axe-core@4
fi

cd "$root"
trace() { "$program" trace "$@" >"$pages/out.txt" 2>&1 || [ $? -eq 1 ] || fail "trace $*" "$(cat "$pages/out.txt")"; }
trace kernels/allocate_broken/allocate_broken.comp --groups 1 --subgroup-size 16 --convergence core --choose rejoin-none \
  --buffer 0=iota:u32:64 --buffer 1=zeros:u32:1 --buffer 2=zeros:u32:64 --subgroup all -o "$pages/broken.html"
trace tests/bugs/warp_synchronous_tail.comp --groups 1 --subgroup-size 32 --check \
  --buffer 0=iota:u32:1024 --buffer 1=iota:u32:1024 -o "$pages/findings.html"
trace tests/browser/long.comp --groups 1 --subgroup-size 128 --buffer 0=zeros:u32:128 -o "$pages/long.html"
trace tests/browser/wide.comp --groups 1 --subgroup-size 128 --buffer 0=zeros:u32:128 -o "$pages/wide.html"
trace kernels/allocate_broken/allocate_broken.comp --groups 1 --subgroup-size 8 --buffer 0=iota:u32:64 \
  --buffer 1=fill:u32:1:8 --buffer 2=zeros:u32:64 --beside "--convergence core --choose rejoin-none" -o "$pages/compared.html"
"$program" explore kernels/allocate_broken/allocate_broken.comp --groups 1 --vary convergence --buffer 0=iota:u32:128 \
  --buffer 1=zeros:u32:1 --buffer 2=zeros:u32:128 --trace "$pages/explored.html" >"$pages/out.txt" 2>&1 || [ $? -eq 1 ] ||
  fail "explore --trace" "$(cat "$pages/out.txt")"
# What stands for naga in PATH: it compiles the page's first WGSL shader, and says what naga says of an unknown name.
install_packages glslang-tools
mkdir -p "$pages/path"
cat >"$pages/path/naga" <<'END'
#!/bin/bash
if line=$(grep -n nonsense "$2"); then
  printf 'Could not parse WGSL:\nerror: no definition in scope for identifier: `nonsense`\n  ┌─ %s:%s:15\n' "$2" "${line%%:*}" >&2
  exit 1
fi
exec glslangValidator -V --target-env vulkan1.1 "$(dirname "$0")/sums.comp" -o "$3"
END
chmod +x "$pages/path/naga"
cp tests/browser/sums.comp "$pages/path"
PATH=$pages/path:$PATH "$program" serve --port 0 >"$pages/serve.txt" &
server=$!
trap 'kill -INT $server 2>/dev/null || true' EXIT
for _ in $(seq 100); do grep -q http "$pages/serve.txt" && break || sleep 0.1; done
address=$(grep -o 'http://127.0.0.1:[0-9]*' "$pages/serve.txt") || fail "lockstep serve does not start"
NODE_PATH=$pages/node_modules node "$drive" "$pages" "$address" "${@:2}"
