#pragma once

/// \file
/// The source lines that a timeline shows.

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/trace/timeline.hpp>

#include "runtime/trace/open_source.hpp"
#include "runtime/trace/text.hpp"

namespace lockstep::trace {

/// Source files by name, each read once.
class Sources {
 public:
  Sources() = default;
  /// Only these texts, by name: no file is read.
  explicit Sources(const std::map<std::string, std::string>& texts) : reads_files_(false) {
    for (const auto& [name, text] : texts) {
      std::istringstream in(text);
      read(in, files_[name]);
    }
  }

  /// The line's text without trailing blanks; none if the file cannot be read.
  std::optional<std::string> line(SourceLocation where) {
    const std::vector<std::string>& all = lines(where.file);
    if (where.line < 1 || static_cast<std::size_t>(where.line) > all.size()) return std::nullopt;
    return all[static_cast<std::size_t>(where.line) - 1];
  }
  /// All lines of a file; none if it cannot be read, or is no text.
  const std::vector<std::string>& lines(const std::string& name) {
    const auto [found, is_new] = files_.try_emplace(name);
    if (is_new && reads_files_) {
      if (const auto in = open_source(name)) read(*in, found->second);
    }
    return found->second;
  }

 private:
  static void read(std::istream& in, std::vector<std::string>& lines) {
    for (std::string text; std::getline(in, text);) {
      // SPIR-V has no lines.
      if (text.find('\0') != std::string::npos) return lines.clear();
      lines.push_back(trimmed(text));
    }
  }

  bool reads_files_ = true;
  std::map<std::string, std::vector<std::string>> files_;
};

inline std::size_t indentation(std::string_view text) {
  const std::size_t at = text.find_first_not_of(' ');
  return at == std::string_view::npos ? 0 : at;
}

/// The lines of a timeline, shifted left as far as their file allows.
class Excerpt {
 public:
  explicit Excerpt(const Timeline& timeline) {
    for (const Step& step : timeline.steps) {
      const auto text = sources_.line(step.where);
      if (!text) continue;
      const auto [known, is_new] = common_.try_emplace(step.where.file, indentation(*text));
      known->second = std::min(known->second, indentation(*text));
    }
    for (const Step& step : timeline.steps) widest_ = std::max(widest_, width_of(line(step.where)));
  }

  std::string line(SourceLocation where) {
    const auto text = sources_.line(where);
    if (!text || text->empty()) return "";
    return text->substr(std::min(common_[where.file], text->size()));
  }
  std::string indent(SourceLocation where) { return std::string(indentation(line(where)), ' '); }
  std::size_t widest() const { return widest_; }

 private:
  Sources sources_;
  std::map<std::string, std::size_t> common_;
  std::size_t widest_ = 0;
};

}  // namespace lockstep::trace
