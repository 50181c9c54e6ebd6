#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <lockstep/exec/fault_log.hpp>
#include <lockstep/exec/source_location.hpp>
#include <lockstep/exec/suppressions.hpp>

namespace lockstep::report {

/// The findings of a run that count.
struct Findings {
  std::vector<Finding> list;
  std::uint64_t more =
      0;  ///< how often something was found in places of which nothing else is known

  /// Adds those of a dispatch, but for those that the source allows: `// lockstep: allow data-race` in the line of
  /// the finding or of its other end. `// lockstep: allow` allows every rule. `comments` come from texts that do not lie in files.
  void add(const FaultLog& log, const Suppressions& comments = {});
  bool any() const { return !list.empty() || more > 0; }
  /// Whether a finding is an error. Those of which nothing is known are.
  bool any_error() const;
};

/// As clang writes diagnostics: "a.comp:7:3: error: ... [data-race]", then a note for the origin or the other end.
std::string to_diagnostic(const Finding& finding);
std::string to_diagnostics(const Findings& findings);

/// An object of memory as JSON: kind, set, binding, element and name.
nlohmann::ordered_json to_json(const MemoryObject& object);
/// A finding as JSON: rule, severity, memory (of rules about memory), message, file, line, column, origin and other
/// (if known), workgroup, subgroup, lanes, count and, for rules about accesses to memory, access.
nlohmann::ordered_json to_json(const Finding& finding);
nlohmann::ordered_json to_json(const Findings& findings);

/// A SARIF location: the file as a URI, with line and column where they are known.
nlohmann::ordered_json sarif_location(const SourceLocation& where);
/// A log in the static analysis results interchange format, version 2.1.0.
nlohmann::ordered_json to_sarif(const Findings& findings);

}  // namespace lockstep::report
