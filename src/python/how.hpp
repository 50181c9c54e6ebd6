#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <lockstep/exec/chooser.hpp>
#include <lockstep/exec/reconvergence_stack.hpp>
#include <lockstep/spirv/pipeline.hpp>

namespace lockstep::python {

/// How a dispatch runs, as the arguments of Shader.run say it.
struct How {
  Size3 groups{1, 1, 1};
  int threads = 0;
  std::uint64_t max_steps = default_max_trips;
  bool deterministic = false;
  bool partially_bound = false;
  Checks checks = {};
  Lenient lenient = {};
  std::optional<Rule> rule;
  std::optional<std::string> choose;
  Mapping mapping = {};
  WorkgroupOrder order = {};

  /// Without convergence, memory and progress.
  Dispatch dispatch() const {
    Dispatch made;
    made.workgroups = groups;
    made.partially_bound = partially_bound;
    made.threads = threads;
    made.max_steps = max_steps;
    made.lenient = lenient;
    made.mapping = mapping;
    made.order = order;
    made.deterministic = deterministic;
    made.checks = checks;
    return made;
  }
};

/// The rule and chooser of one run.
class HowConvergence {
 public:
  explicit HowConvergence(const How& how)
      : named_(how.rule || how.choose),
        chooser_(how.choose ? Chooser::parse(*how.choose) : Chooser::rejoin_all()),
        convergence_{.rule = how.rule.value_or(Rule::maximal),
                     .chooser = how.choose ? &chooser_ : nullptr,
                     .observer = nullptr,
                     .max_trips = how.max_steps} {}
  HowConvergence(const HowConvergence&) = delete;
  HowConvergence& operator=(const HowConvergence&) = delete;

  /// Null where nothing is asked for: then the fast machine runs.
  const Convergence* get() const { return named_ ? &convergence_ : nullptr; }

 private:
  bool named_;
  Chooser chooser_;
  Convergence convergence_;
};

}  // namespace lockstep::python
