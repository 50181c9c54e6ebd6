#!/bin/bash
# Makes the wheel of the Python package as pip does, lists what it needs of the system, and runs the tests with it, installed
# in a folder, also on a processor of 2008.
# usage: bash tests/python/wheel.sh BUILD
# BUILD is a folder that is configured with LOCKSTEP_ISA=all.
source "$(dirname "${BASH_SOURCE[0]}")/../../src/cmake/setup.sh"

[ $# -eq 1 ] && [ -f "$1/CMakeCache.txt" ] ||
  fail "one argument is needed, a folder with a build" "usage: bash tests/python/wheel.sh BUILD"
build=$(realpath "$1")
grep -q '^LOCKSTEP_ISA:STRING=all$' "$build/CMakeCache.txt" ||
  fail "$build is configured for one instruction set" "Configure it with -DLOCKSTEP_ISA=all, or name another folder."
step "Packages"
install_packages "${build_packages[@]}" "${python_packages[@]}" binutils qemu-user
python=$(sed -n 's/^LOCKSTEP_PYTHON_EXECUTABLE:FILEPATH=//p' "$build/CMakeCache.txt")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset PYTHONPATH

step "Wheel"
(cd "$root" && LOCKSTEP_BUILD=$build "$python" -m pip wheel . --no-build-isolation --no-deps --no-index --wheel-dir "$scratch") ||
  fail "pip makes no wheel" "See above."
wheels=("$scratch"/lockstep-*-linux_x86_64.whl)
[ -f "${wheels[0]}" ] || fail "there is no wheel for this processor: $(ls "$scratch")" "See src/python/lockstep_build.py."
du -h "${wheels[0]}" | cut -f1
"$python" -m pip install --quiet --no-deps --no-index --target "$scratch/site" "${wheels[0]}"

step "What it needs"
package=$scratch/site/lockstep
# needs FILE: the libraries that it names.
needs() { readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'; }
glibc='^(libc|libm|libdl|librt|libpthread)\.so\.[0-9]+$|^ld-linux.*'
mapfile -t files < <(find "$package" -name '*.so*' -type f; echo "$package/bin/lockstep")
[ ${#files[@]} -gt 4 ] || fail "the wheel has ${#files[@]} libraries" "Where are oneTBB, fmt and the C++ library?"
libraries=$(dirname "$(find "$package/lib" -name 'libtbb*')")
for file in "${files[@]}"; do
  for name in $(needs "$file"); do
    [ -e "$libraries/$name" ] || [[ $name =~ $glibc ]] ||
      fail "$(basename "$file") needs $name, which is neither glibc's nor in the wheel" "See src/cmake/python.cmake."
  done
done
echo "in the wheel: $(basename -a "${files[@]}" | sort | tr '\n' ' ')"
echo "of the system: $(for file in "${files[@]}"; do needs "$file"; done | grep -E "$glibc" | sort -u | tr '\n' ' ')"
echo "glibc: $(for file in "${files[@]}"; do objdump -T "$file"; done | grep -oE 'GLIBC_[0-9.]+' | sort -Vu | tail -1)"
exported=$(nm -D --defined-only "$package"/_lockstep*.so | awk '{ print $3 }' | grep -v '^_\(init\|fini\)$')
[ "$exported" = PyInit__lockstep ] || fail "the module exports more than its entry: $exported" "See src/python/exports.map."
for file in py.typed subgroup.pyi pytest_plugin.py share/doc/lockstep/licenses/lib{tbb12,fmt9,stdc++6}; do
  [ -e "$package/$file" ] || fail "the wheel lacks $file" "See pyproject.toml."
done

step "Tests with the installed package"
export PYTHONPATH=$scratch/site PYTHONDONTWRITEBYTECODE=1
cd "$scratch"
"$python" -m pytest -q -p no:cacheprovider "$root"/tests/python/test_{run,layout,subgroup}.py ||
  fail "tests fail with the wheel" "See above."
# Without -p: pip has told pytest of the plugin.
"$python" -m pytest -p no:cacheprovider --markers | grep subgroup_sizes >/dev/null ||
  fail "pytest does not find the plugin" "See pyproject.toml."

step "The program in it"
# pip puts it into PATH.
export PATH=$scratch/site/bin:$PATH
[ "$(command -v lockstep)" = "$scratch/site/bin/lockstep" ] || fail "the wheel has no command lockstep" "See pyproject.toml."
lockstep lesson 1 >/dev/null || fail "lockstep lesson 1 fails" "Is share/lockstep in the wheel?"
driver=$(lockstep vulkan --manifest | sed -n 's/.*"library_path": "\(.*\)".*/\1/p')
[ -f "$driver" ] || fail "the wheel has no Vulkan driver" "See src/python/lockstep_build.py."
lockstep verify "$package/share/lockstep/kernels/lockstep.json:max_reduce" || fail "lockstep verify fails" "See above."

step "On other processors"
cat >"$scratch/sum.py" <<'END'
import pathlib
import numpy as np
import lockstep as ls
PACKAGE = pathlib.Path(ls.__file__).parent
data = np.arange(64, dtype=np.uint32)
shader = ls.Shader("""#version 460
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer Data { uint data[]; };
void main() { data[gl_LocalInvocationIndex] = subgroupInclusiveAdd(data[gl_LocalInvocationIndex]); }
""")
run = shader.run(1, {0: data}, subgroup_size=64)
assert data.tolist() == np.cumsum(np.arange(64)).tolist()
assert ls.subgroup.add(np.arange(8.0)) == 28
assert ls.verify(PACKAGE / "share/lockstep/kernels/lockstep.json:max_reduce", sizes=[8]).ok
print(run.machine_code)
END
# on PROCESSOR: the machine code that is chosen.
on() {
  if [ "$1" = host ]; then "$python" "$scratch/sum.py"
  else qemu-x86_64 -cpu "$1" "$python" "$scratch/sum.py" 2> >(grep -v '^qemu-x86_64: warning' >&2); fi
}
for pair in Nehalem=calls Haswell=avx2; do
  chosen=$(on "${pair%=*}") || fail "the package fails on ${pair%=*}" "See above."
  [ "$chosen" = "${pair#*=}" ] || fail "on ${pair%=*} the machine code is for $chosen" "It should be ${pair#*=}."
  echo "${pair%=*}: $chosen"
done
echo "host: $(on host)"
