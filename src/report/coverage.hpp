#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <lockstep/exec/event.hpp>
#include <lockstep/spirv/shader_run.hpp>

namespace lockstep::report {

/// Finds the lines and the sides of branches that no lane ever took, in one run or in several.
///
/// Requires      Outlives the dispatches that it observes, one after another.
/// Active lanes  As in each event.
/// Errors        None.
/// Cost          A look-up for each line that a subgroup reaches.
/// Spec          None.
/// Example       tests/report/coverage.cpp
class Coverage : public Observer {
 public:
  void on(const Event& event) override;
  Interest interest() const override {
    return {{Event::Kind::line, Event::Kind::enter}, false, false};
  }
  /// Adds the places of a run, and the lines that it counted. Does nothing for a run without places.
  void add(const ShaderRun& run);

  /// Consecutive lines of a file; lines without code may lie between them.
  struct Range {
    std::string file;
    int first = 0, last = 0;
    std::size_t lines = 0;  ///< with code
  };
  /// A condition that was always the same.
  struct Side {
    std::string file;
    int line = 0;
    bool was = false;  ///< what it always was
  };

  /// The number of lines with code; 0 without debug information.
  std::size_t lines() const { return lines_.size(); }
  std::size_t never_ran() const;
  std::vector<Range> ranges() const;
  /// Conditions that were evaluated, and always gave the same.
  std::vector<Side> sides() const;

 private:
  using Line = std::pair<std::string_view, int>;
  struct Sides {
    bool yes = false, no = false;
  };

  std::map<Line, bool> lines_;      ///< whether it ran
  std::map<Line, Sides> branches_;  ///< which sides were taken
  std::map<Line, Sides> entered_;   ///< the same for all enter events, which switches have too
  std::set<Line> ran_;
};

/// "31 of 90 lines never ran: 44-160; conditions that were always true: 12", with file names if there are several; empty
/// if everything was reached.
std::string to_text(const Coverage& coverage);
/// text, lines, never_ran, ranges (file, first, last, lines) and sides (file, line, always); null without debug information.
nlohmann::ordered_json to_json(const Coverage& coverage);
/// Adds the same to a log of SARIF, as notes of the rules never-ran and one-sided-branch.
void add_to_sarif(const Coverage& coverage, nlohmann::ordered_json& log);

}  // namespace lockstep::report
