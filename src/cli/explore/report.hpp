#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "cli/command.hpp"
#include "cli/run_options.hpp"
#include "cli/shader_case.hpp"
#include "explore/advice.hpp"
#include "explore/explorer.hpp"
#include "report/coverage.hpp"
#include "report/last_writers.hpp"

namespace lockstep::cli {

/// The command line of `lockstep explore`, as the user wrote it. Of `run` only some options can be set.
struct ExploreOptions {
  RunOptions run;
  std::vector<std::string> sizes, unordered;
  std::string vary, same, budget, progress;
  bool full_subgroups = false;
  bool bitwise = false;  ///< differences that rounding allows count, too
  bool has_max_steps = false;
  bool is_kernel = false;                  ///< the file is the name of one in C++
  explore::Dimensions not_possible;        ///< to vary in what is explored
  std::string why_not;                     ///< and where they are varied instead
  std::uint64_t elements = 256, seed = 1;  ///< of its input
};

/// The command that gives a counterexample again.
std::string replay_command(const ExploreOptions& options, const explore::Counterexample& found);

/// Who wrote some bytes of a result, by its number, under a setting.
using WriterOf = std::function<std::optional<lockstep::report::Writer>(
    const explore::Setting&, std::size_t buffer, std::uint64_t byte, std::size_t bytes)>;

/// Prints what was found out, as text or JSON. The buffers live as long as the report. `cause` is that of the smallest
/// difference, if it is known.
class ExploreReport {
 public:
  ExploreReport(const ExploreOptions& options, const std::vector<BoundBuffer>& buffers,
                const explore::Request& request, const explore::Verdict& verdict,
                const explore::Subject& subject, std::string assumed, FaultLog found,
                const WriterOf& writer_of, const std::string& cause = {});

  /// Adds which code the runs did not reach.
  void add(lockstep::report::Coverage coverage) { coverage_ = std::move(coverage); }
  /// `untraced` is why the trace cannot be written; empty if it is, or if none is wanted.
  ExitCode print(const std::string& untraced = "") const;

 private:
  ExitCode exit_code() const;
  void print_text() const;
  nlohmann::ordered_json json(const std::string& untraced) const;
  nlohmann::ordered_json smallest() const;
  FaultLog findings_of_runs() const;
  void find_advice(const explore::Subject& subject, const std::string& cause);
  const BoundBuffer& buffer(std::size_t number) const { return *written_[number]; }

  const ExploreOptions& options_;
  const explore::Request& request_;
  const explore::Verdict& verdict_;
  explore::Advice advice_;
  std::string assumed_;                             ///< of subgroups
  FaultLog found_;                                  ///< what only comparing runs tells
  std::vector<const BoundBuffer*> written_;         ///< by number in the results
  std::optional<lockstep::report::Writer> writer_;  ///< of the element that differs
  std::optional<lockstep::report::Coverage> coverage_;
};

}  // namespace lockstep::cli
