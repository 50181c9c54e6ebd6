#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/dispatch/image.hpp>
#include <lockstep/exec/checks.hpp>
#include <lockstep/spirv/module.hpp>
#include <lockstep/spirv/shader.hpp>

/// \file
/// HLSL computes both sides of `?:` and `&&`; a load whose value is discarded may be outside memory.

using namespace lockstep;

using Uint = std::uint32_t;

namespace {

constexpr Uint elements_inside = 21, all_lanes = 48;

/// Of 21 elements: in t0 numbers, in t1 numbers below 21.
std::vector<Uint> numbers() {
  std::vector<Uint> out;
  for (Uint k = 0; k < elements_inside; ++k) out.push_back(k * 7 + 3);
  return out;
}
std::vector<Uint> indices() {
  std::vector<Uint> out;
  for (Uint k = 0; k < elements_inside; ++k) out.push_back(k * 5 % elements_inside);
  return out;
}

std::string shader_of(const std::string& statements) {
  return "StructuredBuffer<uint> a : register(t0);\n"
         "StructuredBuffer<uint> b : register(t1);\n"
         "RWStructuredBuffer<uint> result : register(u0);\n"
         "[numthreads(16, 1, 1)] void main(uint3 id : SV_DispatchThreadID) {\n"
         "  uint i = id.x, n = 21;\n" +
         statements + "\n}\n";
}

struct Outcome {
  std::vector<Uint> result = std::vector<Uint>(all_lanes, 77);
  std::string findings;
};
Outcome run(const std::string& statements, const DispatchSettings& settings) {
  Shader shader = Shader::from_module(Module::from_hlsl(shader_of(statements)));
  std::vector<Uint> a = numbers(), b = indices();
  Outcome out;
  if (statements.find("a[") != std::string::npos) shader.bind(1000, a);
  if (statements.find("b[") != std::string::npos) shader.bind(1001, b);
  shader.bind(3000, out.result);
  out.findings = to_string(shader.dispatch({all_lanes / 16}, settings).findings);
  return out;
}

/// The statements give what the plain function does, with nothing found, on all machines.
template <class F>
void check_all(const std::string& statements, F expected) {
  std::vector<Uint> all;
  for (Uint i = 0; i < all_lanes; ++i) all.push_back(expected(i));
  Chooser none = Chooser::rejoin_none();
  const Convergence core{Rule::core, &none};
  for (const int size : {1, 3, 4, 16, 32, 128}) {
    const DispatchSettings ways[] = {{.subgroup_size = size},
                                     {.subgroup_size = size, .checks = Checks::all()},
                                     {.subgroup_size = size, .convergence = &core}};
    for (const DispatchSettings& settings : ways) {
      INFO(statements << " at " << size);
      const Outcome outcome = run(statements, settings);
      CHECK(outcome.findings == "no findings");
      CHECK(outcome.result == all);
    }
  }
}

}  // namespace

TEST_CASE("a load that ?: discards is not outside memory") {
  const std::vector<Uint> a = numbers(), b = indices();
  check_all("result[i] = i < n ? a[i] : 5;",
            [&](Uint i) { return i < elements_inside ? a[i] : 5; });
  check_all("result[i] = i >= n ? 5 : a[i] * 2 + a[n - 1 - i];", [&](Uint i) {
    return i >= elements_inside ? 5 : a[i] * 2 + a[elements_inside - 1 - i];
  });
  check_all("result[i] = i < n ? a[b[i]] : i;",
            [&](Uint i) { return i < elements_inside ? a[b[i]] : i; });
  check_all("result[i] = i < n ? (i > 3 ? a[i - 4] : 1) : 2;", [&](Uint i) {
    return i >= elements_inside ? 2 : i > 3 ? a[i - 4] : 1;
  });
}

TEST_CASE("a load after && or || of the other outcome is not outside memory") {
  const std::vector<Uint> a = numbers();
  check_all("bool big = i < n && a[i] > 40; result[i] = big ? 1 : 0;",
            [&](Uint i) { return Uint{i < elements_inside && a[i] > 40}; });
  check_all("bool big = i >= n || a[i] > 40; result[i] = big ? 1 : 0;",
            [&](Uint i) { return Uint{i >= elements_inside || a[i] > 40}; });
  check_all("if (i < n && i > 2 && a[i - 3] != 10) result[i] = 1; else result[i] = 0;",
            [&](Uint i) { return Uint{i < elements_inside && i > 2 && a[i - 3] != 10}; });
}

