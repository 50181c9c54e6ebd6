#!/bin/bash
# usage: survey.sh LOCKSTEP CLONES
# What becomes of each compute shader of the clones (folders OWNER+NAME), a line for each: `lockstep survey`, with naga
# for WGSL, which npm installs into a folder that is removed afterwards.
set -euo pipefail
lockstep=$(realpath "$1")
clones=$(realpath "$2")
here=$(cd "$(dirname "$0")" && pwd)
NAGA_WASM=$(mktemp -d)
export NAGA_WASM
trap 'rm -r "$NAGA_WASM"' EXIT
npm install --silent --no-save --prefix "$NAGA_WASM" naga-wasm@30.1.0 >/dev/null
for clone in "$clones"/*+*; do
  PATH="$here/naga:$PATH" "$lockstep" survey "$clone" --json |
    python3 "$here/survey_tally.py" "$(basename "$clone")"
done
