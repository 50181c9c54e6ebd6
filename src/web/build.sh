#!/bin/bash
# Makes build/playground/, the live page with the simulator as WebAssembly in place of a server: for any server of files, or to
# be opened as build/playground/index.html. The C++ library, glslang and SPIRV-Tools are built from Debian's sources first, which
# takes most of the time.
# usage: bash src/web/build.sh
# The page compiles WGSL if npm's naga-wasm is in NAGA_WASM/node_modules, by default in build/web:
#   npm install --prefix build/web naga-wasm@30.1.0
source "$(dirname "${BASH_SOURCE[0]}")/../cmake/setup.sh"

[ $# -eq 0 ] || fail "unknown arguments: $*" "usage: bash src/web/build.sh"
web=$root/build/web
page=$root/build/playground
jobs=${LOCKSTEP_JOBS:-$(nproc)}

step "Packages"
install_packages clang-19 lld-19 llvm-19 wasi-libc libclang-rt-19-dev-wasm32 cmake ninja-build python3 \
  libfmt-dev nlohmann-json3-dev glslang-dev spirv-tools spirv-headers libjs-codemirror
mkdir -p "$web/apt/lists/partial" "$web/include" "$page"

# fetch PACKAGE ARCHIVE FOLDER PATTERN...: the parts of a Debian source package that the patterns name, as a folder.
fetch() {
  local package=$1 archive=$2 folder=$3
  shift 3
  [ ! -e "$web/$folder/.whole" ] || return 0
  local options=(-q -o "Dir::Etc::sourcelist=$web/apt/sources.list" -o Dir::Etc::sourceparts=-
                 -o "Dir::State::lists=$web/apt/lists" -o APT::Sandbox::User=root)
  if [ ! -e "$web/apt/sources.list" ]; then
    echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian bookworm main" \
      >"$web/apt/sources.list"
    apt-get "${options[@]}" update || { rm "$web/apt/sources.list"; fail "Debian's sources cannot be listed"; }
  fi
  (cd "$web/apt" && apt-get "${options[@]}" source --download-only "$package") ||
    fail "the source of $package cannot be fetched" "See apt's message above, and go on with: $again"
  mkdir -p "$web/$folder"
  tar -xf "$web"/apt/$archive -C "$web/$folder" --strip-components=1 --wildcards "$@"
  touch "$web/$folder/.whole"
}

step "Sources"
fetch llvm-toolchain-19 'llvm-toolchain-19_*.orig.tar.xz' llvm \
  '*/libcxx/*' '*/libcxxabi/*' '*/libunwind/*' '*/runtimes/*' '*/cmake/*' --exclude='*/test/*'
fetch spirv-tools 'spirv-tools_*.orig.tar.gz' spirv-tools-source '*'
fetch glslang 'glslang_*.orig.tar.gz' glslang-source '*'
# Headers that do not depend on the machine, without those beside them that do.
for name in fmt nlohmann spirv spirv-tools glslang; do ln -sfn "/usr/include/$name" "$web/include/$name"; done
mkdir -p "$web/spirv-headers/include"
ln -sfn /usr/include/spirv "$web/spirv-headers/include/spirv"

# make FOLDER SOURCE TARGETS OPTION...: configures and builds with the toolchain.
make() {
  local name=$1 folder=$web/$1 source=$2 targets=$3 log=$web/$1.log
  shift 3
  {
    [ -e "$folder/build.ninja" ] || cmake -G Ninja -S "$source" -B "$folder" \
      -DCMAKE_TOOLCHAIN_FILE="$root/src/web/toolchain.cmake" -DBUILD_SHARED_LIBS=OFF "$@"
    # shellcheck disable=SC2086  # several targets
    ninja -C "$folder" -j "$jobs" $targets
  } >"$log" 2>&1 || { tail -n 30 "$log"; fail "$name does not compile to WebAssembly" "See $log."; }
}

step "The C++ library, with exceptions"
make libcxx "$web/llvm/runtimes" "cxx cxxabi" -DCMAKE_BUILD_TYPE=None -DCMAKE_{C,CXX}_COMPILER_WORKS=ON -DUNIX=ON \
  -DCMAKE_CXX_FLAGS_NONE="-O2 -I$web/llvm/libunwind/include" -DLLVM_ENABLE_RUNTIMES="libcxxabi;libcxx" \
  -DLLVM_INCLUDE_{TESTS,DOCS}=OFF -DLIBCXX_{ENABLE_SHARED,HAS_PTHREAD_API,INCLUDE_TESTS,INCLUDE_BENCHMARKS}=OFF \
  -DLIBCXX_{HAS_EXTERNAL_THREAD_API,HAS_MUSL_LIBC}=ON -DLIBCXX_CXX_ABI=libcxxabi \
  -DLIBCXXABI_{ENABLE_SHARED,HAS_PTHREAD_API,USE_LLVM_UNWINDER,INCLUDE_TESTS}=OFF \
  -DLIBCXXABI_{HAS_EXTERNAL_THREAD_API,SILENT_TERMINATE}=ON
clang-19 --target=wasm32-wasi -fwasm-exceptions -O2 -DNDEBUG -D__USING_WASM_EXCEPTIONS__ -D_LIBUNWIND_HIDE_SYMBOLS \
  -I "$web/llvm/libunwind/include" -c "$web/llvm/libunwind/src/Unwind-wasm.c" -o "$web/libcxx/unwind.o"

step "SPIRV-Tools"
make spirv-tools "$web/spirv-tools-source" "SPIRV-Tools-static SPIRV-Tools-opt" -DCMAKE_BUILD_TYPE=MinSizeRel \
  -DSPIRV-Headers_SOURCE_DIR="$web/spirv-headers" -DSPIRV_SKIP_{TESTS,EXECUTABLES}=ON -DSPIRV_WERROR=OFF

step "glslang"
make glslang "$web/glslang-source" "glslang SPIRV" -DCMAKE_BUILD_TYPE=MinSizeRel -DUNIX=ON \
  -DENABLE_{OPT,CTEST,GLSLANG_BINARIES,SPVREMAPPER,PCH}=OFF -DBUILD_EXTERNAL=OFF

step "The simulator"
make engine "$root/src/web" lockstep_engine -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG" \
  -DLOCKSTEP_WEB_LIBRARIES="$web" -DLOCKSTEP_WEB_INCLUDE="$web/include" -DLOCKSTEP_SHADER_WIDTHS=32,128
engine=$web/engine/lockstep.wasm

step "The page"
editor=/usr/share/javascript/codemirror
cp "$editor/lib/codemirror.js" "$page/editor.js"
cp "$editor/lib/codemirror.css" "$page/editor.css"
cp "$editor/mode/clike/clike.js" "$page/editor_mode.js"
cp "$web"/engine/page/* "$root/src/web/engine.js" "$root/src/web/local_engine.js" "$page"
naga=${NAGA_WASM:-$web}/node_modules/naga-wasm
has_naga=false
rm -f "$page/naga.js"
if [ -d "$naga" ]; then
  has_naga=true
  {
    printf "'use strict';\n// What compiles WGSL: npm's naga-wasm, as a function that gives a new one.\nfunction lockstepNaga() {\n"
    # A module's text without what a function cannot have.
    sed -e 's/^export \(class\|function\) /\1 /' -e '/^export {/d' -e 's/import\.meta\.url/undefined/' "$naga/dist/wasm/naga.js"
    printf "return {initSync, parseWgsl, validate, writeSpirv};\n}\nconst nagaModule = '%s';\n" \
      "$(gzip -9nc "$naga/dist/wasm/naga_bg.wasm" | base64 -w 0)"
  } >"$page/naga.js"
fi
# Pages opened from a file may load scripts, but no other files.
printf "'use strict';\nconst lockstepHasNaga = %s;\nconst lockstepModule = '%s';\n" $has_naga \
  "$(gzip -9nc "$engine" | base64 -w 0)" >"$page/lockstep.wasm.js"
for package in libfmt-dev nlohmann-json3-dev glslang-dev spirv-tools wasi-libc libclang-rt-19-dev-wasm32 libjs-codemirror; do
  printf '==== %s ====\n\n' "$package"
  cat "/usr/share/doc/$package/copyright"
done >"$page/licenses.txt"
! $has_naga || { printf '==== naga-wasm ====\n\n'; cat "$naga/LICENSE-MIT"; } >>"$page/licenses.txt"
step "build/playground/index.html is the page; its engine has $(($(stat -c %s "$engine") >> 10)) KiB, $(($(gzip -9c "$engine" | wc -c) >> 10)) compressed"
