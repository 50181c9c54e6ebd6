#!/bin/bash
# Makes the API reference, where each warning about a comment is an error, and so is a type or function without one.
# usage: bash tests/api/run.sh
source "$(dirname "${BASH_SOURCE[0]}")/../../src/cmake/setup.sh"

[ $# -eq 0 ] || fail "unknown arguments: $*" "usage: bash tests/api/run.sh"
install_packages doxygen python3
cd "$root"
doxygen docs/Doxyfile ||
  fail "the API reference has warnings" "Repair the comments that doxygen names above; try again with: doxygen docs/Doxyfile"
python3 tests/api/documented.py build/api/xml ||
  fail "public types or functions have no comment" "Describe those that are named above; try again with: bash tests/api/run.sh"
