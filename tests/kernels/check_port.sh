#!/bin/sh
# usage: check_port.sh GLSLANG_VALIDATOR SPIRV_VAL PORT
# Compiles a kernel's GLSL port and validates the result.
set -eu
binary=$(mktemp)
trap 'rm -f "$binary"' EXIT
"$1" -V --target-env vulkan1.2 "$3" -o "$binary"
"$2" --target-env vulkan1.2 "$binary"
