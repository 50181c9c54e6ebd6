#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iosfwd>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <lockstep/exec/chooser.hpp>
#include <lockstep/exec/error.hpp>
#include <lockstep/exec/event.hpp>
#include <lockstep/exec/fault_log.hpp>
#include <lockstep/exec/reconvergence_stack.hpp>
#include <lockstep/exec/variable_observer.hpp>
#include <lockstep/trace/terminal.hpp>
#include <lockstep/trace/timeline.hpp>

/// \file
/// One run of any kernel or shader, recorded to be looked at.

namespace lockstep::trace {

/// Which subgroups to record, and under which rule they run.
struct Request {
  /// Which subgroups are recorded.
  enum class Which {
    subgroup,   ///< one subgroup
    workgroup,  ///< all subgroups of one workgroup
    all,        ///< everything; takes memory
  };

  Which which = Which::subgroup;
  std::array<std::uint32_t, 3> workgroup{};
  std::uint32_t subgroup = 0;
  Rule rule = Rule::maximal;
  /// What the rule leaves open: rejoin-all, rejoin-none, random:SEED or replay:LIST.
  std::string choose = "rejoin-all";
  /// Of a shader: the named variables whose values are kept.
  VariableNames variables = {};
  /// Later events are not kept, only counted.
  std::uint64_t most_events = ~std::uint64_t{0};

  /// Whether the event is one of those subgroups'.
  bool has(const Event& event) const {
    return which == Which::all || (event.workgroup == workgroup &&
                                   (which == Which::workgroup || event.subgroup == subgroup));
  }
};

/// The events of one subgroup.
struct SubgroupTrace {
  std::array<std::uint32_t, 3> workgroup{};
  std::uint32_t subgroup = 0;
  std::vector<Event> events;
};

/// The subgroup that a Request names did not run.
class AbsentSubgroup : public Error {
 public:
  using Error::Error;
};

/// A recorded run; made by trace::dispatch for kernels, and by trace::record for everything that takes a
/// Convergence.
///
/// Requires      Sources that are still where they were compiled, or their lines are left out.
/// Active lanes  As in Timeline and Event.
/// Errors        save throws Error if the file cannot be written or its name does not end with .txt.
/// Cost          The events are kept, with the values of all lanes.
/// Spec          None.
/// Example       tests/trace/dispatch.cpp
class Trace {
 public:
  /// Prints text() for the terminal that standard output is.
  void print() const;
  /// Prints text() in 80 columns.
  void print(std::ostream& to) const;
  /// Writes text() in 100 columns to a file.
  void save(const std::string& path) const;

  /// Each recorded subgroup with its title, its timeline, a legend and a summary; then accesses outside arrays,
  /// the error that ended the run, and the choices made.
  std::string text(const Look& look = {}) const;
  /// The title of a recorded subgroup: kernel, subgroup, lanes and rule.
  std::string title(const SubgroupTrace& of) const;

  /// The recorded subgroups in the order in which they started.
  const std::vector<SubgroupTrace>& subgroups() const { return subgroups_; }
  /// The events of the first one.
  const std::vector<Event>& events() const { return subgroups_.front().events; }
  /// Its steps.
  Timeline timeline() const { return timeline(subgroups_.front()); }
  Timeline timeline(const SubgroupTrace& of) const {
    return make_timeline(of.events, subgroup_size_);
  }

  /// The number of lanes in a subgroup.
  int subgroup_size() const { return subgroup_size_; }
  /// Accesses outside arrays, of all subgroups.
  const FaultLog& faults() const { return faults_; }
  /// Events after the most that were to be kept.
  std::uint64_t left_out() const { return left_out_; }
  /// The Error that ended the run early, or null. The events until then are recorded.
  std::exception_ptr error() const { return error_; }
  /// The chooser's answers, separated by commas. Empty if nothing was left open.
  const std::string& choices() const { return choices_; }
  /// The chooser that repeats this run: "atomic-order=replay:1,0".
  std::string replay() const;

 private:
  friend class Recording;
  Trace() = default;

  std::string name_;
  Request request_;
  int subgroup_size_ = 0;
  std::vector<SubgroupTrace> subgroups_;
  FaultLog faults_;
  std::exception_ptr error_;
  std::string choices_;
  std::uint64_t left_out_ = 0;
};

/// A Trace in the making: the convergence to run with, and what comes of it. trace::record is easier.
class Recording : private VariableObserver {
 public:
  Recording(std::string name, int subgroup_size, Request request);
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  /// To dispatch with.
  const Convergence& convergence() const { return convergence_; }
  /// What the dispatch returned.
  void add(const FaultLog& faults) { faults_.merge(faults); }
  /// The Error that it ended with.
  void stop(std::exception_ptr error) { error_ = std::move(error); }
  /// Throws AbsentSubgroup if the subgroup did not run, and rethrows an error that came before anything ran.
  Trace finish();

 private:
  void on(const Event& event) override;
  VariableNames variables() const override { return request_.variables; }

  std::string name_;
  int subgroup_size_;
  Request request_;
  Chooser chooser_;
  Convergence convergence_;
  std::vector<SubgroupTrace> subgroups_;
  std::array<std::uint32_t, 3> num_workgroups_{};
  std::uint32_t num_subgroups_ = 0;
  std::uint64_t events_ = 0;  ///< also those that are not kept
  FaultLog faults_;
  std::exception_ptr error_;
};

/// Records what `run(convergence)` dispatches; the result is its trace, and that of a run that ends with an Error
/// up to there.
///
///     const auto trace = lockstep::trace::record("scan.comp", 8, {}, [&](const lockstep::Convergence& convergence) {
///       shader.dispatch({4}, {.subgroup_size = 8, .convergence = &convergence});
///     });
///
/// Requires      run dispatches with the convergence and this subgroup size.
/// Active lanes  As in the run.
/// Errors        AbsentSubgroup if the requested subgroup did not run; errors before anything ran.
/// Cost          That of a dispatch under a rule, and a copy of each event.
/// Spec          None.
/// Example       tests/trace/trace.cpp
template <class F>
Trace record(std::string name, int subgroup_size, Request request, F&& run) {
  Recording recording(std::move(name), subgroup_size, std::move(request));
  try {
    if constexpr (std::is_same_v<decltype(run(recording.convergence())), FaultLog>)
      recording.add(run(recording.convergence()));
    else
      run(recording.convergence());
  } catch (const Error&) {
    recording.stop(std::current_exception());
  }
  return recording.finish();
}

}  // namespace lockstep::trace