TEST_CASE("loads in loops and of the lanes' own arrays are discarded, too") {
  const std::vector<Uint> a = numbers();
  check_all(
      "uint sum = 0;\n"
      "for (uint k = 0; k < 4 + i % 3; ++k) sum += i + k < n ? a[i + k] : k;\n"
      "result[i] = sum;",
      [&](Uint i) {
        Uint sum = 0;
        for (Uint k = 0; k < 4 + i % 3; ++k) sum += i + k < elements_inside ? a[i + k] : k;
        return sum;
      });
  check_all("uint t[4] = {i, 2, 3, i * i}; result[i] = i < 4 ? t[i] : 8;", [](Uint i) {
    const Uint t[4] = {i, 2, 3, i * i};
    return i < 4 ? t[i] : 8;
  });
}

TEST_CASE("a load before the condition that discards it is not outside memory") {
  const std::vector<Uint> a = numbers(), b = indices();
  check_all("uint v = a[i]; result[i] = i < n ? v : 5;",
            [&](Uint i) { return i < elements_inside ? a[i] : 5; });
  check_all("uint v = a[i] * 2; bool late = !(i >= n); result[i] = late ? v + 1 : i;",
            [&](Uint i) { return i < elements_inside ? a[i] * 2 + 1 : i; });
  check_all("uint v = a[i], r = 7; if (i < n) r = v; result[i] = r;",
            [&](Uint i) { return i < elements_inside ? a[i] : 7; });
  check_all("uint v = a[i], r = 7; if (i > 30) r = 9; else if (i < n) r = v + 1; result[i] = r;",
            [&](Uint i) { return i > 30                ? 9
                                 : i < elements_inside ? a[i] + 1
                                                       : 7; });
  check_all("uint v = a[i]; if (i >= n) { result[i] = 3; return; } result[i] = v;",
            [&](Uint i) { return i < elements_inside ? a[i] : 3; });
  check_all("uint w = b[i]; uint v = a[w]; result[i] = 4; if (i < n && w > 2) result[i] = v;",
            [&](Uint i) { return i < elements_inside && b[i] > 2 ? a[b[i]] : 4; });
  check_all(
      "uint sum = 0;\n"
      "for (uint k = 0; k < 6; ++k) {\n"
      "  uint v = a[i + k];\n"
      "  if (i + k >= n) { if (k == 4) break; continue; }\n"
      "  sum += v;\n"
      "}\n"
      "result[i] = sum;",
      [&](Uint i) {
        Uint sum = 0;
        for (Uint k = 0; k < 6; ++k) {
          if (i + k < elements_inside)
            sum += a[i + k];
          else if (k == 4)
            break;
        }
        return sum;
      });
}

TEST_CASE("in WGSL a load that select() discards is not outside memory") {
  const Module glsl = Module::from_glsl(
      "#version 450\nlayout(local_size_x = 16) in;\n"
      "layout(binding = 0) buffer A { uint a[]; };\n"
      "layout(binding = 1) buffer Result { uint result[]; };\n"
      "void main() {\n  uint i = gl_GlobalInvocationID.x;\n"
      "  result[i] = mix(5u, a[i], i < 21u);\n}\n");
  // Khronos' registry of generators; naga writes its number alone.
  constexpr Uint glslang = 8 << 16, tint = 23 << 16, naga = 28;
  for (const Uint generator : {glslang, tint, naga, naga << 16}) {
    std::vector<Uint> words(glsl.words().begin(), glsl.words().end());
    words[2] = generator;
    Shader shader = Shader::from_module(Module::from_words(words));
    std::vector<Uint> a = numbers(), result(all_lanes, 77);
    shader.bind(0, a).bind(1, result);
    const ShaderRun run = shader.dispatch({all_lanes / 16}, {.checks = Checks::all()});
    INFO(generator << ": " << to_string(run.findings));
    CHECK((run.findings.count() > 0) == (generator == glslang));
    for (Uint i = 0; i < all_lanes; ++i) CHECK(result[i] == (i < elements_inside ? a[i] : 5));
  }
}

