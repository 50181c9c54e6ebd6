#include "cli/run/trace.hpp"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/exec/finding_error.hpp>
#include <lockstep/trace/trace.hpp>

#include "cli/trace/files.hpp"
#include "cli/trace/options.hpp"

namespace lockstep::cli {
namespace {

std::vector<BoundBuffer> written(const ShaderCase& shader) {
  std::vector<BoundBuffer> buffers = shader.buffers;
  std::erase_if(buffers, [](const BoundBuffer& buffer) { return !buffer.writable; });
  return buffers;
}

trace::Request request_for(const RunOptions& options) {
  TraceOptions like;
  like.run = options;
  like.output = options.trace;
  if (like.run.convergence.empty()) like.run.convergence = "maximal";
  if (like.run.choose.empty()) like.run.choose = "rejoin-all";
  trace::Request request = request_of(like);
  request.most_events = default_max_events;  // the run goes on without a trace
  return request;
}

}  // namespace

ShaderRun run_traced(const RunOptions& options, const ShaderCase& shader,
                     const std::function<ShaderRun(const Convergence&)>& run,
                     std::exception_ptr& unwritten) {
  std::vector<BoundBuffer> before = written(shader);
  ShaderRun result;
  FaultLog findings;
  trace::Trace trace = trace::record(
      std::filesystem::path(options.files.front()).filename().string(),
      profile_of(options).subgroup_size, request_for(options), [&](const Convergence& given) {
        Convergence convergence = given;
        convergence.max_trips = options.max_steps;
        try {
          result = run(convergence);
          findings = result.findings;
        } catch (const FindingError& error) {
          findings = error.earlier();
          findings.record(error.finding());
          throw;
        }
      });
  const PageRun page({.trace = std::move(trace),
                      .before = std::move(before),
                      .written = written(shader),
                      .findings = std::move(findings)});
  try {
    write_trace(page, nullptr, options.trace);
    if (!options.json) fmt::print("wrote {}\n", options.trace);
    if (const std::uint64_t more = page.run().trace.left_out(); more != 0)
      fmt::print(stderr, "note: {} has the first {} events, and not {} more\n", options.trace,
                 default_max_events, more);
  } catch (const std::exception&) {  // also a full disk
    unwritten = std::current_exception();
  }
  if (page.run().trace.error()) std::rethrow_exception(page.run().trace.error());
  return result;
}

}  // namespace lockstep::cli
