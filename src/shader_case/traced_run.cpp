#include "shader_case/traced_run.hpp"

#include <utility>

#include <fmt/format.h>

#include <lockstep/exec/finding_error.hpp>

#include "shader_case/shader_case.hpp"

namespace lockstep::shader_case {
namespace {

render::Buffer page_buffer(const BoundBuffer& before, const BoundBuffer& after) {
  return render::shown_buffer(after.title(), after.array.dtype, before.array.bytes,
                              after.array.bytes);
}

}  // namespace

void EventLimit::on(const Event& event) {
  if (request_.has(event) && left_-- == 0)
    throw Error(fmt::format("the run reached the limit of {} events, and ends there with its trace",
                            most_));
}

TracedRun trace_module(Module module, const RunOptions& options, const trace::Request& request,
                       const std::string& name, std::uint64_t most_events) {
  const Profile profile = profile_of(options);
  ShaderCase shader = make_case(std::move(module), options, profile.subgroup_size);
  Dispatch dispatch = dispatch_of(shader, options);
  const Pipeline pipeline = make_pipeline(shader, profile, dispatch);
  const auto written = [&] {
    std::vector<BoundBuffer> buffers = shader.buffers;
    std::erase_if(buffers, [](const BoundBuffer& buffer) { return !buffer.writable; });
    return buffers;
  };
  std::vector<BoundBuffer> before = written();
  FaultLog findings;
  EventLimit limit(request, most_events);
  trace::Trace trace =
      trace::record(name, profile.subgroup_size, request, [&](const Convergence& given) {
        Convergence convergence = given;
        convergence.max_trips = options.max_steps;
        convergence.observers.push_back(&limit);
        dispatch.convergence = &convergence;
        try {
          findings = run(shader, pipeline, shader.buffers, dispatch).findings;
        } catch (const FindingError& error) {
          findings = error.earlier();
          findings.record(error.finding());
          throw;
        }
      });
  return {.trace = std::move(trace),
          .before = std::move(before),
          .written = written(),
          .saved = std::move(shader.buffers),
          .findings = std::move(findings)};
}

PageRun::PageRun(TracedRun run, const Suppressions& comments) : run_(std::move(run)) {
  findings_.add(run_.findings, comments);
  for (std::size_t k = 0; k < run_.written.size(); ++k)
    buffers_.push_back(page_buffer(run_.before[k], run_.written[k]));
}

}  // namespace lockstep::shader_case
