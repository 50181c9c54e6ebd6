#include "shader/front/assembly_places.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <set>
#include <span>
#include <string>

#include "shader/front/encoded.hpp"
#include "shader/front/module.hpp"

namespace lockstep::spirv {
namespace {

/// An instruction of the text.
struct Written {
  std::string_view opcode;  ///< empty if it is a number
  std::string_view result;  ///< without %; empty if it has none
  std::uint32_t line = 0;
};

/// The words of assembly, with their lines.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}

  /// The next word; empty at the end.
  std::string_view next() {
    skip();
    const std::size_t first = at_;
    while (at_ < text_.size() && !is_space(text_[at_]) && text_[at_] != ';') {
      if (text_[at_] == '"')
        skip_string();
      else
        ++at_;
    }
    return text_.substr(first, at_ - first);
  }
  /// That of the word that came last, unless it is a string.
  std::uint32_t line() const { return line_; }

 private:
  static bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

  /// Passes spaces and comments.
  void skip() {
    bool comment = false;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\n') {
        comment = false;
        ++line_;
      } else if (text_[at_] == ';') {
        comment = true;
      } else if (!comment && !is_space(text_[at_])) {
        return;
      }
    }
  }
  void skip_string() {
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\') ++at_;
      if (at_ < text_.size() && text_[at_] == '\n') ++line_;
    }
    at_ = std::min(at_ + 1, text_.size());
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
};

/// The instructions: no operand begins with Op. One that the assembler does not know is numbers after OpNop.
std::vector<Written> written_in(std::string_view text) {
  std::vector<Written> all;
  Words words(text);
  std::string_view before, result;
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    if (word.starts_with("Op"))
      all.push_back({word, result, words.line()});
    else if (before == "OpNop" && word.starts_with("!"))
      all.push_back({{}, {}, words.line()});
    result = word == "=" && before.starts_with("%") ? before.substr(1) : std::string_view();
    before = word;
  }
  return all;
}

/// The parts of a module, in its order.
enum class Part { preamble, sources, names, annotations, code };

Part part_of(spv::Op opcode) {
  switch (opcode) {
    case spv::Op::OpCapability:
    case spv::Op::OpExtension:
    case spv::Op::OpExtInstImport:
    case spv::Op::OpMemoryModel:
    case spv::Op::OpEntryPoint:
    case spv::Op::OpExecutionMode:
    case spv::Op::OpExecutionModeId:
      return Part::preamble;
    case spv::Op::OpString:
    case spv::Op::OpSource:
    case spv::Op::OpSourceExtension:
    case spv::Op::OpSourceContinued:
      return Part::sources;
    case spv::Op::OpName:
    case spv::Op::OpMemberName:
      return Part::names;
    case spv::Op::OpModuleProcessed:
    case spv::Op::OpDecorate:
    case spv::Op::OpDecorateId:
    case spv::Op::OpDecorateString:
    case spv::Op::OpMemberDecorate:
    case spv::Op::OpMemberDecorateString:
    case spv::Op::OpDecorationGroup:
    case spv::Op::OpGroupDecorate:
    case spv::Op::OpGroupMemberDecorate:
      return Part::annotations;
    default:
      return Part::code;
  }
}

/// The id of a variable or structure; 0 of other instructions.
std::uint32_t named_id(const Encoded& instruction) {
  if (instruction.opcode() == spv::Op::OpVariable && instruction.words.size() > 2)
    return instruction.words[2];
  if (instruction.opcode() == spv::Op::OpTypeStruct && instruction.words.size() > 1)
    return instruction.words[1];
  return 0;
}

/// Adds OpName of the id.
void add_name(std::uint32_t id, std::string_view name, std::vector<std::uint32_t>& to) {
  const std::size_t letters = name.size() / 4 + 1;  // words of them, the last of which ends in 0
  to.push_back(static_cast<std::uint32_t>(2 + letters) << 16 |
               static_cast<std::uint32_t>(spv::Op::OpName));
  to.push_back(id);
  const std::size_t first = to.size();
  to.resize(first + letters);
  for (std::size_t k = 0; k < name.size(); ++k)
    to[first + k / 4] |= std::uint32_t{static_cast<unsigned char>(name[k])} << 8 * (k % 4);
}

bool is_number(std::string_view name) {
  return std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
}

/// Whether the instructions of the module are those of the text.
bool are_the_same(const std::vector<Encoded>& instructions, const std::vector<Written>& written) {
  return std::ranges::equal(instructions, written, [](const auto& instruction, const Written& w) {
    return w.opcode.empty() || w.opcode == name_of(instruction.opcode());
  });
}

/// Adds OpName for the variables and structures that have a name in the text only.
void add_names(const std::vector<Encoded>& instructions, const std::vector<Written>& written,
               std::vector<std::uint32_t>& to) {
  std::set<std::uint32_t> named;
  for (const Encoded& instruction : instructions) {
    if (instruction.opcode() == spv::Op::OpName && instruction.words.size() > 1)
      named.insert(instruction.words[1]);
  }
  for (std::size_t k = 0; k < instructions.size(); ++k) {
    const std::uint32_t id = named_id(instructions[k]);
    if (id != 0 && !is_number(written[k].result) && !named.contains(id))
      add_name(id, written[k].result, to);
  }
}

}  // namespace

std::vector<std::uint32_t> with_places(std::string_view text, std::vector<std::uint32_t> words) {
  if (words.size() < 5 || text.find("OpLine") != std::string_view::npos ||
      text.find("NonSemantic.Shader.DebugInfo") != std::string_view::npos)
    return words;
  const std::vector<Written> written = written_in(text);
  std::vector<Encoded> instructions;
  for (const Encoded i : EncodedInstructions(words)) instructions.push_back(i);
  if (!are_the_same(instructions, written)) return words;
  std::vector<std::uint32_t> out(words.begin(), words.begin() + 5);
  const std::uint32_t file = out[3]++;
  Part part = Part::preamble;
  bool after_merge = false;
  for (std::size_t k = 0; k < instructions.size(); ++k) {
    const spv::Op opcode = instructions[k].opcode();
    const Part now = part_of(opcode);
    if (part < Part::sources && now > Part::preamble)  // no text: that of the module
      out.insert(out.end(), {3u << 16 | static_cast<std::uint32_t>(spv::Op::OpString), file, 0u});
    if (part < Part::names && now > Part::sources) add_names(instructions, written, out);
    part = std::max(part, now);
    // Nothing may be between a merge instruction and its branch.
    if (part == Part::code && !after_merge)
      out.insert(out.end(), {4u << 16 | static_cast<std::uint32_t>(spv::Op::OpLine), file,
                             written[k].line, 0u});
    out.insert(out.end(), instructions[k].words.begin(), instructions[k].words.end());
    after_merge = opcode == spv::Op::OpSelectionMerge || opcode == spv::Op::OpLoopMerge;
  }
  return out;
}

}  // namespace lockstep::spirv
