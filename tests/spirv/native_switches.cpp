#include "spirv/native_check.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/spirv/shader.hpp>

#include "spirv/assembly.hpp"
#include "support/with_native.hpp"

/// \file
/// Switches in all their forms: those that become selections, and those that stay because cases fall through or lanes
/// leave in the middle of one.

using namespace lockstep;
using namespace lockstep::test;
using Uint = std::uint32_t;

TEST_CASE("cases of lanes that differ, of all lanes together, and of none") {
  check(R"(
  uint sum = i;
  switch (x & 7u) {
    case 5u: sum += 3u; break;
    case 0u: sum = sum * 3u + x; sum ^= sum >> 3; break;
    case 1u: case 2u: case 3u: sum ^= 77u; break;
    case 6u: if (sum > 40u) sum -= 40u; else sum *= 9u; break;
  }
  switch (limit) {
    case 39u: sum += 1u; break;
    case 40u: sum *= 7u; break;
    case 41u: sum += 2u; break;
    default: sum = 0u;
  }
  switch (limit + 5u) { case 3u: sum = 5u; break; }
  switch (x) { default: sum += 11u; }
  if (i % 5u == 2u) {
    switch (int(x % 9u) - 4) {
      default: sum ^= 0x55u; break;
      case -4: case -3: case -2: case 2: case 3: sum += 9u; break;
      case 0: sum = sum << 3 | sum >> 29; break;
      case 4: break;
    }
  }
  result[i] = sum;
)",
        [](Uint x, Uint i) {
          Uint sum = i;
          switch (x & 7) {
            case 5:
              sum += 3;
              break;
            case 0:
              sum = sum * 3 + x, sum ^= sum >> 3;
              break;
            case 1:
            case 2:
            case 3:
              sum ^= 77;
              break;
            case 6:
              sum = sum > 40 ? sum - 40 : sum * 9;
              break;
            default:
              break;
          }
          sum = sum * 7 + 11;
          if (i % 5 != 2) return sum;
          switch (static_cast<int>(x % 9) - 4) {
            case -4:
            case -3:
            case -2:
            case 2:
            case 3:
              return sum + 9;
            case 0:
              return sum << 3 | sum >> 29;
            case 4:
              return sum;
            default:
              return sum ^ 0x55;
          }
        });
}

TEST_CASE("a case may change the selector") {
  check(R"(
  uint s = x & 3u;
  switch (s) {
    case 0u: s = 1u; break;
    case 1u: s = 2u; break;
    case 2u: s = 3u; break;
    default: s = 0u;
  }
  result[i] = s * 3u + i;
)",
        [](Uint x, Uint i) { return ((x & 3) + 1) % 4 * 3 + i; });
}

TEST_CASE("selectors of 16 and 64 bits") {
  std::string text = one_buffer({.declarations = R"(
%ushort = OpTypeInt 16 0
%ulong = OpTypeInt 64 0
%nibble = OpConstant %uint 28
%wide_nibble = OpConstant %ulong 28
%two = OpConstant %uint 2
%nine = OpConstant %uint 9
%many = OpConstant %uint 70000
)",
                                 .body = R"(
%wide = OpUConvert %ulong %i
%large = OpShiftLeftLogical %ulong %wide %wide_nibble
OpSelectionMerge %middle None
OpSwitch %large %middle 0x20000000 %second 0x30000000 %later 0x70000000 %later
%second = OpLabel
OpStore %place %two
OpBranch %middle
%later = OpLabel
OpStore %place %nine
OpBranch %middle
%middle = OpLabel
%high = OpIMul %uint %i %many
%short = OpUConvert %ushort %high
%before = OpLoad %uint %place
OpSelectionMerge %after None
OpSwitch %short %else 0 %none 4464 %one 8928 %one 13392 %one
%none = OpLabel
OpBranch %after
%one = OpLabel
%more = OpIAdd %uint %before %many
OpStore %place %more
OpBranch %after
%else = OpLabel
%other = OpIAdd %uint %before %nibble
OpStore %place %other
OpBranch %after
%after = OpLabel
)"});
  text.replace(0, std::string("OpCapability Shader").size(),
               "OpCapability Shader\nOpCapability Int16\nOpCapability Int64");
  for (const spirv::Target target : native_targets()) {
    const WithNative native(target);
    for (const int size : {1, 4, 8}) {
      std::vector<Uint> out(8);
      Shader::from_assembly(text).bind(0, out).dispatch({1}, {.subgroup_size = size});
      CHECK(out == std::vector<Uint>{0, 70000, 70002, 70009, 28, 28, 28, 37});
    }
  }
}

