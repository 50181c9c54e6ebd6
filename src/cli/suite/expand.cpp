#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/suite/keys.hpp"
#include "cli/suite/suite.hpp"
#include "io/error.hpp"

namespace lockstep::cli {
namespace {

using Words = std::vector<std::string>;

/// Options that replace each other.
constexpr std::array<std::array<const char*, 2>, 2> either{
    {{"--groups", "--invocations"}, {"--vary", "--same"}}};

bool is_option(const std::string& word, const std::string& option) {
  return word == option || word.starts_with(option + "=");
}

bool has_names(const std::string& option) {
  return option == "--against" || std::ranges::any_of(suite_keys, [&](const SuiteKey& key) {
           return key.option == option && key.form == SuiteKey::Form::table;
         });
}
bool is_list(const std::string& option) {
  return std::ranges::any_of(suite_keys, [&](const SuiteKey& key) {
    return key.option == option && key.form == SuiteKey::Form::list;
  });
}

/// "0=" of "0=zeros:u32:64".
std::string name_of(const std::string& value) { return value.substr(0, value.find('=') + 1); }

/// Whether the command line overrides an option of the entry.
bool says(const Words& line, const std::string& option, const std::string& value) {
  if (is_list(option)) return false;
  if (has_names(option)) {
    for (std::size_t k = 0; k < line.size(); ++k) {
      const bool is_next = line[k] == option && k + 1 < line.size();
      if ((is_next && name_of(line[k + 1]) == name_of(value)) ||
          line[k].starts_with(option + "=" + name_of(value)))
        return true;
    }
    return false;
  }
  for (const auto& pair : either) {
    const bool is_one = std::ranges::find(pair, option) != pair.end();
    if (is_one && std::ranges::any_of(line, [&](const std::string& word) {
          return is_option(word, pair[0]) || is_option(word, pair[1]);
        }))
      return true;
  }
  return std::ranges::any_of(line,
                             [&](const std::string& word) { return is_option(word, option); });
}

/// Appends options with their values, except those that the line overrides.
void add_missing(const Words& options, const Words& line, Words& to) {
  for (std::size_t k = 0; k < options.size(); ++k) {
    const auto* const key = std::ranges::find(suite_keys, options[k], &SuiteKey::option);
    const bool is_flag =
        options[k] == "--bitwise" || (key != suite_keys.end() && key->form == SuiteKey::Form::flag);
    const std::string& value = is_flag ? options[k] : options[k + 1];
    if (!says(line, options[k], value)) {
      to.push_back(options[k]);
      if (!is_flag) to.push_back(value);
    }
    if (!is_flag) ++k;
  }
}

Words expanded(const SuiteEntry& entry, const std::string& command, const Words& line) {
  Words words{entry.file};
  add_missing(entry.inputs, line, words);
  if (command != "capture") add_missing(entry.choices, line, words);
  if (command == "run") {
    for (const std::string& against : entry.against)
      add_missing({"--against", against}, line, words);
  }
  if (command != "explore") return words;
  add_missing(entry.explore, line, words);
  if (!entry.sizes.empty())
    add_missing({"--sizes", fmt::format("{}", fmt::join(entry.sizes, ","))}, line, words);
  if (!entry.budget.empty()) add_missing({"--budget", entry.budget}, line, words);
  return words;
}

}  // namespace

Words with_entry(Words words) {
  constexpr std::array commands{"run", "trace", "explore", "capture"};
  if (words.size() < 3 || std::ranges::find(commands, words[1]) == commands.end()) return words;
  for (std::size_t k = 2; k < words.size(); ++k) {
    const auto named = entry_named(words[k]);
    if (!named) continue;
    const SuiteEntry entry = read_entry(named->file, named->entry);
    const Words instead = expanded(entry, words[1], words);
    const auto at = words.erase(words.begin() + static_cast<std::ptrdiff_t>(k));
    words.insert(at, instead.begin(), instead.end());
    return words;
  }
  return words;
}

}  // namespace lockstep::cli
