#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <lockstep/exec/finding.hpp>

namespace lockstep {

/// Comments that switch rules off for their lines: `// lockstep: allow data-race`, or all rules with
/// `// lockstep: allow`.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        None; a file that cannot be read has no comments.
/// Cost          Reads a finding's files once each time it is asked.
/// Spec          None.
/// Example       tests/exec/suppressions.cpp
class Suppressions {
 public:
  /// Adds the comments of a text that does not lie in a file. `file` is its name in findings.
  void add(std::string_view file, std::string_view text);
  /// Whether a comment at the finding, or at its other end, suppresses its rule. Lines are looked up in the texts that were
  /// added, then in files.
  bool suppresses(const Finding& finding) const;

 private:
  struct Line {
    std::string file;
    int number;
    std::string text;
  };

  bool suppresses(const SourceLocation& where, std::string_view rule) const;

  std::vector<std::string> files_;  ///< the names of the texts
  std::vector<Line> lines_;         ///< of these, with a comment
};

}  // namespace lockstep
