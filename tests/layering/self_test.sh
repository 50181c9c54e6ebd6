#!/bin/sh
# Proves that check.sh can fail: plants one violation at a time in a small, otherwise clean tree.
set -eu
check=$(cd "$(dirname "$0")" && pwd)/check.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

put() {
  mkdir -p "$(dirname "$tree/$1")"
  printf '%b' "$2" >"$tree/$1"
}

for layer in lanes exec subgroup workgroup dispatch glsl trace oracle; do
  put include/lockstep/$layer/some.hpp '#include <lockstep/config.hpp>\nint x;\n'
  put tests/$layer/some.cpp ''
done
put include/lockstep/config.hpp '#include <version>\n'
put include/lockstep/lockstep.hpp '#include <lockstep/subgroup.hpp>\n#include <lockstep/glsl/some.hpp>\n'
put include/lockstep/subgroup.hpp '#include <lockstep/subgroup/some.hpp>\n'
put include/lockstep/lanes/detail/simd.hpp '#include <immintrin.h>\nint x;\n'
put src/runtime/dispatch/pool.cpp '#include <tbb/tbb.h>\n#include <lockstep/dispatch/some.hpp>\n'
put src/cli/main.cpp '#include <fmt/format.h>\n#include "io/npy.hpp"\n#include "sum/sum.hpp"\n'
put src/io/npy.hpp '#include <nlohmann/json.hpp>\n'
put kernels/sum/sum.hpp '#include <lockstep/lockstep.hpp>\n#include <lockstep/glsl/keywords.hpp>\n'
put src/shader/front/types.hpp '#include "shader/front/module.hpp"\n'
put src/shader/ir/ir.hpp '#include "shader/front/types.hpp"\n'
put src/shader/lower/lower.cpp '#include "shader/ir/ir.hpp"\n#include "shader/run/fold.hpp"\n'
put src/shader/run/run.cpp '#include "shader/ir/ir.hpp"\n#include "shader/native/native.hpp"\n'
put src/shader/native/emitter.cpp '#include "shader/run/program.hpp"\n#include "shader/ir/ir.hpp"\n'
put src/shader/shader.cpp '#include "shader/run/run.hpp"\n#include "shader/lower/lower.hpp"\n'
sh "$check" "$tree" || { echo "the clean tree does not pass"; exit 1; }

# plant FILE CONTENT: check.sh must fail and name FILE; the tree is put back afterwards.
plant() {
  [ ! -f "$tree/$1" ] || cp "$tree/$1" "$tree/saved"
  put "$1" "$2"
  if found=$(sh "$check" "$tree"); then
    echo "not noticed: $1 with: $2"
    exit 1
  fi
  case $found in
    "$1"*) ;;
    *) echo "$1 with $2 is reported as: $found"; exit 1 ;;
  esac
  if [ -f "$tree/saved" ]; then mv "$tree/saved" "$tree/$1"; else rm "$tree/$1"; fi
}

public=include/lockstep
plant $public/lanes/some.hpp '#include <lockstep/exec/some.hpp>\nint x;\n'
plant $public/lanes/some.hpp '# include <lockstep/subgroup/some.hpp>\nint x;\n'
plant $public/exec/some.hpp '#include <lockstep/subgroup/some.hpp>\nint x;\n'
plant $public/subgroup/some.hpp '#include <lockstep/workgroup/some.hpp>\nint x;\n'
plant $public/workgroup/some.hpp '#include <lockstep/dispatch/some.hpp>\nint x;\n'
plant $public/dispatch/some.hpp '#include <lockstep/glsl/some.hpp>\nint x;\n'
plant $public/glsl/some.hpp '#include <lockstep/lockstep.hpp>\nint x;\n'
plant $public/glsl/some.hpp '#include <lockstep/glsl/keywords.hpp>\nint x;\n'
plant $public/lanes/some.hpp '#include <lockstep/subgroup.hpp>\nint x;\n'
plant $public/subgroup.hpp '#include <lockstep/glsl/some.hpp>\n'
plant $public/lockstep.hpp '#include <lockstep/glsl/keywords.hpp>\n'
plant $public/trace/some.hpp '#include <lockstep/exec/some.hpp>\nint x;\n'
plant $public/oracle/some.hpp '#include <lockstep/lanes/some.hpp>\nint x;\n'
plant $public/lanes/some.hpp '#include "detail/simd.hpp"\nint x;\n'
plant $public/lanes/some.hpp '#include <immintrin.h>\nint x;\n'
plant $public/lanes/some.hpp '#include <Eigen/Core>\nint x;\n'
plant $public/dispatch/some.hpp '#include <tbb/tbb.h>\nint x;\n'
for header in fmt/format.h iostream functional ranges; do
  plant $public/exec/some.hpp "#include <$header>\nint x;\n"
done
plant src/runtime/dispatch/pool.cpp '#include "cli/main.hpp"\n'
plant src/io/npy.hpp '#include "../cli/main.hpp"\n'
plant kernels/sum/sum.hpp '#include "io/npy.hpp"\n'
plant src/shader/front/types.hpp '#include "shader/ir/ir.hpp"\n'
plant src/shader/front/types.hpp '#include "shader/shader.hpp"\n'
plant src/shader/ir/ir.hpp '#include "shader/run/program.hpp"\n'
plant src/shader/ir/ir.hpp '#include "shader/lower/lower.hpp"\n'
plant src/shader/lower/lower.cpp '#include "shader/run/program.hpp"\n'
plant src/shader/lower/lower.cpp '#include "shader/native/native.hpp"\n'
plant src/shader/run/run.cpp '#include "shader/lower/lower.hpp"\n'
plant src/shader/run/run.cpp '#include "shader/native/emitter.hpp"\n'
plant src/shader/native/emitter.cpp '#include "shader/front/types.hpp"\n'
plant src/shader/new/new.cpp '#include "shader/ir/ir.hpp"\n'
plant $public/strange/some.hpp '#include <version>\n'
plant $public/lanes/untested.hpp 'int x;\n'
