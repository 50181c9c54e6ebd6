#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <lockstep/spirv/shader.hpp>

#include "assembly.hpp"

/// \file
/// All instructions of SPV_KHR_integer_dot_product, on packed numbers and on vectors, against plain loops.

using namespace lockstep;

using Uint = std::uint32_t;

namespace {

using Wide = std::int64_t;

/// What the operands are.
struct Operands {
  const char* name;
  const char* vector;  ///< the type of the vectors; empty: packed
  int bits, count;     ///< of a component, and components
};
constexpr Operands all_operands[] = {
    {"packed", "", 8, 4}, {"bytes", "%bytes", 8, 4}, {"shorts", "%shorts", 16, 2}};

struct Instruction {
  const char* opcode;
  bool left_signed, right_signed, accumulates;
};
constexpr Instruction instructions[] = {
    {"OpSDotKHR", true, true, false},        {"OpUDotKHR", false, false, false},
    {"OpSUDotKHR", true, false, false},      {"OpSDotAccSatKHR", true, true, true},
    {"OpUDotAccSatKHR", false, false, true}, {"OpSUDotAccSatKHR", true, false, true}};

std::string module_of(const Instruction& instruction, const Operands& operands, Uint accumulator) {
  const std::string result = instruction.left_signed ? "%int" : "%uint";
  std::string body = R"(%more = OpIAdd %uint %i %one
%x = OpIMul %uint %more %factor
%y = OpIMul %uint %x %factor
)";
  std::string x = "%x", y = "%y";
  if (*operands.vector != '\0') {
    body += "%left = OpBitcast " + std::string(operands.vector) + " %x\n";
    body += "%right = OpBitcast " + std::string(operands.vector) + " %y\n";
    x = "%left";
    y = "%right";
  }
  body += "%dot = " + std::string(instruction.opcode) + " " + result + " " + x + " " + y;
  if (instruction.accumulates) body += " %start";
  if (*operands.vector == '\0') body += " PackedVectorFormat4x8BitKHR";
  body += "\n%bits = OpBitcast %uint %dot\nOpStore %place %bits\n";
  const std::string start = instruction.left_signed
                                ? std::to_string(static_cast<std::int32_t>(accumulator))
                                : std::to_string(accumulator);
  std::string module = test::one_buffer({.declarations = R"(%int = OpTypeInt 32 1
%byte = OpTypeInt 8 0
%short = OpTypeInt 16 0
%bytes = OpTypeVector %byte 4
%shorts = OpTypeVector %short 2
%one = OpConstant %uint 1
%factor = OpConstant %uint 2654435769
%start = OpConstant )" + result + " " + start + "\n",
                                         .body = body});
  const std::string first = "OpCapability Shader\n";
  module.insert(first.size(), R"(OpCapability Int8
OpCapability Int16
OpCapability DotProductKHR
OpCapability DotProductInputAllKHR
OpCapability DotProductInput4x8BitKHR
OpCapability DotProductInput4x8BitPackedKHR
OpExtension "SPV_KHR_integer_dot_product"
)");
  return module;
}

/// Component k of a number, which is as many bits of it.
Wide component(Uint number, int k, int bits, bool is_signed) {
  const Uint value = number >> (k * bits) & ((1u << bits) - 1);
  return is_signed && (value >> (bits - 1)) != 0 ? Wide{value} - (Wide{1} << bits) : Wide{value};
}

/// The bits of the result.
Uint expected(const Instruction& instruction, const Operands& operands, Uint x, Uint y,
              Uint accumulator) {
  Wide sum = 0;
  for (int k = 0; k < operands.count; ++k)
    sum += component(x, k, operands.bits, instruction.left_signed) *
           component(y, k, operands.bits, instruction.right_signed);
  if (!instruction.accumulates) return static_cast<Uint>(sum);
  if (!instruction.left_signed)
    return static_cast<Uint>(std::min<Wide>(sum + accumulator, 0xffffffff));
  sum += static_cast<std::int32_t>(accumulator);
  return static_cast<Uint>(std::clamp<Wide>(sum, std::numeric_limits<std::int32_t>::min(),
                                            std::numeric_limits<std::int32_t>::max()));
}

/// Whether the products and their sum fit 32 bits: otherwise nothing is defined.
bool is_defined(const Instruction& instruction, const Operands& operands, Uint x, Uint y) {
  Wide sum = 0;
  for (int k = 0; k < operands.count; ++k)
    sum += component(x, k, operands.bits, instruction.left_signed) *
           component(y, k, operands.bits, instruction.right_signed);
  if (!instruction.left_signed) return sum <= 0xffffffff;
  return sum >= std::numeric_limits<std::int32_t>::min() &&
         sum <= std::numeric_limits<std::int32_t>::max();
}

}  // namespace

TEST_CASE("integer dot products on packed numbers and vectors") {
  int compared = 0;
  for (const Instruction& instruction : instructions) {
    for (const Operands& operands : all_operands) {
      for (const Uint accumulator : {0u, 0x7fffff00u, 0x80000100u, 0xffffff00u}) {
        const std::string module = module_of(instruction, operands, accumulator);
        INFO(instruction.opcode << " on " << operands.name << ", " << accumulator << "\n"
                                << module);
        std::vector<Uint> out(8);
        Shader::from_assembly(module).bind(0, out).dispatch({1}, {.subgroup_size = 8});
        for (Uint i = 0; i < out.size(); ++i) {
          const Uint x = (i + 1) * 2654435769u, y = x * 2654435769u;
          if (!is_defined(instruction, operands, x, y)) continue;
          CHECK(out[i] == expected(instruction, operands, x, y, accumulator));
          ++compared;
        }
      }
    }
  }
  CHECK(compared > 400);
}
