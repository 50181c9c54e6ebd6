#include "cli/suite/suite.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cli/suite/keys.hpp"
#include "io/error.hpp"
#include "io/files.hpp"
#include "io/similar.hpp"

namespace lockstep::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using lockstep::io::InputError;

/// The keys of an entry that are not in suite_keys.
constexpr std::array own_keys{"file",      "expected", "captures", "sizes",  "vary",    "same",
                              "unordered", "bitwise",  "check",    "budget", "explore", "seconds"};

bool is_scalar(const Json& value) {
  return value.is_string() || value.is_number() || value.is_boolean();
}
std::string text_of(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// Reads one entry.
class EntryReader {
 public:
  EntryReader(const std::string& suite, const std::string& name, const Json& json)
      : suite_(suite), folder_(fs::path(suite).parent_path()), json_(json) {
    entry_.name = name;
    if (!json.is_object()) refuse("must be an object");
  }

  SuiteEntry read() {
    refuse_unknown_keys();
    entry_.file = seen_from_here(text("file"));
    if (entry_.file.empty()) refuse("has no \"file\": name a shader, a script or a job");
    for (const SuiteKey& key : suite_keys) {
      if (!json_.contains(key.key)) continue;
      auto& words = key.is_choice ? entry_.choices : entry_.inputs;
      add(key, json_[key.key], words);
    }
    read_expectations();
    read_limits();
    return std::move(entry_);
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw InputError(fmt::format("{}: entry '{}' {}", suite_, entry_.name, why));
  }

  void refuse_unknown_keys() const {
    std::vector<std::string> known(own_keys.begin(), own_keys.end());
    for (const SuiteKey& key : suite_keys) known.emplace_back(key.key);
    for (const auto& [key, value] : json_.items()) {
      if (std::ranges::find(known, key) != known.end()) continue;
      const std::string meant = lockstep::io::most_similar(key, known);
      refuse(fmt::format("has an unknown key \"{}\"{}", key,
                         meant.empty() ? fmt::format("; the keys are {}", fmt::join(known, ", "))
                                       : fmt::format("; did you mean \"{}\"?", meant)));
    }
  }

  void read_expectations() {
    if (json_.contains("expected"))
      add({"expected", "--against", SuiteKey::Form::table, true}, json_["expected"],
          entry_.against);
    std::erase(entry_.against, "--against");
    for (const std::string& capture : list("captures"))
      entry_.captures.push_back(seen_from_here(capture));
    const std::string checks = text("check");
    if (!checks.empty()) entry_.checks = checks;
  }

  void read_limits() {
    if (json_.contains("sizes")) {
      const Json& sizes = json_["sizes"];
      for (const Json& size : sizes) {
        if (!sizes.is_array() || !size.is_number_integer() || size < 1 || size > 128)
          refuse("has \"sizes\" that are not subgroup sizes: write [8, 16, 32]");
        entry_.sizes.push_back(size.get<int>());
      }
    }
    for (const char* key : {"vary", "same"}) {
      if (const auto names = list(key); !names.empty())
        entry_.explore.insert(entry_.explore.end(),
                              {std::string("--") + key, fmt::format("{}", fmt::join(names, ","))});
    }
    for (const std::string& slot : list("unordered"))
      entry_.explore.insert(entry_.explore.end(), {"--unordered", slot});
    if (flag("bitwise", false)) entry_.explore.emplace_back("--bitwise");
    entry_.budget = text("budget");
    entry_.explores = flag("explore", true);
    if (!json_.contains("seconds")) return;
    if (!json_["seconds"].is_number() || json_["seconds"] <= 0)
      refuse("has \"seconds\" that is not a positive number");
    entry_.seconds = json_["seconds"].get<double>();
  }

  // ---- Values ----

  std::string text(const char* key) const {
    if (!json_.contains(key)) return {};
    if (!is_scalar(json_[key]))
      refuse(fmt::format("has \"{}\" that is neither a string nor a number", key));
    return text_of(json_[key]);
  }

  bool flag(const char* key, bool otherwise) const {
    if (!json_.contains(key)) return otherwise;
    if (!json_[key].is_boolean())
      refuse(fmt::format("has \"{}\" that is neither true nor false", key));
    return json_[key].get<bool>();
  }

  std::vector<std::string> list(const char* key) const {
    std::vector<std::string> all;
    if (!json_.contains(key)) return all;
    if (is_scalar(json_[key])) return {text_of(json_[key])};
    if (!json_[key].is_array()) refuse(fmt::format("has \"{}\" that is not an array", key));
    for (const Json& value : json_[key]) {
      if (!is_scalar(value)) refuse(fmt::format("has \"{}\" that is not an array of strings", key));
      all.push_back(text_of(value));
    }
    return all;
  }

  /// The name of a file relative to the current folder.
  std::string seen_from_here(const std::string& file) const {
    if (file.empty() || folder_.empty() || fs::path(file).is_absolute()) return file;
    return (folder_ / file).lexically_normal().string();
  }
  /// A value whose last part may be a file: "rgba8:64x64:file.npy".
  std::string with_file(const std::string& value) const {
    const std::size_t colon = value.rfind(':');
    const std::size_t at = colon == std::string::npos ? 0 : colon + 1;
    const std::string last = value.substr(at);
    for (const char* ending : {".npy", ".bin", ".png"}) {
      if (last.ends_with(ending)) return value.substr(0, at) + seen_from_here(last);
    }
    return value;
  }

  void add(const SuiteKey& key, const Json& value, std::vector<std::string>& words) const {
    using Form = SuiteKey::Form;
    const auto one = [&](const std::string& text) {
      words.emplace_back(key.option);
      words.push_back(text);
    };
    const auto resolved = [&](const std::string& text) {
      return !key.names_files         ? text
             : key.form == Form::list ? seen_from_here(text)
                                      : with_file(text);
    };
    switch (key.form) {
      case Form::flag:
        if (flag(key.key, false)) words.emplace_back(key.option);
        return;
      case Form::text:
        return one(resolved(fmt::format("{}", fmt::join(list(key.key), ","))));
      case Form::list:
        for (const std::string& text : list(key.key)) one(resolved(text));
        return;
      case Form::table:
        if (!value.is_object())
          refuse(fmt::format("has \"{}\" that is not an object: write {{\"0\": ...}}", key.key));
        for (const auto& [name, contents] : value.items()) {
          if (!is_scalar(contents))
            refuse(fmt::format("has \"{}\" whose \"{}\" is neither a string nor a number", key.key,
                               name));
          one(fmt::format("{}={}", name, resolved(text_of(contents))));
        }
        return;
    }
  }

  const std::string& suite_;
  fs::path folder_;
  const Json& json_;
  SuiteEntry entry_;
};

/// The object of entries in a suite's text.
Json entries_in(const std::string& file) {
  Json suite;
  try {
    suite = Json::parse(lockstep::io::read_text(file));
  } catch (const Json::parse_error& error) {
    throw InputError(fmt::format(
        "{}: not valid JSON at byte {}: {}", file, error.byte,
        std::string_view(error.what()).substr(std::string_view(error.what()).find("] ") + 2)));
  }
  if (!suite.is_object() || !suite.contains("entries") || !suite["entries"].is_object())
    throw InputError(fmt::format(
        "{}: is not a suite: it has no object \"entries\"; lockstep verify --init writes one",
        file));
  return suite["entries"];
}

}  // namespace

