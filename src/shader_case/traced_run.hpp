#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <lockstep/exec/event.hpp>
#include <lockstep/spirv/module.hpp>
#include <lockstep/trace/trace.hpp>

#include "render/page.hpp"
#include "report/findings.hpp"
#include "shader_case/buffers.hpp"

namespace lockstep::shader_case {

/// A recorded run, and what came of it.
struct TracedRun {
  trace::Trace trace;
  std::string wrong = {};        ///< what is wrong with the result, if that is known
  bool has_expectation = false;  ///< whether it would be
  std::vector<BoundBuffer> before = {}, written = {};  ///< the buffers that a shader may write
  std::vector<BoundBuffer> saved = {};                 ///< for --save
  FaultLog findings = {};                              ///< of a checked run
};

/// Ends a run that has too many events to be kept.
class EventLimit : public Observer {
 public:
  EventLimit(const trace::Request& request, std::uint64_t most)
      : request_(request), most_(most), left_(most) {}
  void on(const Event& event) override;
  Interest interest() const override { return {EventKinds::all(), false}; }

 private:
  const trace::Request& request_;
  std::uint64_t most_, left_;
};

/// Runs and records a shader. `name` is that of the trace, `most_events` are kept.
/// Throws UsageError and InputError, and AbsentSubgroup if the requested subgroup did not run.
TracedRun trace_module(Module module, const RunOptions& options, const trace::Request& request,
                       const std::string& name, std::uint64_t most_events);

/// A recorded run with all that a page shows of it.
class PageRun {
 public:
  /// `comments`: from sources that do not lie in files.
  explicit PageRun(TracedRun run, const Suppressions& comments = {});
  PageRun(const PageRun&) = delete;
  PageRun& operator=(const PageRun&) = delete;

  const TracedRun& run() const { return run_; }
  const lockstep::report::Findings& findings() const { return findings_; }
  /// Refers to this. `sources`: the texts of its sources by name; null: they are read from files.
  render::Shown shown(const std::map<std::string, std::string>* sources = nullptr) const {
    return {run_.trace, findings_.list, buffers_, sources};
  }

 private:
  TracedRun run_;
  lockstep::report::Findings findings_;
  std::vector<render::Buffer> buffers_;
};

}  // namespace lockstep::shader_case
