#include <lockstep/testing/independent.hpp>

#include <array>
#include <exception>
#include <optional>
#include <ostream>

#include <fmt/format.h>

#include <lockstep/exec/choice_tree.hpp>

#include "runtime/testing/choices_text.hpp"

namespace lockstep::matchers {
namespace {

/// What a run gave: an array, or an exception's message.
struct Outcome {
  std::optional<LaneTable> array;
  std::string error;
};

/// Every size, and at each every sequence of choices, from the smallest up.
class Search {
 public:
  using Run = LaneTable (*)(const void*, int, const Convergence&);

  Search(const Behaviours& behaviours, Run run, const void* context)
      : behaviours_(behaviours), run_(run), context_(context) {}

  /// What the result depends on; empty if on nothing.
  std::string find() {
    for (const int size : behaviours_.sizes) {
      for (const std::span<const Choice> choices :
           {std::span<const Choice>(choices_of_convergence), std::span<const Choice>(order_)}) {
        const std::string found = find_at(size, choices);
        if (!found.empty()) return found;
      }
    }
    return {};
  }
  std::uint64_t runs() const { return runs_; }

 private:
  std::string find_at(int size, std::span<const Choice> choices) {
    ChoiceTree tree;
    for (std::uint64_t count = 0; count < behaviours_.most; ++count) {
      const auto answers = tree.next();
      if (!answers) break;
      Chooser chooser = Chooser::start_with(*answers).only(choices);
      const Outcome outcome = run_once(size, chooser);
      if (!first_) {
        first_ = outcome;
        first_size_ = size;
      }
      const std::string different = difference(outcome);
      if (!different.empty())
        return fmt::format(
            "at subgroup size {} with the choices {}, compared with size {} and {}: {}", size,
            text_of(chooser), first_size_, "rejoin-all", different);
      tree.ran(*answers, chooser);
    }
    return {};
  }

  Outcome run_once(int size, Chooser& chooser) {
    ++runs_;
    const Convergence convergence{.rule = behaviours_.rule, .chooser = &chooser};
    try {
      return {run_(context_, size, convergence), {}};
    } catch (const std::exception& error) {
      return {std::nullopt, error.what()};
    }
  }

  std::string difference(const Outcome& outcome) const {
    if (outcome.error != first_->error)
      return outcome.error.empty() ? fmt::format("only the other run ended with: {}", first_->error)
                                   : fmt::format("it ended with: {}", outcome.error);
    if (!outcome.array) return {};
    const Comparison comparison =
        compare(*outcome.array, *first_->array, {Tolerance::Kind::bits, 0});
    return comparison ? std::string() : to_string(comparison);
  }

  static constexpr std::array order_ = {Choice::subgroup_order};

  const Behaviours& behaviours_;
  Run run_;
  const void* context_;
  std::optional<Outcome> first_;
  int first_size_ = 0;
  std::uint64_t runs_ = 0;
};

}  // namespace

void Independence::DescribeTo(std::ostream* to) const {
  *to << "must give the same at every subgroup size, under every choice";
}
void Independence::DescribeNegationTo(std::ostream* to) const {
  *to << "must depend on the subgroup size or a choice";
}

std::string Independence::toString() const { return last_; }

bool Independence::matches(Run run, const void* context) const {
  Search search(behaviours_, run, context);
  const std::string found = search.find();
  last_ = found.empty() ? fmt::format("is independent in {} runs", search.runs())
                        : fmt::format("depends on a choice: {}", found);
  return found.empty();
}
bool Independence::matches(Run run, const void* context, std::ostream* explanation) const {
  const bool matching = matches(run, context);
  if (explanation != nullptr) *explanation << "which " << last_;
  return matching;
}

}  // namespace lockstep::matchers
