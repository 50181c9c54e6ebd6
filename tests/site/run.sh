#!/bin/bash
# Builds the static site, with the API reference that tests/api/run.sh has made, and checks its links.
# usage: bash tests/site/run.sh
source "$(dirname "${BASH_SOURCE[0]}")/../../src/cmake/setup.sh"

[ $# -eq 0 ] || fail "unknown arguments: $*" "usage: bash tests/site/run.sh"
install_packages doxygen mkdocs mkdocs-material python3
cd "$root"
[ -e build/api/html/index.html ] || bash tests/api/run.sh
python3 docs/site/make build/site || fail "the site cannot be built" "Repair what mkdocs names above; try again with: docs/site/make build/site"
python3 tests/site/check.py build/site/html || fail "the site has broken links" "Repair the pages above; try again with: bash tests/site/run.sh"
