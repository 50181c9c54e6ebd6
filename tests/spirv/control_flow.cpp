#include <catch2/catch.hpp>

#include <lockstep/spirv/shader.hpp>

#include "spirv/sizes.hpp"

using namespace lockstep;
using test::sizes;
using Uint = std::uint32_t;

namespace {

/// Runs the body of a main that computes `r` from `x`, for 150 invocations, and compares with f.
template <class F>
void check(const std::string& functions, const std::string& body, F f) {
  auto shader = Shader::from_glsl(R"(#version 460
layout(local_size_x = 50) in;
layout(set = 0, binding = 0) buffer In { uint values[]; };
layout(set = 0, binding = 1) buffer Out { uint results[]; };
)" + functions + R"(
void main() {
  uint x = values[gl_GlobalInvocationID.x];
  uint r = 0u;
)" + body + R"(
  results[gl_GlobalInvocationID.x] = r;
})");
  std::vector<Uint> in(150), out(150);
  for (Uint i = 0; i < 150; ++i) in[i] = (i * 37 + i / 7) % 23;
  for (const int size : sizes) {
    out.assign(150, 99);
    shader.bind(0, in).bind(1, out).dispatch({3}, {.subgroup_size = size, .threads = 1});
    INFO("subgroup size " << size);
    for (std::size_t i = 0; i < 150; ++i) {
      INFO("x = " << in[i]);
      REQUIRE(out[i] == f(in[i]));
    }
  }
}

}  // namespace

TEST_CASE("selections") {
  check("", "if (x > 11u) r = x * 2u; else if (x % 3u == 0u) r = 5u; if (x == 4u) r += 1u;",
        [](Uint x) {
          Uint r = x > 11 ? x * 2 : x % 3 == 0 ? 5 : 0;
          return x == 4 ? r + 1 : r;
        });
  check("", "r = x > 5u && x < 9u || x == 1u ? x : (x > 20u ? 7u : 8u);", [](Uint x) {
    return (x > 5 && x < 9) || x == 1 ? x : x > 20 ? 7u : 8u;
  });
}

TEST_CASE("loops") {
  check("", "for (uint i = 0u; i < x; ++i) r += i * i;", [](Uint x) {
    Uint r = 0;
    for (Uint i = 0; i < x; ++i) r += i * i;
    return r;
  });
  check("",
        "for (uint i = 0u; i < 10u; ++i) { if (i == x) continue; if (i > x + 4u) break; r += i + "
        "1u; }",
        [](Uint x) {
          Uint r = 0;
          for (Uint i = 0; i < 10; ++i) {
            if (i == x) continue;
            if (i > x + 4) break;
            r += i + 1;
          }
          return r;
        });
  check("", "uint n = x; do { r += n; if (n == 3u) continue; r *= 3u; } while (n-- > 2u);",
        [](Uint x) {
          Uint r = 0, n = x;
          do {
            r += n;
            if (n == 3) continue;
            r *= 3;
          } while (n-- > 2);
          return r;
        });
  check("", "while (true) { r++; if (r > x) { r += 100u; break; } if (r == 9u) break; }",
        [](Uint x) {
          Uint r = 0;
          while (true) {
            r++;
            if (r > x) {
              r += 100;
              break;
            }
            if (r == 9) break;
          }
          return r;
        });
  check("",
        "for (uint i = 0u; i < x; ++i) { for (uint k = i; k < 12u; k += 2u) { if (k == 7u) break; "
        "if ((k ^ x) == 2u) continue; r += k; } if (r > 60u) break; }",
        [](Uint x) {
          Uint r = 0;
          for (Uint i = 0; i < x; ++i) {
            for (Uint k = i; k < 12; k += 2) {
              if (k == 7) break;
              if ((k ^ x) == 2) continue;
              r += k;
            }
            if (r > 60) break;
          }
          return r;
        });
  check("", "uint n = x; while (n > 0u && n != 13u) { n /= 2u; r += n + 1u; }", [](Uint x) {
    Uint r = 0, n = x;
    while (n > 0 && n != 13) {
      n /= 2;
      r += n + 1;
    }
    return r;
  });
}

