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
/// Example       tests/exec/allow_comments.cpp
class AllowComments {
 public:
  /// Adds those of a text that is no file. `file` is its name in findings.
  void add(std::string_view file, std::string_view text);
  /// Whether the line of the finding, or that of its other end, allows its rule. Lines are those of the texts that were
  /// added, else of files.
  bool allow(const Finding& finding) const;

 private:
  struct Line {
    std::string file;
    int number;
    std::string text;
  };

  bool allow(const SourceLocation& where, std::string_view rule) const;

  std::vector<std::string> files_;  ///< the names of the texts
  std::vector<Line> lines_;         ///< of these, with a comment
};

}  // namespace lockstep
