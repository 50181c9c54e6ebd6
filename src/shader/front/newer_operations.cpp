#include "shader/front/newer_operations.hpp"

#include <regex>
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
};
constexpr NewerOperation operations[] = {
    {op_quad_all, "OpGroupNonUniformQuadAllKHR"},
    {op_quad_any, "OpGroupNonUniformQuadAnyKHR"},
    {op_type_vector_id, "OpTypeVectorIdEXT", false},
    {op_constant_composite_replicate, "OpConstantCompositeReplicateEXT"},
    {op_spec_constant_composite_replicate, "OpSpecConstantCompositeReplicateEXT"},
    {op_composite_construct_replicate, "OpCompositeConstructReplicateEXT"},
};
constexpr std::pair<spv::Capability, const char*> capabilities[] = {
    {capability_quad_control, "QuadControlKHR"},
    {capability_long_vector, "LongVectorEXT"},
    {capability_replicated_composites, "ReplicatedCompositesEXT"},
};

bool is_known(spv::Op op) {
  const std::string_view name = spvOpcodeString(static_cast<std::uint32_t>(op));
  return name != "unknown" && !name.empty();
}

}  // namespace

void has_result_and_type(spv::Op op, bool* has_result, bool* has_type) {
  for (const NewerOperation& newer : operations) {
    if (newer.op != op) continue;
    *has_result = true;
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
    // The validator rejects names of languages that are newer than it (Slang), though they mean nothing to a machine.
    if (i.opcode() == spv::Op::OpSource && length > 1)
      known[known.size() - length + 1] = static_cast<std::uint32_t>(spv::SourceLanguage::Unknown);
  }
  return known;
}

bool is_beyond_validator(const std::vector<std::uint32_t>& words) {
  for (const Encoded i : EncodedInstructions(words)) {
    if (i.opcode() != spv::Op::OpCapability || i.words.size() != 2) break;
    const auto capability = static_cast<spv::Capability>(i.words[1]);
    if ((capability == capability_long_vector && !is_known(op_type_vector_id)) ||
        (capability == capability_replicated_composites &&
         !is_known(op_composite_construct_replicate)))
      return true;
  }
  return false;
}

std::string for_assembler(const std::string& text) {
  // Each of the names has one of these.
  if (text.find("Quad") == std::string::npos && text.find("LongVector") == std::string::npos &&
      text.find("Replicate") == std::string::npos)
    return text;
  std::string known = text;
  const auto replace = [&](const std::string& pattern, const std::string& by) {
    known = std::regex_replace(known, std::regex(pattern), by);
  };
  // All operations have four words. The assembler accepts numeric opcodes unchanged, but after an instruction with
  // any number of operands they would be one more of them.
  for (const NewerOperation& newer : operations) {
    replace(fmt::format(R"((%\w+)[ \t]*=[ \t]*{}[ \t]+(%\w+))", newer.name),
            fmt::format("OpNop !{} {}", 4u << 16 | static_cast<unsigned>(newer.op),
                        newer.has_type ? "$2 $1" : "$1 $2"));
  }
  for (const auto& [capability, name] : capabilities)
    replace(fmt::format(R"(OpCapability[ \t]+{}\b)", name),
            fmt::format("OpCapability !{}", static_cast<unsigned>(capability)));
  return known;
}

}  // namespace lockstep::spirv
