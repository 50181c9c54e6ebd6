#include "shader/front/naga.hpp"

#include <algorithm>
#include <cstring>
#include <regex>
#include <sstream>

#include <fmt/format.h>

#include "shader/front/encoded.hpp"
#include "shader/front/without_comments.hpp"

namespace lockstep::spirv {
namespace {

/// A text as a module has it: its bytes and at least one that is zero.
std::vector<std::uint32_t> literal_of(std::string_view text) {
  std::vector<std::uint32_t> words(text.size() / sizeof(std::uint32_t) + 1);
  std::memcpy(words.data(), text.data(), text.size());
  return words;
}

}  // namespace

std::string message_of_naga(const std::string& report, const std::string& path) {
  constexpr std::string_view error = "error: ", frame = "┌─ ", reason = "= ";
  std::istringstream lines(report);
  std::string title, place, reasons;
  for (std::string line; std::getline(lines, line);) {
    line.erase(0, std::min(line.find_first_not_of(' '), line.size()));
    if (title.empty() && line.starts_with(error))
      title = line.substr(error.size());
    else if (place.empty() && line.starts_with(frame))
      // After the file's name, which may have colons, are line and column.
      place = line.substr(line.rfind(':', line.rfind(':') - 1) + 1);
    else if (line.starts_with(reason) && !line.starts_with("= note: "))
      reasons += "; " + line.substr(reason.size());
  }
  if (title.empty()) return report;
  return fmt::format("{}{}{}: {}{}", path, place.empty() ? "" : ":", place, title, reasons);
}

bool refuses_subgroups(std::string_view report) {
  return report.find("`subgroups` enable-extension is not yet supported") != std::string_view::npos;
}

std::string without_enable_subgroups(std::string text) {
  static const std::regex directive(R"(\benable[ \t]+subgroups[ \t]*;)");
  const std::string code = without_comments(text);
  std::smatch found;
  if (!std::regex_search(code, found, directive)) return text;
  const auto length = static_cast<std::size_t>(found.length());
  return text.replace(static_cast<std::size_t>(found.position()), length, length, ' ');
}

void raise_version(std::vector<std::uint32_t>& words) {
  constexpr std::uint32_t version = 0x00010300;
  if (words.size() < header_words || words[1] >= version) return;
  for (const Encoded i : EncodedInstructions(words)) {
    if (i.opcode() != spv::Op::OpCapability || i.words.size() != 2) return;
    const auto capability = static_cast<spv::Capability>(i.words[1]);
    if (capability >= spv::Capability::GroupNonUniform &&
        capability <= spv::Capability::GroupNonUniformQuad)
      words[1] = version;
  }
}

std::vector<std::uint32_t> with_file_name(const std::vector<std::uint32_t>& words,
                                          std::string_view from, std::string_view to) {
  constexpr std::size_t text = 2;  // after opcode and result
  const std::vector<std::uint32_t> old_name = literal_of(from), name = literal_of(to);
  for (const Encoded i : EncodedInstructions(words)) {
    if (i.opcode() != spv::Op::OpString || i.words.size() <= text ||
        !std::ranges::equal(i.words.subspan(text), old_name))
      continue;
    std::vector<std::uint32_t> made(words.begin(),
                                    words.begin() + static_cast<std::ptrdiff_t>(i.at + text));
    made[i.at] = static_cast<std::uint32_t>(text + name.size()) << 16 |
                 static_cast<std::uint32_t>(spv::Op::OpString);
    made.insert(made.end(), name.begin(), name.end());
    made.insert(made.end(), words.begin() + static_cast<std::ptrdiff_t>(i.at + i.words.size()),
                words.end());
    return made;
  }
  return words;
}

}  // namespace lockstep::spirv
