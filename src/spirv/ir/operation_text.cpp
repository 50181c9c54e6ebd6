#include "spirv/ir/operation_text.hpp"

#include <fmt/format.h>

#include "spirv/ir/built_ins.hpp"
#include "spirv/ir/names.hpp"

namespace lockstep::spirv {
namespace {

/// An operator between two operands; null for functions.
const char* operator_of(Code code) {
  switch (code) {
    case Code::add:
      return "+";
    case Code::sub:
      return "-";
    case Code::mul:
      return "*";
    case Code::div:
      return "/";
    case Code::equal:
      return "==";
    case Code::not_equal:
      return "!=";
    case Code::less:
      return "<";
    case Code::less_equal:
      return "<=";
    case Code::band:
      return "&";
    case Code::bor:
      return "|";
    case Code::bxor:
      return "^";
    case Code::shl:
      return "<<";
    case Code::shr:
      return ">>";
    default:
      return nullptr;
  }
}

/// In the order of Code; operators and what has no name in GLSL are empty.
constexpr const char* function_names[] = {"",
                                          "",
                                          "",
                                          "",
                                          "-",
                                          "",
                                          "mod",
                                          "",
                                          "",
                                          "",
                                          "",
                                          "~",
                                          "",
                                          "",
                                          "",
                                          "",
                                          "",
                                          "",
                                          "select",
                                          "",
                                          "mulExtended",
                                          "addCarry",
                                          "subBorrow",
                                          "addSat",
                                          "bitfieldInsert",
                                          "bitfieldExtract",
                                          "bitfieldReverse",
                                          "bitCount",
                                          "findLSB",
                                          "findMSB",
                                          "abs",
                                          "sign",
                                          "min",
                                          "max",
                                          "clamp",
                                          "min",
                                          "max",
                                          "clamp",
                                          "isnan",
                                          "isinf",
                                          "round",
                                          "roundEven",
                                          "trunc",
                                          "floor",
                                          "ceil",
                                          "fract",
                                          "radians",
                                          "degrees",
                                          "sin",
                                          "cos",
                                          "tan",
                                          "asin",
                                          "acos",
                                          "atan",
                                          "sinh",
                                          "cosh",
                                          "tanh",
                                          "asinh",
                                          "acosh",
                                          "atanh",
                                          "atan",
                                          "pow",
                                          "exp",
                                          "log",
                                          "exp2",
                                          "log2",
                                          "sqrt",
                                          "inversesqrt",
                                          "fma",
                                          "mix",
                                          "step",
                                          "smoothstep",
                                          "modf",
                                          "modf",
                                          "frexp",
                                          "frexp",
                                          "ldexp",
                                          "packUnorm4x8",
                                          "packSnorm4x8",
                                          "packUnorm2x16",
                                          "packSnorm2x16",
                                          "packHalf2x16",
                                          "unpackUnorm4x8",
                                          "unpackSnorm4x8",
                                          "unpackUnorm2x16",
                                          "unpackSnorm2x16",
                                          "unpackHalf2x16"};
static_assert(function_names[static_cast<int>(Code::unpack_half_2x16)] ==
              function_names[std::size(function_names) - 1]);

std::string function_of(const Op& op) {
  if (op.code == Code::convert) return std::string(name_of(op.type));
  if (op.code == Code::quantize_f16) return "quantizeToF16";
  if (op.code == Code::rem) return "rem";
  const auto number = static_cast<std::size_t>(op.code);
  const std::string name = number < std::size(function_names) ? function_names[number] : "";
  return name.empty() ? "copy" : name;
}

}  // namespace

std::string operation_text(const Op& op) {
  if (is_subgroup(op.code)) return fmt::format("{}(x)", spec::function(name_of(op)).name);
  if (const auto* atomic = std::get_if<AtomicOp>(&op.detail))
    return fmt::format("{}(memory, x)", atomic_name(atomic->op));
  const char* const infix = operator_of(op.code);
  if (infix != nullptr && op.src.size() == 2) return fmt::format("x {} y", infix);
  constexpr const char* operands[] = {"", "x", "x, y", "x, y, z", "x, y, z, w"};
  return fmt::format("{}({})", function_of(op), operands[std::min<std::size_t>(op.src.size(), 4)]);
}

}  // namespace lockstep::spirv
