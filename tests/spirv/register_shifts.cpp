#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/exec/error.hpp>
#include <lockstep/spirv/reflection.hpp>
#include <lockstep/spirv/shader.hpp>

#include "shader/front/hlsl_patch.hpp"
#include "support/directory.hpp"

/// \file
/// HLSL counts the registers of each class from 0; a Vulkan binding has no class.

using lockstep::ModuleOptions;
using lockstep::Reflection;
using lockstep::Shader;
using lockstep::test::Directory;

namespace {

std::string patched(const std::string& text) { return lockstep::spirv::patch_hlsl(text, {}); }

/// Set, binding and register of what has the name.
struct RegisterPlace {
  std::uint32_t set, binding;
  std::string hlsl_register;

  friend bool operator==(const RegisterPlace&, const RegisterPlace&) = default;
};
RegisterPlace place_of(const lockstep::Module& module, const std::string& name) {
  for (const Reflection::Binding& b : lockstep::reflect(module).bindings) {
    if (b.name == name) return {b.set, b.binding, b.hlsl_register};
  }
  FAIL("there is no " << name);
  return {};
}

const std::string doubling_in_hlsl =
    "StructuredBuffer<uint> src : register(t0);\n"
    "RWStructuredBuffer<uint> dst : register(u0);\n"
    "[numthreads(4,1,1)] void main(uint3 i : SV_DispatchThreadID) { dst[i.x] = src[i.x] * 2; }\n";

}  // namespace

TEST_CASE("t0 and u0 of HLSL are two buffers") {
  const lockstep::Module module = lockstep::Module::from_hlsl(doubling_in_hlsl);
  CHECK(place_of(module, "src") == RegisterPlace{0, 1000, "t0"});
  CHECK(place_of(module, "dst") == RegisterPlace{0, 3000, "u0"});
  for (const int size : {1, 3, 4, 32, 128}) {
    std::vector<std::uint32_t> src(8), dst(8, 0xdead), expected(8);
    for (std::uint32_t k = 0; k < 8; ++k) {
      src[k] = k * 0x10000001u + 5;
      expected[k] = src[k] * 2;
    }
    const std::vector<std::uint32_t> before = src;
    Shader::from_module(module).bind(1000, src).bind(3000, dst).dispatch({2},
                                                                         {.subgroup_size = size});
    CHECK(dst == expected);
    CHECK(src == before);
  }
}

TEST_CASE("shifts of registers can be chosen") {
  ModuleOptions options;
  options.registers = {.b = 7, .t = 10, .s = 20, .u = 30};
  const lockstep::Module module = lockstep::Module::from_hlsl(
      "cbuffer Numbers : register(b1) { uint count; };\n"
      "StructuredBuffer<uint> src : register(t2);\n"
      "RWStructuredBuffer<uint> dst : register(u3);\n"
      "[numthreads(1,1,1)] void main() { dst[0] = src[count]; }\n",
      options);
  CHECK(place_of(module, "Numbers") == RegisterPlace{0, 8, "b1"});
  CHECK(place_of(module, "src") == RegisterPlace{0, 12, "t2"});
  CHECK(place_of(module, "dst") == RegisterPlace{0, 33, "u3"});
}

TEST_CASE("every class has bindings of its own, and a space is a set") {
  const lockstep::Module module = lockstep::Module::from_hlsl(
      "cbuffer Numbers : register(b0) { float4 where; };\n"
      "Texture2D<float4> picture : register(t0);\n"
      "SamplerState how : register(s0);\n"
      "RWTexture2D<float4> made : register(u0);\n"
      "StructuredBuffer<uint> far : register( T5 , space2 );\n"
      "[numthreads(1,1,1)] void main() {\n"
      "  made[uint2(0, 0)] = picture.SampleLevel(how, where.xy, 0) + far[0];\n}\n");
  CHECK(place_of(module, "Numbers") == RegisterPlace{0, 0, "b0"});
  CHECK(place_of(module, "picture") == RegisterPlace{0, 1000, "t0"});
  CHECK(place_of(module, "how") == RegisterPlace{0, 2000, "s0"});
  CHECK(place_of(module, "made") == RegisterPlace{0, 3000, "u0"});
  CHECK(place_of(module, "far") == RegisterPlace{2, 1005, "t5"});
}

TEST_CASE("a [[vk::binding]] is what it says") {
  const lockstep::Module module = lockstep::Module::from_hlsl(
      "[[vk::binding(3, 1)]] StructuredBuffer<uint> src : register(t0);\n"
      "[[vk::binding(2)]] RWStructuredBuffer<uint> dst;\n"
      "[numthreads(1,1,1)] void main() { dst[0] = src[0]; }\n");
  CHECK(place_of(module, "src") == RegisterPlace{1, 3, ""});
  CHECK(place_of(module, "dst") == RegisterPlace{0, 2, ""});
}

