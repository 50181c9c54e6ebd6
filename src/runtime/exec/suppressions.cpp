#include <lockstep/exec/suppressions.hpp>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>

namespace lockstep {
namespace {

constexpr std::string_view start = "lockstep: allow";

/// A line of a file; empty if it cannot be read.
std::string line_of(const SourceLocation& where) {
  std::ifstream file(where.file);
  std::string line;
  for (int k = 0; k < where.line; ++k)
    if (!std::getline(file, line)) return "";
  return where.line > 0 ? line : "";
}

bool line_allows(std::string_view line, std::string_view rule) {
  const std::size_t at = line.find(start);
  if (at == std::string_view::npos) return false;
  std::string_view names = line.substr(at + start.size());
  const auto is_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-';
  };
  bool named = false;
  while (!names.empty()) {
    const auto begin = std::ranges::find_if(names, is_name) - names.begin();
    names.remove_prefix(static_cast<std::size_t>(begin));
    const auto length = std::ranges::find_if_not(names, is_name) - names.begin();
    const std::string_view name = names.substr(0, static_cast<std::size_t>(length));
    if (name == rule) return true;
    named = named || !name.empty();
    names.remove_prefix(name.size());
  }
  return !named;
}

}  // namespace

void Suppressions::add(std::string_view file, std::string_view text) {
  files_.emplace_back(file);
  std::istringstream lines{std::string(text)};
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number)
    if (line.find(start) != std::string::npos) lines_.push_back({files_.back(), number, line});
}

bool Suppressions::suppresses(const SourceLocation& where, std::string_view rule) const {
  if (std::ranges::find(files_, where.file) == files_.end())
    return line_allows(line_of(where), rule);
  return std::ranges::any_of(lines_, [&](const Line& line) {
    return line.number == where.line && line.file == where.file && line_allows(line.text, rule);
  });
}

bool Suppressions::suppresses(const Finding& finding) const {
  return suppresses(finding.where, finding.rule) ||
         (finding.other && suppresses(finding.other->where, finding.rule));
}

}  // namespace lockstep
