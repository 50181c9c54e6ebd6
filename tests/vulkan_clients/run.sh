#!/bin/bash
# Runs programs of others on the Vulkan driver, each at several subgroup sizes.
# usage: bash tests/vulkan_clients/run.sh PROGRAM
source "$(dirname "${BASH_SOURCE[0]}")/../../src/cmake/setup.sh"

[ $# -eq 1 ] || fail "one argument is needed" "usage: bash tests/vulkan_clients/run.sh PROGRAM"
program=$(realpath "$1")
clients=$root/build/clients
mkdir -p "$clients"

command -v npm >/dev/null || install_packages npm
install_packages vulkan-tools libvulkan-dev libvkfft-dev glslang-dev spirv-tools
for size in 1 4 32 128; do
  # The list is long: what follows the pipe must read all of it.
  "$program" vulkan --subgroup-size "$size" vulkaninfo 2>"$clients/errors.txt" >"$clients/info.txt" ||
    fail "vulkaninfo at subgroup size $size" "$(cat "$clients/errors.txt")"
  grep -q "subgroupSize *= $size$" "$clients/info.txt" || fail "vulkaninfo does not say subgroupSize = $size"
  echo "vulkaninfo: subgroups of $size"
done

# Debian's VkFFT does not compile with Debian's g++ 12 and glslang 12 as it is: it leaves initializers empty, and its limits
# lack nine members. Debian has glslang's libraries as archives.
mkdir -p "$clients/include"
sed -e 's/\(VkCommandBuffer commandBuffer = {\)}/\10}/' \
  -e 's|/\* .maxMeshViewCountNV = \*/ 4,|& 256, 512, 32, 1, 1, 32, 1, 1, 4,|' /usr/include/vkFFT.h >"$clients/include/vkFFT.h"
gcc -std=gnu17 -O1 -w -I"$clients/include" -c "$root/tests/vulkan_clients/vkfft.c" -o "$clients/vkfft.o" &&
  g++ "$clients/vkfft.o" -o "$clients/vkfft" -lvulkan -lglslang -lSPIRV -lMachineIndependent -lGenericCodeGen \
    -lOSDependent -lOGLCompiler -lHLSL -lglslang-default-resource-limits -lSPIRV-Tools-opt -lSPIRV-Tools ||
  fail "VkFFT's test could not be compiled"
for size in 4 32 128; do
  echo "VkFFT at subgroup size $size"
  "$program" vulkan --subgroup-size "$size" "$clients/vkfft" Lockstep || fail "VkFFT at subgroup size $size"
done

install_packages ffmpeg
video=(-f lavfi -i testsrc2=size=96x64:rate=1:duration=1) raw=(-frames:v 1 -f rawvideo)
ffmpeg -y -loglevel error "${video[@]}" -vf format=gray "${raw[@]}" "$clients/in.raw"
for size in 4 32 128; do
  for filter in hflip_vulkan gblur_vulkan=sigma=1; do
    "$program" vulkan --subgroup-size "$size" ffmpeg -y -loglevel fatal -init_hw_device vulkan=v:0 -filter_hw_device v \
      "${video[@]}" -vf "format=gray,hwupload,$filter,hwdownload,format=gray" "${raw[@]}" "$clients/out.raw" &&
      node "$root/tests/vulkan_clients/ffmpeg.js" "$filter" "$clients/in.raw" "$clients/out.raw" 96 64 ||
      fail "FFmpeg's $filter at subgroup size $size"
  done
done

export NODE_PATH=$clients/node_modules
# from_npm NAME PACKAGE...: whether npm installs them; says what is skipped if not.
from_npm() {
  local name=$1
  shift
  npm install --silent --no-audit --no-fund --prefix "$clients" "$@" || { echo "note: $name: skipped, npm did not install $*"; return 1; }
}
# What is for the web insists on a queue for graphics, and requires subgroups of 8 where it may.
web=("$program" vulkan --graphics-stub --claim-conformance --subgroup-size-control off)
if from_npm Dawn webgpu@0.6; then
  for size in 4 32 128; do
    "${web[@]}" --subgroup-size "$size" node "$root/tests/vulkan_clients/webgpu.mjs" "$size" 2>"$clients/errors.txt" ||
      fail "Dawn at subgroup size $size" "$(cat "$clients/errors.txt")"
  done
  # The example for Python: its order of additions is fixed, so this driver gives the bits that an H100 gave.
  cp "$root"/docs/python/{webgpu_capture.mjs,prefix_sum.wgsl,values.npy} "$clients/" &&
    "${web[@]}" node "$clients/webgpu_capture.mjs" 2>"$clients/errors.txt" &&
    cmp "$clients/sums.npy" "$root/docs/python/sums.npy" ||
    fail "webgpu_capture.mjs" "$(cat "$clients/errors.txt")"
  if from_npm TensorFlow.js @tensorflow/tfjs-core@4 @tensorflow/tfjs-backend-cpu@4 @tensorflow/tfjs-backend-webgpu@4; then
    for size in 4 32 128; do
      "${web[@]}" --subgroup-size "$size" node "$root/tests/vulkan_clients/tensorflow.js" 2>"$clients/errors.txt" ||
        fail "TensorFlow.js at subgroup size $size" "$(cat "$clients/errors.txt")"
    done
  fi
fi
# What it would install besides runs on GPUs of NVIDIA.
if ONNXRUNTIME_NODE_INSTALL=skip from_npm "ONNX Runtime" onnxruntime-node@1.30; then
  for size in 4 32 64 128; do
    "${web[@]}" --subgroup-size "$size" node "$root/tests/vulkan_clients/onnxruntime.js" 2>"$clients/errors.txt" ||
      fail "ONNX Runtime at subgroup size $size" "$(cat "$clients/errors.txt")"
  done
fi
if from_npm wgpu @deno/linux-x64-glibc@2; then
  for size in 4 32 128; do
    DENO_WEBGPU_BACKEND=vulkan "${web[@]}" --subgroup-size "$size" "$clients/node_modules/@deno/linux-x64-glibc/deno" run -A \
      "$root/tests/vulkan_clients/webgpu.mjs" "$size" || fail "wgpu at subgroup size $size"
  done
fi
if from_npm ggml @node-llama-cpp/linux-x64-vulkan@3; then
  libraries=$clients/node_modules/@node-llama-cpp/linux-x64-vulkan/bins/linux-x64-vulkan
  g++ -std=c++20 -O1 "$root/tests/vulkan_clients/ggml.cpp" -o "$clients/ggml" -L"$libraries" -lggml-vulkan -lggml-base \
    -Wl,-rpath,"$libraries" -Wl,--allow-shlib-undefined || fail "ggml's test could not be compiled"
  for size in 4 32 128; do
    echo "ggml at subgroup size $size"
    # ggml takes no CPU unless told to.
    GGML_VK_VISIBLE_DEVICES=0 "$program" vulkan --subgroup-size "$size" "$clients/ggml" Lockstep 2>"$clients/errors.txt" ||
      fail "ggml at subgroup size $size" "$(cat "$clients/errors.txt")"
  done
fi
