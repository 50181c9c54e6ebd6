#include "cli/explore/trace.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <lockstep/exec/finding_error.hpp>
#include <lockstep/exec/variable_observer.hpp>
#include <lockstep/trace/trace.hpp>

#include "cli/trace/files.hpp"
#include "cli/trace/options.hpp"

namespace lockstep::cli {
namespace {

namespace ex = lockstep::explore;

/// Events of a workgroup that are kept, and those of a run that are compared.
constexpr std::uint64_t most_kept = 200'000, most_compared = 2'000'000;

using Workgroup = std::array<std::uint32_t, 3>;

/// Thrown by an observer that has seen enough.
class Enough : public Error {
 public:
  using Error::Error;
};

/// For each workgroup a number that is another one if its subgroups do something else.
class Digests : public Observer {
 public:
  void on(const Event& event) override {
    if (++events_ > most_compared) throw Enough("enough events to compare");
    std::size_t& digest = of_[event.workgroup][event.subgroup];
    digest = digest * 31 + std::hash<std::string>()(to_string(event));
  }

  /// The first workgroup that differs, of those that ran in both.
  static Workgroup first_difference(const Digests& a, const Digests& b) {
    std::optional<Workgroup> common;
    for (const auto& [workgroup, subgroups] : a.of_) {
      const auto other = b.of_.find(workgroup);
      if (other == b.of_.end()) continue;
      if (other->second != subgroups) return workgroup;
      if (!common) common = workgroup;
    }
    return common.value_or(Workgroup{});
  }

 private:
  std::map<Workgroup, std::map<std::uint32_t, std::size_t>> of_;
  std::uint64_t events_ = 0;
};

Digests digests_of(const ex::Subject& subject, const ex::Setting& setting) {
  Digests digests;
  Chooser chooser = Chooser::start_with(setting.answers).only(setting.asked);
  try {
    subject(setting, chooser, &digests);
  } catch (const Error&) {
    // What was seen until then is enough.
  }
  return digests;
}

/// Passes on events until the recorded workgroup has too many.
class Limited : public VariableObserver {
 public:
  Limited(Observer& to, const trace::Request& request) : to_(to), request_(request) {}

  void on(const Event& event) override {
    if (event.workgroup == request_.workgroup && ++kept_ > most_kept)
      throw Error(
          fmt::format("the workgroup has more than {} events; the trace ends there", most_kept));
    to_.on(event);
  }
  Interest interest() const override { return to_.interest(); }
  VariableNames variables() const override { return request_.variables; }

 private:
  Observer& to_;
  const trace::Request& request_;
  std::uint64_t kept_ = 0;
};

/// The value of --choose; by default what the first run does.
std::string chooser_of(const ex::Setting& setting) {
  const std::vector<std::string> words = ex::to_options(setting);
  const auto option = std::ranges::find(words, "--choose");
  return option == words.end() ? "rejoin-all" : *std::next(option);
}

/// Those of a run that has come to its end.
std::vector<BoundBuffer> with_contents(std::vector<BoundBuffer> written, const ex::Result& result) {
  if (result.buffers.size() != written.size()) return written;
  for (std::size_t k = 0; k < written.size(); ++k) written[k].array.bytes = result.buffers[k];
  return written;
}

/// Runs a setting, and records a workgroup.
TracedRun traced(const ExploreOptions& options, const std::vector<BoundBuffer>& buffers,
                 const ex::Subject& subject, const ex::Setting& setting,
                 const Workgroup& workgroup) {
  trace::Request request{.which = trace::Request::Which::workgroup,
                         .workgroup = workgroup,
                         .rule = setting.rule,
                         .choose = chooser_of(setting),
                         .variables = {.all = options.run.trace.ends_with(".html")}};
  ex::Result result;
  const std::string name = std::filesystem::path(options.run.files.front()).filename().string();
  trace::Trace trace =
      trace::record(name, setting.subgroup_size, request, [&](const Convergence& recording) {
        Limited limited(*recording.observer, request);
        try {
          result = subject(setting, *recording.chooser, &limited);
        } catch (const FindingError& error) {
          result.findings = error.earlier();
          result.findings.record(error.finding());
          throw;
        }
      });
  std::vector<BoundBuffer> before = buffers;
  std::erase_if(before, [](const BoundBuffer& buffer) { return !buffer.writable; });
  std::vector<BoundBuffer> written = with_contents(before, result);
  return {.trace = std::move(trace),
          .wrong = result.error,
          .before = std::move(before),
          .written = std::move(written),
          .findings = std::move(result.findings)};
}

}  // namespace

std::string write_counterexample(const ExploreOptions& options,
                                 const std::vector<BoundBuffer>& buffers,
                                 const ex::Subject& subject, const ex::Setting& first,
                                 const ex::Counterexample& found) {
  const Workgroup workgroup =
      Digests::first_difference(digests_of(subject, found.setting), digests_of(subject, first));
  const PageRun now(traced(options, buffers, subject, found.setting, workgroup));
  const PageRun before(traced(options, buffers, subject, first, workgroup));
  write_trace(now, &before, options.run.trace);
  return differences_of(now.run().trace, before.run().trace);
}

}  // namespace lockstep::cli