std::vector<SuiteEntry> read_suite(const std::string& file) {
  const Json entries = entries_in(file);
  std::vector<SuiteEntry> all;
  for (const auto& [name, entry] : entries.items())
    all.push_back(EntryReader(file, name, entry).read());
  if (all.empty()) throw InputError(fmt::format("{}: has no entries", file));
  return all;
}

SuiteEntry read_entry(const std::string& file, const std::string& name) {
  const Json entries = entries_in(file);
  if (entries.contains(name)) return EntryReader(file, name, entries[name]).read();
  std::vector<std::string> names;
  for (const auto& [known, entry] : entries.items()) names.push_back(known);
  throw InputError(
      fmt::format("{}: has no entry '{}'; it has {}", file, name, fmt::join(names, ", ")));
}

std::optional<EntryName> entry_named(std::string_view word) {
  const std::size_t at = word.find(".json:");
  if (at == std::string_view::npos || word.starts_with('-')) return std::nullopt;
  const std::size_t colon = at + 5;
  return EntryName{std::string(word.substr(0, colon)), std::string(word.substr(colon + 1))};
}

Json entry_of(const std::vector<std::string>& words) {
  Json entry{{"file", words.front()}};
  for (std::size_t k = 1; k < words.size(); ++k) {
    const auto* const key = std::ranges::find(suite_keys, words[k], &SuiteKey::option);
    if (key == suite_keys.end()) throw InputError(words[k] + ": suites have no such option");
    if (key->form == SuiteKey::Form::flag) {
      entry[key->key] = true;
      continue;
    }
    const std::string& value = words.at(++k);
    const std::size_t equals = value.find('=');
    if (key->form == SuiteKey::Form::text)
      entry[key->key] = value;
    else if (key->form == SuiteKey::Form::list)
      entry[key->key].push_back(value);
    else
      entry[key->key][value.substr(0, equals)] = value.substr(equals + 1);
  }
  return entry;
}

}  // namespace lockstep::cli
