#!/bin/bash
# Makes the API reference, where each warning about a comment is an error.
# usage: bash tests/api/run.sh
source "$(dirname "${BASH_SOURCE[0]}")/../../src/cmake/setup.sh"

[ $# -eq 0 ] || fail "unknown arguments: $*" "usage: bash tests/api/run.sh"
install_packages doxygen
cd "$root"
doxygen docs/Doxyfile ||
  fail "the API reference has warnings" "Repair the comments that doxygen names above; try again with: doxygen docs/Doxyfile"
