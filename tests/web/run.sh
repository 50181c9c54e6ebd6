#!/bin/bash
# Builds the page with the engine as WebAssembly, compares that engine's answers with the program's, and uses the page in
# Chromium and Firefox.
# usage: bash tests/web/run.sh PROGRAM
source "$(dirname "${BASH_SOURCE[0]}")/../../src/cmake/setup.sh"

[ $# -eq 1 ] || fail "one argument is needed" "usage: bash tests/web/run.sh PROGRAM"
program=$(realpath "$1")
command -v npm >/dev/null || install_packages npm
npm install --silent --no-audit --no-fund --prefix "$root/build/web" naga-wasm@30.1.0 || fail "naga-wasm, which compiles WGSL, could not be installed" "See npm's message above."
bash "$root/src/web/build.sh"

step "Answers of both engines"
install_packages nodejs
NAGA_WASM=$root/build/web PATH=$root/tests/compatibility/naga:$PATH node "$root/tests/web/compare.js" "$program" "$root/build/playground"

step "The page in Chromium"
bash "$root/tests/browser/run.sh" "$program" none
files=$(mktemp)
python3 -u -m http.server 0 --bind 127.0.0.1 --directory "$root/build/playground" >"$files" 2>/dev/null &
server=$!
trap 'kill $server 2>/dev/null || true; rm -f "$files"' EXIT
for _ in $(seq 100); do grep -q port "$files" && break || sleep 0.1; done
address=http://127.0.0.1:$(grep -o 'port [0-9]*' "$files" | cut -d' ' -f2) || fail "the server of files does not start"
export NODE_PATH=$root/build/browser/node_modules
node "$root/tests/web/opened.js" "$root/build/playground/index.html" "$address/"
node "$root/tests/browser/drive.js" "$root/build/browser" "$address" serve links forms languages wgsl explains saves hostile explores lessons folds presents live_times

step "The pages in Firefox"
bash "$root/tests/browser/run.sh" "$program" firefox
node "$root/tests/browser/firefox.js" "$root/build/browser" "$address"
