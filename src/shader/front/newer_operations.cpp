#include "shader/front/newer_operations.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <regex>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <spirv-tools/libspirv.h>

#include "shader/front/encoded.hpp"

namespace lockstep::spirv {
namespace {

struct NewerOperation {
  spv::Op op;
  const char* name;
  bool has_type = true;
  bool has_result = true;
};
constexpr NewerOperation operations[] = {
    {op_quad_all, "OpGroupNonUniformQuadAllKHR"},
    {op_quad_any, "OpGroupNonUniformQuadAnyKHR"},
    {op_type_vector_id, "OpTypeVectorIdEXT", false},
    {op_constant_composite_replicate, "OpConstantCompositeReplicateEXT"},
    {op_spec_constant_composite_replicate, "OpSpecConstantCompositeReplicateEXT"},
    {op_composite_construct_replicate, "OpCompositeConstructReplicateEXT"},
    {op_type_cooperative_matrix, "OpTypeCooperativeMatrixKHR", false},
    {op_cooperative_matrix_load, "OpCooperativeMatrixLoadKHR"},
    {op_cooperative_matrix_store, "OpCooperativeMatrixStoreKHR", false, false},
    {op_cooperative_matrix_mul_add, "OpCooperativeMatrixMulAddKHR"},
    {op_cooperative_matrix_length, "OpCooperativeMatrixLengthKHR"},
};
constexpr std::pair<spv::Capability, const char*> capabilities[] = {
    {capability_quad_control, "QuadControlKHR"},
    {capability_long_vector, "LongVectorEXT"},
    {capability_replicated_composites, "ReplicatedCompositesEXT"},
    {capability_cooperative_matrix, "CooperativeMatrixKHR"},
};

/// What assembly calls the operands of a cooperative matrix's operations that are not ids.
constexpr std::pair<std::string_view, std::uint32_t> operand_names[] = {
    {"NoneKHR", 0},
    {"None", 0},
    {"MatrixASignedComponentsKHR", matrix_operands::a_is_signed},
    {"MatrixBSignedComponentsKHR", matrix_operands::b_is_signed},
    {"MatrixCSignedComponentsKHR", matrix_operands::c_is_signed},
    {"MatrixResultSignedComponentsKHR", matrix_operands::result_is_signed},
    {"SaturatingAccumulationKHR", matrix_operands::saturates},
    {"Volatile", 1},
    {"Aligned", 2},
    {"Nontemporal", 4},
    {"MakePointerAvailable", 8},
    {"MakePointerVisible", 16},
    {"NonPrivatePointer", 32},
};

/// Since its capabilities and modes have the same numbers as the older extension's, a validator that does not know the newer
/// one takes it for that.
constexpr std::string_view newer_derivatives = "SPV_KHR_compute_shader_derivatives",
                           older_derivatives = "SPV_NV_compute_shader_derivatives";
/// OpExtInst, also with ids of later instructions; only debug information uses it.
constexpr std::string_view forward_references = "SPV_KHR_relaxed_extended_instruction";
constexpr auto op_ext_inst_with_forward_refs = static_cast<spv::Op>(4433);

/// The name of an OpExtension; of another instruction, nothing.
std::string_view extension_of(const Encoded& i) {
  if (i.opcode() != spv::Op::OpExtension || i.words.size() < 2) return {};
  const auto* text = reinterpret_cast<const char*>(&i.words[1]);
  return {text, strnlen(text, (i.words.size() - 1) * sizeof i.words[0])};
}

bool is_known(spv::Op op) {
  const std::string_view name = spvOpcodeString(static_cast<std::uint32_t>(op));
  return name != "unknown" && !name.empty();
}

}  // namespace

void has_result_and_type(spv::Op op, bool* has_result, bool* has_type) {
  for (const NewerOperation& newer : operations) {
    if (newer.op != op) continue;
    *has_result = newer.has_result;
    *has_type = newer.has_type;
  }
}

std::string_view newer_name(spv::Op op) {
  for (const NewerOperation& newer : operations) {
    if (newer.op == op) return newer.name;
  }
  return {};
}

std::vector<std::uint32_t> for_validator(const std::vector<std::uint32_t>& words) {
  constexpr auto word_of = [](spv::Op op, std::size_t length) {
    return static_cast<std::uint32_t>(length << 16 | static_cast<std::size_t>(op));
  };
  std::vector<std::uint32_t> known(words.begin(), words.begin() + 5);
  for (const Encoded i : EncodedInstructions(words)) {
    const std::size_t length = i.words.size();
    const bool of_quads = i.opcode() == spv::Op::OpCapability && length == 2 &&
                          i.words[1] == static_cast<std::uint32_t>(capability_quad_control);
    if (of_quads) continue;
    known.insert(known.end(), i.words.begin(), i.words.end());
    if (is_quad_vote(i.opcode()))
      known[known.size() - length] = word_of(spv::Op::OpLogicalNot, length);
    if (extension_of(i) == newer_derivatives) {
      static_assert(newer_derivatives.size() / 4 == older_derivatives.size() / 4);
      auto* name = reinterpret_cast<char*>(&known[known.size() - length + 1]);
      std::fill(std::ranges::copy(older_derivatives, name).out, name + (length - 1) * 4, '\0');
    }
    // The validator rejects names of languages that are newer than it (Slang), though they mean nothing to a machine.
    if (i.opcode() == spv::Op::OpSource && length > 1)
      known[known.size() - length + 1] = static_cast<std::uint32_t>(spv::SourceLanguage::Unknown);
  }
  return known;
}

bool is_beyond_validator(const std::vector<std::uint32_t>& words) {
  for (const Encoded i : EncodedInstructions(words)) {
    if (extension_of(i) == forward_references && !is_known(op_ext_inst_with_forward_refs))
      return true;
    if (i.opcode() == spv::Op::OpExtension) continue;
    if (i.opcode() != spv::Op::OpCapability || i.words.size() != 2) break;
    const auto capability = static_cast<spv::Capability>(i.words[1]);
    if ((capability == capability_long_vector && !is_known(op_type_vector_id)) ||
        (capability == capability_replicated_composites &&
         !is_known(op_composite_construct_replicate)) ||
        (capability == capability_cooperative_matrix && !is_known(op_type_cooperative_matrix)))
      return true;
  }
  return false;
}

namespace {

/// An operand as the assembler takes it after a number for an opcode: an id, or a number. Names that are not known stay,
/// for the assembler to report.
std::string as_word(const std::string& operand) {
  if (operand[0] == '%' || operand[0] == '!') return operand;
  if (std::isdigit(static_cast<unsigned char>(operand[0])) != 0) return "!" + operand;
  std::uint32_t mask = 0;
  std::istringstream names(operand);
  for (std::string name; std::getline(names, name, '|');) {
    const auto known =
        std::ranges::find(operand_names, name, [](const auto& n) { return n.first; });
    if (known == std::end(operand_names)) return operand;
    mask |= known->second;
  }
  return fmt::format("!{}", mask);
}

/// An instruction with a number for its opcode. The assembler accepts such numbers unchanged, but after an instruction
/// with any number of operands they would be one more of them, so OpNop is before it.
std::string in_numbers(const NewerOperation& newer, const std::string& result,
                       const std::string& operands) {
  std::istringstream all(operands);
  std::vector<std::string> words;
  for (std::string operand; all >> operand;) words.push_back(as_word(operand));
  if (newer.has_result)
    words.insert(words.begin() + (newer.has_type && !words.empty() ? 1 : 0), result);
  std::string text =
      fmt::format("OpNop !{}", (words.size() + 1) << 16 | static_cast<unsigned>(newer.op));
  for (const std::string& word : words) text += ' ' + word;
  return text;
}

std::string with_numbered_capability(std::string line) {
  for (const auto& [capability, name] : capabilities)
    line = std::regex_replace(line, std::regex(fmt::format(R"(\b{}\b)", name)),
                              fmt::format("!{}", static_cast<unsigned>(capability)));
  return line;
}

}  // namespace

std::string for_assembler(const std::string& text) {
  // Each of the names has one of these.
  if (text.find("Quad") == std::string::npos && text.find("LongVector") == std::string::npos &&
      text.find("Replicate") == std::string::npos && text.find("Cooperative") == std::string::npos)
    return text;
  static const std::regex instruction(R"(^[ \t]*(?:(%\w+)[ \t]*=[ \t]*)?(Op\w+)[ \t]*([^;]*))");
  std::string known;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::smatch found;
    if (std::regex_search(line, found, instruction)) {
      const std::string result = found[1], name = found[2], operands = found[3];
      const auto newer = std::ranges::find(operations, name, &NewerOperation::name);
      if (newer != std::end(operations)) line = in_numbers(*newer, result, operands);
      if (name == "OpCapability") line = with_numbered_capability(line);
    }
    known += line + '\n';
  }
  return known;
}

}  // namespace lockstep::spirv
