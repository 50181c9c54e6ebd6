#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include <lockstep/exec/chooser.hpp>

namespace lockstep {

/// Every sequence of answers that a run may get from its chooser, those with the fewest choices first: the first
/// sequence lets every set of lanes rejoin, the next ones keep one apart, and so on.
///
///     ChoiceTree tree;
///     while (auto answers = tree.next()) {
///       Chooser chooser = Chooser::start_with(*answers);
///       ...                              // a run that asks the chooser
///       tree.ran(*answers, chooser);
///     }
///
/// Requires      Runs depend on nothing but their answers. ran() follows each next().
/// Active lanes  None.
/// Errors        None.
/// Cost          Memory for the sequences that are known and have not run: up to the number of answers of each run.
/// Spec          SPIR-V 2.2.5: what is left open about dynamic instances
/// Example       tests/exec/choice_tree.cpp
class ChoiceTree {
 public:
  /// Some kinds of choices are made; others always get the answer 0.
  explicit ChoiceTree(std::vector<Choice> open = {Choice::rejoin, Choice::switch_grouping,
                                                  Choice::fallthrough});

  /// The answers of the next run; nothing if all have run.
  std::optional<std::vector<std::uint32_t>> next();
  /// The run with these answers is over.
  void ran(const std::vector<std::uint32_t>& answers, const Chooser& chooser);

  /// Whether all sequences have been handed out.
  bool exhausted() const { return waiting_.empty(); }

 private:
  bool is_open(Choice choice) const;

  std::vector<Choice> open_;
  std::deque<std::vector<std::uint32_t>> waiting_;
};

}  // namespace lockstep
