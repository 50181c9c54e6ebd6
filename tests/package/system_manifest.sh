#!/bin/bash
# usage: system_manifest.sh BUILD
# Installs a build under a prefix of its own: a program that knows nothing of Lockstep finds the driver once the manifest
# for all programs is installed, and not before.
source "$(dirname "${BASH_SOURCE[0]}")/../../src/cmake/setup.sh"
build=$1
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
manifest=$prefix/share/vulkan/icd.d/lockstep_icd.json
install_packages vulkan-tools

# devices: what a program is told, where the loader looks only in the prefix.
devices() { env -u VK_DRIVER_FILES -u VK_ICD_FILENAMES HOME="$prefix" XDG_DATA_DIRS="$prefix/share" vulkaninfo --summary 2>&1 || true; }
step "Packages: a manifest for all programs, installed under a prefix"
cmake --install "$build" --prefix "$prefix" --component program > /dev/null
[ ! -e "$manifest" ] || fail "component program installs $manifest" "It is for those who ask for it."
! devices | grep 'deviceName.*Lockstep' || fail "the driver is found without a manifest for all programs" "Where does the loader look?"
DESTDIR='' cmake --install "$build" --prefix "$prefix" --component system_manifest > /dev/null
driver=$(find "$prefix" -name liblockstep_vulkan.so)
grep -F "\"library_path\": \"$driver\"" "$manifest" > /dev/null || fail "$manifest does not name $driver" "$(cat "$manifest")"
devices | grep 'deviceName.*Lockstep' || fail "vulkaninfo does not find the installed driver" "$(devices)"

# A package of another's is staged, and the manifest names where the driver will be.
DESTDIR=$prefix/stage cmake --install "$build" --prefix /opt/lockstep --component system_manifest > /dev/null
grep -E '"library_path": "/opt/lockstep/lib[^"]*/lockstep/liblockstep_vulkan.so"' "$prefix/stage/opt/lockstep/share/vulkan/icd.d/lockstep_icd.json" ||
  fail "the staged manifest names another driver" "$(cat "$prefix"/stage/opt/lockstep/share/vulkan/icd.d/*.json)"
