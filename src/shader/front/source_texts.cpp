#include "shader/front/source_texts.hpp"

#include <cstddef>

#include "shader/front/encoded.hpp"

namespace lockstep::spirv {
namespace {

using Id = std::uint32_t;

constexpr std::uint32_t debug_source = 35;
constexpr const char* debug_set_name = "NonSemantic.Shader.DebugInfo.100";

/// The text that starts at a word and ends with a zero byte.
std::string text_at(const Encoded& i, std::size_t first) {
  std::string text;
  for (std::size_t word = first; word < i.words.size(); ++word) {
    for (int byte = 0; byte < 4; ++byte) {
      const auto c = static_cast<char>(i.words[word] >> (8 * byte) & 0xff);
      if (c == 0) return text;
      text += c;
    }
  }
  return text;
}

/// The word, or 0 if the instruction is shorter.
Id word_of(const Encoded& i, std::size_t k) { return k < i.words.size() ? i.words[k] : 0; }

}  // namespace

std::map<std::string, std::string> source_texts(std::span<const std::uint32_t> words) {
  std::map<Id, std::string> strings, texts;
  Id open = 0, debug_set = 0;
  for (const Encoded i : EncodedInstructions(words)) {
    if (i.opcode() == spv::Op::OpFunction) break;
    switch (i.opcode()) {
      case spv::Op::OpString:
        strings[word_of(i, 1)] = text_at(i, 2);
        break;
      case spv::Op::OpSource:
        open = word_of(i, 3);
        if (i.words.size() > 4) texts[open] = text_at(i, 4);
        break;
      case spv::Op::OpSourceContinued:
        if (texts.contains(open)) texts[open] += text_at(i, 1);
        break;
      case spv::Op::OpExtInstImport:
        if (text_at(i, 2) == debug_set_name) debug_set = word_of(i, 1);
        break;
      case spv::Op::OpExtInst:
        if (debug_set != 0 && word_of(i, 3) == debug_set && word_of(i, 4) == debug_source &&
            i.words.size() > 6)
          texts[i.words[5]] = strings[i.words[6]];
        break;
      default:
        break;
    }
  }
  std::map<std::string, std::string> named;
  for (const auto& [name, text] : texts) {
    const auto found = strings.find(name);
    if (found != strings.end() && !text.empty()) named[found->second] = text;
  }
  return named;
}

}  // namespace lockstep::spirv
