#pragma once

#include <map>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "cli/suite/suite.hpp"
#include "cli/verify/options.hpp"

namespace lockstep::cli {

/// What is verified: an entry of a suite, or a single file.
struct Subject {
  enum class Kind { shader, script, job };

  SuiteEntry entry;
  Kind kind = Kind::shader;
  bool has_inputs = true;  ///< false: use those that `lockstep inspect` proposes
  std::string suite;       ///< the file of the entry, if there is one

  /// "suite.json:scan", or the file.
  std::string name() const { return suite.empty() ? entry.name : suite + ":" + entry.name; }
};

/// A shader that the engine does not support.
struct NotSupported : UsageError {
  using UsageError::UsageError;
};

/// The subjects that the paths name: suites, entries, shaders, scripts, jobs, and folders of these. Throws UsageError and
/// InputError.
std::vector<Subject> subjects_of(const VerifyOptions& options);

/// What `lockstep inspect` proposes for a shader.
struct Proposal {
  std::vector<std::string> words;            ///< after `lockstep run`
  std::map<std::string, std::string> slots;  ///< of bindings by name, as in options: "1:0"
};
/// Throws UsageError if the shader does not compile, and NotSupported.
Proposal proposal_for(const std::string& shader, const VerifyOptions& options);

/// The compilation options on the command line, as words.
std::vector<std::string> compile_words(const VerifyOptions& options);
/// Makes the names of files in an entry relative to the folder of its suite.
void name_files_from(const std::string& folder, nlohmann::ordered_json& entry);
/// An entry that is in a suite. Throws InputError.
Subject subject_in(const std::string& suite, const std::string& name);

/// Adds an entry for the shader of --init to the suite file of --output, and returns its name. Throws UsageError and
/// InputError.
std::string write_entry(const VerifyOptions& options);

}  // namespace lockstep::cli