TEST_CASE("registers of included files count, too") {
  const Directory directory;
  directory.write("buffers.hlsli",
                  "StructuredBuffer<uint> src : register(t0);\n"
                  "RWStructuredBuffer<uint> dst : register(u0);\n");
  const std::string path = directory.write(
      "main.hlsl",
      "#include \"buffers.hlsli\"\n[numthreads(1,1,1)] void main() { dst[0] = src[0]; }\n");
  for (const std::string compiler : {"", "glslangValidator"}) {
    ModuleOptions options;
    options.compiler = compiler;
    if (!compiler.empty()) {
      // Of another compiler the file itself alone is rewritten, so these share a binding.
      CHECK_THROWS_WITH(Shader::from_module(lockstep::Module::load(path, options)),
                        Catch::Contains("'dst' and 'src' are both at set 0, binding 0"));
      continue;
    }
    const lockstep::Module module = lockstep::Module::load(path, options);
    CHECK(place_of(module, "src") == RegisterPlace{0, 1000, "t0"});
    CHECK(place_of(module, "dst") == RegisterPlace{0, 3000, "u0"});
  }
}

TEST_CASE("registers that a macro hides share a binding, which is an error") {
  const std::string text =
      "#define READ register(t0)\n#define IN t0\n#define OUT u0\n"
      "StructuredBuffer<uint> src : register(IN);\n"
      "RWStructuredBuffer<uint> dst : register(OUT);\n"
      "[numthreads(1,1,1)] void main() { dst[0] = src[0]; }\n";
  CHECK_THROWS_WITH(
      Shader::from_module(lockstep::Module::from_hlsl(text)),
      Catch::Contains("shader.hlsl") &&
          Catch::Contains("'dst' and 'src' are both at set 0, binding 0, but HLSL counts its "
                          "registers t and u separately: give each a [[vk::binding]]"));
}

TEST_CASE("resources of different kinds cannot share a binding") {
  const auto shader = [](const std::string& body) {
    return lockstep::Module::from_glsl(
        "#version 450\nlayout(binding = 0) buffer A { uint a; };\n"
        "layout(binding = 0) uniform B { uint b; };\nlayout(binding = 0) buffer C { uint c[]; };\n"
        "void main() { " +
        body + " }\n");
  };
  CHECK_THROWS_WITH(Shader::from_module(shader("a = b;")),
                    Catch::Contains("are both at set 0, binding 0, but one is a storage buffer and "
                                    "the other a uniform buffer: give each a binding of its own"));
  // What no code uses may be anywhere, and a buffer may have two declarations.
  std::vector<std::uint32_t> words{1, 2};
  Shader::from_module(shader("a = c[1];")).bind(0, words).dispatch({1});
  CHECK(words == std::vector<std::uint32_t>{2, 2});
}

TEST_CASE("registers are rewritten where they are, and nothing else is") {
  CHECK(patched("a : register(t0);\nb : register ( u12 , space1 );") ==
        "a : register(t1000);\nb : register ( u3012 , space1 );");
  for (const std::string text :
       {"// register(t0)", "/* register(t0) */ x", "int myregister(t0);", "int register_(t0);",
        "a : register(NAME)", "a : register(t##n)", "a : register(c3)", "a : register(t)",
        "register", "register(", "register(t4294967296)", "", "register t0"})
    CHECK(patched(text) == text);
}

TEST_CASE("a plain variable with vk::push_constant is a block of push constants") {
  const std::string text =
      "struct S { uint a; uint b; };\n[[vk::push_constant]] S pc;\n"
      "[[vk::binding(0)]] RWStructuredBuffer<uint> dst;\n"
      "[numthreads(1,1,1)] void main() { dst[0] = pc.a * 10 + pc.b; }\n";
  const lockstep::Module module = lockstep::Module::from_hlsl(text);
  REQUIRE(lockstep::reflect(module).push_constants);
  CHECK(lockstep::reflect(module).push_constants->size == 8);
  CHECK(lockstep::reflect(module).bindings.size() == 1);
  std::vector<std::uint32_t> dst(1);
  const std::array<std::uint32_t, 2> constants{4, 2};
  Shader::from_module(module).bind(0, dst).push(constants).dispatch({1});
  CHECK(dst[0] == 42);
  for (const std::string same : {"[[vk::push_constant]] cbuffer B { uint a; }",
                                 "[[vk::push_constant]] ConstantBuffer<S> pc;"})
    CHECK(patched(same) == same);
}