TEST_CASE("a load for another lane that discards it is not outside memory") {
  const std::vector<Uint> a = numbers();
  for (const int size : {1, 3, 4, 16, 32, 128}) {
    const auto check = [&](const std::string& statements, const auto& expected) {
      INFO(statements << " at " << size);
      const Outcome outcome = run(statements, {.subgroup_size = size, .checks = Checks::all()});
      CHECK(outcome.findings == "no findings");
      for (Uint i = 0; i < all_lanes; ++i) CHECK(outcome.result[i] == expected(i));
    };
    const auto lanes = static_cast<Uint>(size);
    // The first subgroup has none before it. Each workgroup has 16 invocations.
    const auto before = [&](Uint i, Uint skipped) {
      const Uint first = i % 16 / lanes * lanes;
      return first == 0 ? skipped : a[first - 1];
    };
    const std::string index = "uint k = i % 16;\n";
    check(index + "result[i] = k >= WaveGetLaneCount() ? WaveReadLaneAt(a[k - 1], 0) : 7;",
          [&](Uint i) { return before(i, 7); });
    check(
        index + "uint v = WaveReadLaneFirst(a[k - 1]); result[i] = k / WaveGetLaneCount() ? v : 8;",
        [&](Uint i) { return before(i, 8); });
    // Each lane asks another one, which discards its own.
    check(index + "result[i] = k % WaveGetLaneCount() == 0 ? WaveReadLaneAt(a[i % 21], 0) : 1;",
          [&](Uint i) { return i % 16 % lanes == 0 ? a[i % elements_inside] : 1; });
    check(index +
              "uint last = min(WaveGetLaneCount(), 16 - k / WaveGetLaneCount() * "
              "WaveGetLaneCount()) - 1;\n"
              "uint v = WaveReadLaneAt(a[i % 21], last);\n"
              "result[i] = k % WaveGetLaneCount() == 0 ? v : 1;",
          [&](Uint i) {
            const Uint first = i % 16 / lanes * lanes;
            const Uint last = i - i % 16 + std::min(first + lanes, 16u) - 1;
            return i % 16 == first ? a[last % elements_inside] : 1;
          });
  }
}

TEST_CASE("a load for lanes that left is needed where another lane's condition holds") {
  // Half of the lanes load in one tangle, the others in another; all exchange afterwards.
  const std::vector<Uint> a = numbers();
  const Outcome outcome =
      run("uint v = 0;\n"
          "[loop] for (uint k = 0; k <= i % 2; ++k) v = a[(i + k) % n];\n"
          "bool odd = i % 2 == 1;\n"
          "uint other = WaveReadLaneAt(v, (i % 16) ^ 1);\n"
          "result[i] = odd ? other : 5;",
          {.subgroup_size = 16, .checks = Checks::all()});
  CHECK(outcome.findings == "no findings");
  for (Uint i = 0; i < all_lanes; ++i)
    CHECK(outcome.result[i] == (i % 2 == 1 ? a[(i - 1) % elements_inside] : 5));
}

TEST_CASE("a load of an earlier iteration is not discarded by this one's condition") {
  const std::vector<Uint> a = numbers();
  // The value that is added was loaded where the condition was false.
  check_all(
      "uint v = 0, sum = 0;\n"
      "for (uint k = 0; k < 6; ++k) {\n"
      "  bool odd = (k + i) % 2 == 1;\n"
      "  if (k % 3 == 0) v = a[(i + k) % n];\n"
      "  if (odd) sum += v;\n"
      "}\n"
      "result[i] = sum;",
      [&](Uint i) {
        Uint v = 0, sum = 0;
        for (Uint k = 0; k < 6; ++k) {
          if (k % 3 == 0) v = a[(i + k) % elements_inside];
          if ((k + i) % 2 == 1) sum += v;
        }
        return sum;
      });
  check_all(
      "uint v = 1, sum = 0;\n"
      "for (uint k = 0; k < 5; ++k) {\n"
      "  uint before = v;\n"
      "  bool low = (k ^ i) % 3 != 0;\n"
      "  v = a[(i * 3 + k) % n];\n"
      "  sum += low ? before : v;\n"
      "  if (!low) sum += before * 2;\n"
      "}\n"
      "result[i] = sum;",
      [&](Uint i) {
        Uint v = 1, sum = 0;
        for (Uint k = 0; k < 5; ++k) {
          const Uint before = v;
          const bool low = (k ^ i) % 3 != 0;
          v = a[(i * 3 + k) % elements_inside];
          sum += low ? before : v;
          if (!low) sum += before * 2;
        }
        return sum;
      });
}

TEST_CASE("lanes that discard a load stay with the others") {
  check_all(
      "if (i % 16 != 7) { uint v = i < n ? a[i] : 5; result[i] = v + WaveActiveSum(1) * 0; }"
      "else result[i] = 1;",
      [a = numbers()](Uint i) { return i % 16 == 7           ? 1
                                       : i < elements_inside ? a[i]
                                                             : 5; });
  // Nothing is promised after a real selection here, so each of its sides would count its own lanes.
  Chooser none = Chooser::rejoin_none();
  const Convergence core{Rule::core, &none};
  const Outcome outcome = run(
      "result[i] = 0;\n"
      "if (i % 16 != 7) { uint v = i < n ? a[i] : 5; result[i] = WaveActiveCountBits(v != 0); }",
      {.subgroup_size = 16, .convergence = &core});
  for (Uint i = 0; i < all_lanes; ++i) CHECK(outcome.result[i] == (i % 16 == 7 ? 0 : 15));
}