TEST_CASE("lanes continue, break out of the loop around and return from inside a switch") {
  check(R"(
  uint sum = x;
  for (uint k = 0u; k < 9u + (limit & 1u); ++k) {
    switch ((sum + k) % 6u) {
      case 0u: sum = sum * 5u + k; continue;
      case 1u: sum ^= x >> k; break;
      case 2u: if ((sum & 64u) != 0u) { sum += 3u; continue; } sum -= 7u; break;
      case 3u:
        for (uint n = 0u; n < 3u; ++n) { if ((sum & 8u) != 0u) break; sum += n + 1u; }
        break;
      case 4u: if (k > 6u) { result[i] = sum + 5u; return; } sum += k; break;
      default: sum += 1u;
    }
    switch (sum & 15u) {
      case 3u: sum += 100u; break;
      default:
        switch (sum % 5u) {
          case 0u: sum = sum * 3u + 1u; break;
          case 1u: if ((sum & 32u) != 0u) break; sum += 17u; break;
          case 2u: sum ^= 3u; break;
        }
    }
    sum = sum * 3u + (sum >> 7);
  }
  result[i] = sum;
)",
        [](Uint x, Uint i) {
          Uint sum = x;
          for (Uint k = 0; k < 9; ++k) {
            switch ((sum + k) % 6) {
              case 0:
                sum = sum * 5 + k;
                continue;
              case 1:
                sum ^= x >> k;
                break;
              case 2:
                if ((sum & 64) != 0) {
                  sum += 3;
                  continue;
                }
                sum -= 7;
                break;
              case 3:
                for (Uint n = 0; n < 3 && (sum & 8) == 0; ++n) sum += n + 1;
                break;
              case 4:
                if (k > 6) return sum + 5;
                sum += k;
                break;
              default:
                sum += 1;
            }
            if ((sum & 15) == 3) {
              sum += 100;
            } else {
              switch (sum % 5) {
                case 0:
                  sum = sum * 3 + 1;
                  break;
                case 1:
                  sum += (sum & 32) != 0 ? 0u : 17u;
                  break;
                case 2:
                  sum ^= 3;
                  break;
                default:
                  break;
              }
            }
            sum = sum * 3 + (sum >> 7);
          }
          static_cast<void>(i);
          return sum;
        });
}

TEST_CASE("lanes leave a loop through switches, of which some stay") {
  // A loop's condition in a switch is what leaves two constructs at once.
  check(R"(
  uint sum = x;
  bool goes = true;
  for (uint k = 0u; goes && k < 20u; ++k) {
    switch (sum & 3u) {
      case 0u:
        switch (sum >> 2 & 3u) {
          case 0u: sum += 5u;
          case 1u: sum = sum * 3u; if (k > 4u) { sum ^= 9u; continue; } break;
          case 2u: sum += 2u; break;
          default: if (k > 7u) { goes = false; break; } sum ^= 6u; break;
        }
        sum += 1u;
        break;
      case 1u: sum = sum * 7u + k; break;
      case 2u: sum ^= sum >> 5; sum += 3u; break;
      default: sum -= k; if ((sum & 16u) == 0u) continue; sum += 1u; break;
    }
    sum ^= k;
  }
  result[i] = sum + i;
)",
        [](Uint x, Uint i) {
          Uint sum = x;
          bool goes = true;
          for (Uint k = 0; goes && k < 20; ++k) {
            switch (sum & 3) {
              case 0: {
                const Uint inner = sum >> 2 & 3;
                if (inner == 0) sum += 5;
                if (inner <= 1) {
                  sum = sum * 3;
                  if (k > 4) {
                    sum ^= 9;
                    continue;
                  }
                } else if (inner == 2) {
                  sum += 2;
                } else if (k > 7) {
                  goes = false;
                } else {
                  sum ^= 6;
                }
                sum += 1;
                break;
              }
              case 1:
                sum = sum * 7 + k;
                break;
              case 2:
                sum ^= sum >> 5, sum += 3;
                break;
              default:
                sum -= k;
                if ((sum & 16) == 0) continue;
                sum += 1;
            }
            sum ^= k;
          }
          return sum + i;
        });
}
