#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include <lockstep/exec/chooser.hpp>

namespace lockstep {

/// Every sequence of answers that a run may get from its chooser, those with the fewest choices first: in the first
/// sequence all answers are 0, in the next ones one is not, and so on.
///
///     ChoiceTree tree;
///     while (auto answers = tree.next()) {
///       Chooser chooser = Chooser::start_with(*answers);
///       ...                              // a run that asks the chooser
///       tree.ran(*answers, chooser);
///     }
///
/// Several sequences may be taken before their runs are over; the order is the same if ran() is called in the order of
/// next().
///
/// Requires      Runs depend on nothing but their answers. ran() is called once for each next().
/// Active lanes  None.
/// Errors        None.
/// Cost          Memory for the answers of each run whose successors have not run.
/// Spec          SPIR-V 2.2.5: what is left open about dynamic instances
/// Example       tests/exec/choice_tree.cpp
class ChoiceTree {
 public:
  /// The answers of the next run; nothing if all have run, or are known only when those that run are over.
  std::optional<std::vector<std::uint32_t>> next();
  /// The run with these answers is over.
  void ran(const std::vector<std::uint32_t>& answers, const Chooser& chooser) {
    ran(answers, chooser.made(), chooser.asked());
  }
  void ran(const std::vector<std::uint32_t>& answers, const std::vector<std::uint32_t>& made,
           const std::vector<Chooser::Question>& asked);

  /// Whether all sequences have run.
  bool exhausted() const { return started_ && runs_.empty() && running_ == 0; }

 private:
  /// A run, whose successors agree with it up to an answer that was 0 and differ in that one.
  struct Run {
    std::vector<std::uint32_t> made;
    std::vector<std::uint32_t> options;
    std::size_t at;            ///< the answer that differs in the next successor
    std::uint32_t answer = 1;  ///< that it has there
  };
  static void skip_single_options(Run& run);

  std::deque<Run> runs_;  ///< that have successors
  std::uint64_t running_ = 0;
  bool started_ = false;
};

}  // namespace lockstep
