#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

/// \file
/// Suite files such as lockstep.json: shaders with their inputs and expected results. docs/guide/suites.md has the schema.

namespace lockstep::cli {

/// The name of a folder's suite file.
inline constexpr std::string_view suite_file = "lockstep.json";

/// An entry of a suite. File names are relative to the current folder.
struct SuiteEntry {
  std::string name;
  std::string file;                   ///< a shader, a script or the folder of a job
  std::vector<std::string> inputs;    ///< options of run, trace, explore and capture
  std::vector<std::string> choices;   ///< options of run, trace and explore
  std::vector<std::string> explore;   ///< options of explore alone
  std::vector<std::string> against;   ///< values of --against: the expected results
  std::vector<std::string> captures;  ///< folders of captured jobs
  std::vector<int> sizes;             ///< subgroup sizes; empty: all at which it can run
  std::string checks = "all";         ///< as in --check=RULES
  std::string budget;                 ///< of explore; empty: the default
  bool explores = true;
  double seconds = 0;  ///< of each step; 0: the default
};

/// The entries of a suite file in their order.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        InputError that names the entry and the key.
/// Cost          Reads the file.
/// Spec          docs/guide/suites.md
/// Example       tests/cli/verify.cpp
std::vector<SuiteEntry> read_suite(const std::string& file);
/// The entry of that name. Throws InputError if there is none.
SuiteEntry read_entry(const std::string& file, const std::string& name);

/// "suite.json:scan".
struct EntryName {
  std::string file, entry;
};
/// The parts of such a word; nullopt for other words.
std::optional<EntryName> entry_named(std::string_view word);

/// The entry for a shader and its options of `lockstep run`. Throws InputError for options without a key.
nlohmann::ordered_json entry_of(const std::vector<std::string>& words);

/// Replaces the word suite.json:scan of a command line by the file and the options of the entry, if the command takes
/// entries. Options of the command line take precedence. Throws InputError.
std::vector<std::string> with_entry(std::vector<std::string> words);

}  // namespace lockstep::cli