TEST_CASE("a load whose value is needed is outside memory") {
  for (const std::string statements :
       {"result[i] = a[i];", "result[i] = a[i] + (i < n ? a[i] : 0);",
        "uint v = a[i]; result[i] = (i < n ? v : 0) + v;", "result[i] = i < n + 1 ? a[i] : 0;",
        "result[i] = i < n ? 0 : a[i];", "bool big = i < n || a[i] > 40; result[i] = big ? 1 : 0;",
        "uint v = a[i]; if (i > n) result[i] = 1; else result[i] = v;",
        "uint v = a[i]; if (i < n) result[i] = v; result[i] += v;",
        "uint v = a[i]; bool c = v > 3; if (c) result[i] = v;",
        "uint v = WaveReadLaneAt(a[i], 5); result[i] = i == 16 ? v : 1;",
        "uint v = a[i]; bool c = i < n; if (i == 2) c = true; if (c || i == n) result[i] = v;"}) {
    INFO(statements);
    CHECK_THAT(
        run(statements, {.subgroup_size = 16}).findings,
        Catch::Contains("read of element 21 of a") || Catch::Contains("read of byte 84 of a"));
  }
}

TEST_CASE("a load that two uses need in different lanes happens in all of them") {
  const std::vector<Uint> a = numbers();
  check_all("uint x = a[i % n], y = x * 2; result[i] = (i < 5 ? x : 7) + y;", [&](Uint i) {
    const Uint x = a[i % elements_inside];
    return (i < 5 ? x : 7) + x * 2;
  });
  check_all("uint x = a[i % n]; result[i] = (i < 5 ? x : 7) + (i > 9 ? x : 9);", [&](Uint i) {
    const Uint x = a[i % elements_inside];
    return (i < 5 ? x : 7) + (i > 9 ? x : 9);
  });
}

TEST_CASE("only a module of HLSL discards loads") {
  const auto findings_of = [](const std::string& source) {
    Shader shader = Shader::from_assembly(R"(
      OpCapability Shader
      OpMemoryModel Logical GLSL450
      OpEntryPoint GLCompute %main "main" %index
      OpExecutionMode %main LocalSize 16 1 1
      )" + source + R"(
      OpDecorate %index BuiltIn LocalInvocationIndex
      OpDecorate %array ArrayStride 4
      OpDecorate %block BufferBlock
      OpMemberDecorate %block 0 Offset 0
      OpDecorate %data DescriptorSet 0
      OpDecorate %data Binding 0
      OpDecorate %out DescriptorSet 0
      OpDecorate %out Binding 1
      %void = OpTypeVoid
      %uint = OpTypeInt 32 0
      %bool = OpTypeBool
      %array = OpTypeRuntimeArray %uint
      %block = OpTypeStruct %array
      %of_block = OpTypePointer Uniform %block
      %of_uint = OpTypePointer Uniform %uint
      %input = OpTypePointer Input %uint
      %type = OpTypeFunction %void
      %zero = OpConstant %uint 0
      %ten = OpConstant %uint 10
      %data = OpVariable %of_block Uniform
      %out = OpVariable %of_block Uniform
      %index = OpVariable %input Input
      %main = OpFunction %void None %type
      %start = OpLabel
      %i = OpLoad %uint %index
      %less = OpULessThan %bool %i %ten
      %from = OpAccessChain %of_uint %data %zero %i
      %loaded = OpLoad %uint %from
      %chosen = OpSelect %uint %less %loaded %ten
      %to = OpAccessChain %of_uint %out %zero %i
      OpStore %to %chosen
      OpReturn
      OpFunctionEnd)");
    std::vector<Uint> data(10, 3), out(16);
    shader.bind(0, data).bind(1, out);
    const std::string found = to_string(shader.dispatch({1}, {.subgroup_size = 8}).findings);
    for (std::size_t i = 0; i < 16; ++i) CHECK(out[i] == (i < 10 ? 3u : 10u));
    return found;
  };
  CHECK_THAT(findings_of(""), Catch::Contains("out-of-bounds"));
  CHECK_THAT(findings_of("OpSource GLSL 460"), Catch::Contains("out-of-bounds"));
  CHECK(findings_of("OpSource HLSL 600") == "no findings");
}
