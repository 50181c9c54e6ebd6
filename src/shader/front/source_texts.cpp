#include "shader/front/source_texts.hpp"

#include <cstddef>

#include "shader/front/encoded.hpp"

namespace lockstep::spirv {
namespace {

using Id = std::uint32_t;

/// The word, or 0 if the instruction is shorter.
Id word_of(const Encoded& i, std::size_t k) { return k < i.words.size() ? i.words[k] : 0; }

struct Found {
  std::map<Id, std::string> strings;
  std::map<Id, std::string> texts;  ///< by the strings that are their names
};

Found find(std::span<const std::uint32_t> words) {
  Found found;
  Id open = 0, debug_set = 0;
  for (const Encoded i : EncodedInstructions(words)) {
    if (i.opcode() == spv::Op::OpFunction) break;
    switch (i.opcode()) {
      case spv::Op::OpString:
        found.strings[word_of(i, 1)] = text_at(i.words, 2);
        break;
      case spv::Op::OpSource:
        open = word_of(i, 3);
        if (i.words.size() > 4) found.texts[open] = text_at(i.words, 4);
        break;
      case spv::Op::OpSourceContinued:
        if (found.texts.contains(open)) found.texts[open] += text_at(i.words, 1);
        break;
      case spv::Op::OpExtInstImport:
        if (text_at(i.words, 2) == debug_set_name) debug_set = word_of(i, 1);
        break;
      case spv::Op::OpExtInst:
        if (debug_set != 0 && word_of(i, 3) == debug_set && word_of(i, 4) == debug_source &&
            i.words.size() > 6)
          found.texts[i.words[5]] = found.strings[i.words[6]];
        break;
      default:
        break;
    }
  }
  return found;
}

}  // namespace

std::map<Id, std::string> source_texts_by_id(std::span<const std::uint32_t> words) {
  return find(words).texts;
}

std::map<std::string, std::string> source_texts(std::span<const std::uint32_t> words) {
  const Found found = find(words);
  std::map<std::string, std::string> named;
  for (const auto& [id, text] : found.texts) {
    const auto name = found.strings.find(id);
    if (name != found.strings.end() && !text.empty()) named[name->second] = text;
  }
  return named;
}

}  // namespace lockstep::spirv