TEST_CASE("switches") {
  check(
      "",
      "switch (int(x % 8u)) { case 0: r = 1u; break; case 1: case 2: r += 10u; case 3: r += 100u; "
      "break; default: r = 5u; case 5: r += 7u; if (x > 10u) break; r *= 2u; }",
      [](Uint x) {
        Uint r = 0;
        switch (x % 8) {
          case 0:
            r = 1;
            break;
          case 1:
          case 2:
            r += 10;
            [[fallthrough]];
          case 3:
            r += 100;
            break;
          default:
            r = 5;
            [[fallthrough]];
          case 5:
            r += 7;
            if (x > 10) break;
            r *= 2;
        }
        return r;
      });
  check("",
        "for (uint i = 0u; i < 6u; ++i) { switch ((x + i) % 4u) { case 1u: if (x == 5u) { r += 9u; "
        "break; } for (uint k = 0u; k < x; ++k) if (k == 3u) break; r += 2u; break; case 3u: if (x "
        "== "
        "7u) return; r += 4u; } }",
        [](Uint x) {
          Uint r = 0;
          for (Uint i = 0; i < 6; ++i) {
            switch ((x + i) % 4) {
              case 1:
                if (x == 5) {
                  r += 9;
                  break;
                }
                r += 2;
                break;
              case 3:
                if (x == 7) return Uint{99};
                r += 4;
            }
          }
          return r;
        });
  check("",
        "for (uint i = 0u; i < 6u; ++i) { switch ((x + i) % 4u) { case 0u: continue; case 1u: r += "
        "1u; "
        "break; case 2u: if (x > 9u) break; r += 20u; } r += 300u; }",
        [](Uint x) {
          Uint r = 0;
          for (Uint i = 0; i < 6; ++i) {
            switch ((x + i) % 4) {
              case 0:
                continue;
              case 1:
                r += 1;
                break;
              case 2:
                if (x > 9) break;
                r += 20;
            }
            r += 300;
          }
          return r;
        });
}

// GLSL has no way to break out of a loop from inside a switch; other languages do.
TEST_CASE("loops are left from inside switches") {
  constexpr const char* text = R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %id %in %out
OpExecutionMode %main LocalSize 50 1 1
OpDecorate %id BuiltIn GlobalInvocationId
OpDecorate %array ArrayStride 4
OpMemberDecorate %block 0 Offset 0
OpDecorate %block Block
OpDecorate %in DescriptorSet 0
OpDecorate %in Binding 0
OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 1
%void = OpTypeVoid
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%uint3 = OpTypeVector %uint 3
%function = OpTypeFunction %void
%array = OpTypeRuntimeArray %uint
%block = OpTypeStruct %array
%pointer_block = OpTypePointer StorageBuffer %block
%pointer_uint = OpTypePointer StorageBuffer %uint
%pointer_input = OpTypePointer Input %uint3
%local = OpTypePointer Function %uint
%id = OpVariable %pointer_input Input
%in = OpVariable %pointer_block StorageBuffer
%out = OpVariable %pointer_block StorageBuffer
%c0 = OpConstant %uint 0
%c1 = OpConstant %uint 1
%c3 = OpConstant %uint 3
%c5 = OpConstant %uint 5
%c6 = OpConstant %uint 6
%c9 = OpConstant %uint 9
%c20 = OpConstant %uint 20
%c300 = OpConstant %uint 300
%c7000 = OpConstant %uint 7000
%main = OpFunction %void None %function
%start = OpLabel
%r = OpVariable %local Function
%i = OpVariable %local Function
%ids = OpLoad %uint3 %id
%n = OpCompositeExtract %uint %ids 0
%from = OpAccessChain %pointer_uint %in %c0 %n
%to = OpAccessChain %pointer_uint %out %c0 %n
%x = OpLoad %uint %from
OpStore %r %c0
OpStore %i %c0
OpBranch %loop
%loop = OpLabel
OpLoopMerge %behind %next None
OpBranch %test
%test = OpLabel
%i0 = OpLoad %uint %i
%more = OpULessThan %bool %i0 %c6
OpBranchConditional %more %body %behind
%body = OpLabel
%sum = OpIAdd %uint %x %i0
%kind = OpUMod %uint %sum %c5
OpSelectionMerge %after None
OpSwitch %kind %other 0 %leave 1 %inner 2 %skip
%skip = OpLabel
OpBranch %next
%leave = OpLabel
%r1 = OpLoad %uint %r
%r2 = OpIAdd %uint %r1 %c7000
OpStore %r %r2
OpBranch %behind
%inner = OpLabel
%low = OpBitwiseAnd %uint %x %c3
OpSelectionMerge %inner_after None
OpSwitch %low %inner_one 1 %inner_leave 2 %inner_two
%inner_leave = OpLabel
OpBranch %behind
%inner_two = OpLabel
OpReturn
%inner_one = OpLabel
%r3 = OpLoad %uint %r
%r4 = OpIAdd %uint %r3 %c1
OpStore %r %r4
OpBranch %inner_after
%inner_after = OpLabel
OpBranch %after
%other = OpLabel
%high = OpUGreaterThan %bool %x %c9
OpSelectionMerge %low_side None
OpBranchConditional %high %behind %low_side
%low_side = OpLabel
%r5 = OpLoad %uint %r
%r6 = OpIAdd %uint %r5 %c20
OpStore %r %r6
OpBranch %after
%after = OpLabel
%r7 = OpLoad %uint %r
%r8 = OpIAdd %uint %r7 %c300
OpStore %r %r8
OpBranch %next
%next = OpLabel
%i1 = OpLoad %uint %i
%i2 = OpIAdd %uint %i1 %c1
OpStore %i %i2
OpBranch %loop
%behind = OpLabel
%result = OpLoad %uint %r
OpStore %to %result
OpReturn
OpFunctionEnd
)";
  const auto expected = [](Uint x) -> Uint {
    Uint r = 0;
    for (Uint i = 0; i < 6; ++i) {
      const Uint kind = (x + i) % 5;
      if (kind == 0) return r + 7000;
      if (kind == 1) {
        if ((x & 3) == 1) return r;
        if ((x & 3) == 2) return 99;  // returns before it writes
        r += 1;
      } else if (kind == 2) {
        continue;
      } else {
        if (x > 9) return r;
        r += 20;
      }
      r += 300;
    }
    return r;
  };
  auto shader = Shader::from_assembly(text);
  std::vector<Uint> in(150), out(150);
  for (Uint i = 0; i < 150; ++i) in[i] = (i * 37 + i / 7) % 23;
  Chooser none = Chooser::rejoin_none();
  const Convergence rules[] = {{Rule::maximal, &none}, {Rule::subgroup_uniform, &none}};
  for (const int size : sizes) {
    for (const Convergence* rule :
         {static_cast<const Convergence*>(nullptr), &rules[0], &rules[1]}) {
      out.assign(150, 99);
      shader.bind(0, in).bind(1, out).dispatch(
          {3}, {.subgroup_size = size, .threads = 1, .convergence = rule});
      INFO("subgroup size " << size << (rule != nullptr ? ", tangled" : ""));
      for (std::size_t i = 0; i < 150; ++i) {
        INFO("x = " << in[i]);
        REQUIRE(out[i] == expected(in[i]));
      }
    }
  }
}

