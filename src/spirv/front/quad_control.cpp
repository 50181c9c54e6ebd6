#include "spirv/front/quad_control.hpp"

#include <regex>

#include <fmt/format.h>

namespace lockstep::spirv {

std::vector<std::uint32_t> for_validator(const std::vector<std::uint32_t>& words) {
  constexpr auto word_of = [](spv::Op op, std::size_t length) {
    return static_cast<std::uint32_t>(length << 16 | static_cast<std::size_t>(op));
  };
  std::vector<std::uint32_t> known(words.begin(), words.begin() + 5);
  for (std::size_t at = 5; at < words.size();) {
    const std::size_t length = words[at] >> 16;
    const auto opcode = static_cast<spv::Op>(words[at] & 0xffff);
    const bool of_quads = opcode == spv::Op::OpCapability && length == 2 &&
                          words[at + 1] == static_cast<std::uint32_t>(capability_quad_control);
    if (!of_quads) {
      known.insert(known.end(), words.begin() + static_cast<std::ptrdiff_t>(at),
                   words.begin() + static_cast<std::ptrdiff_t>(at + length));
      if (is_quad_vote(opcode))
        known[known.size() - length] = word_of(spv::Op::OpLogicalNot, length);
    }
    at += length;
  }
  return known;
}

std::string for_assembler(const std::string& text) {
  if (text.find("Quad") == std::string::npos) return text;
  std::string known = text;
  const auto replace = [&](const char* pattern, const std::string& by) {
    known = std::regex_replace(known, std::regex(pattern), by);
  };
  // An instruction of four words: the assembler accepts numeric opcodes unchanged.
  const auto vote = [&](const char* pattern, spv::Op op) {
    replace(pattern, fmt::format("!{} $2 $1", 4u << 16 | static_cast<unsigned>(op)));
  };
  vote(R"((%\w+)[ \t]*=[ \t]*OpGroupNonUniformQuadAllKHR[ \t]+(%\w+))", op_quad_all);
  vote(R"((%\w+)[ \t]*=[ \t]*OpGroupNonUniformQuadAnyKHR[ \t]+(%\w+))", op_quad_any);
  replace(R"(OpCapability[ \t]+QuadControlKHR\b)",
          fmt::format("OpCapability !{}", static_cast<unsigned>(capability_quad_control)));
  return known;
}

}  // namespace lockstep::spirv
