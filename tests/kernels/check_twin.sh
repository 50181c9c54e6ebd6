#!/bin/sh
# usage: check_twin.sh GLSLANG_VALIDATOR SPIRV_VAL TWIN
# Compiles a kernel's GLSL twin and validates the result.
set -eu
binary=$(mktemp)
trap 'rm -f "$binary"' EXIT
"$1" -V --target-env vulkan1.2 "$3" -o "$binary"
"$2" --target-env vulkan1.2 "$binary"