TEST_CASE("functions") {
  check(R"(
uint early(uint v, inout uint count) {
  count++;
  for (uint i = 0u; i < 9u; ++i) {
    if (i * i > v) return i;
    if (v == 12u) { count += 5u; return 77u; }
  }
  count += 50u;
  return 1000u;
}
uint twice(uint v, out uint other) {
  uint c = 0u;
  uint a = early(v, c);
  if (v > 15u) { other = 1u; return early(a + v, c) + c; }
  other = c;
  return a * 3u + early(v / 2u, c);
})",
        "uint o; r = twice(x, o) + 10000u * o; if (x == 3u) return; uint k = r; uint e = early(x + "
        "1u, k); r = e + k;",
        [](Uint x) -> Uint {
          const auto early = [](Uint v, Uint& count) -> Uint {
            count++;
            for (Uint i = 0; i < 9; ++i) {
              if (i * i > v) return i;
              if (v == 12) {
                count += 5;
                return 77;
              }
            }
            count += 50;
            return 1000;
          };
          const auto twice = [&](Uint v, Uint& other) -> Uint {
            Uint c = 0;
            const Uint a = early(v, c);
            if (v > 15) {
              other = 1;
              const Uint b = early(a + v, c);
              return b + c;
            }
            other = c;
            return a * 3 + early(v / 2, c);
          };
          Uint o = 0;
          Uint r = twice(x, o);
          r += 10000 * o;
          if (x == 3) return 99;
          const Uint more = early(x + 1, r);
          return more + r;
        });
}

TEST_CASE("an endless loop is an error that names its line") {
  auto shader = Shader::from_glsl(R"(#version 460
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Out { uint o[]; };
void main() {
  if (gl_LocalInvocationIndex > 2u)
    while (o[0] == 0u) { o[1] += 1u; }
})",
                                  {}, "endless.comp");
  std::vector<Uint> out(2);
  shader.bind(0, out);
  CHECK_THROWS_WITH(
      shader.dispatch({1}, {.subgroup_size = 8, .max_steps = 1000}),
      "endless.comp:6: the loop does not end: lanes 3-7 of subgroup 0 of workgroup (0, 0, 0) are "
      "still "
      "in it after 1000 iterations; lanes 0-2 wait at the merge of a construct around it, or have "
      "returned; if the loop waits for those lanes, it may never end: Vulkan promises no forward "
      "progress between invocations of a subgroup; if it is only long, raise max_trips "
      "(--max-steps of "
      "lockstep run)");
}
