#include <pybind11/stl.h>

#include <array>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/exec/finding_error.hpp>
#include <lockstep/trace/trace.hpp>

#include "python/bind.hpp"
#include "python/findings.hpp"
#include "python/jobs.hpp"
#include "python/progress.hpp"
#include "render/compare.hpp"
#include "render/files.hpp"
#include "render/page.hpp"
#include "render/svg.hpp"

/// \file
/// Traces, and what shows them.

namespace lockstep::python {
namespace {

/// A recorded run with all that a page shows of it.
struct TraceOf {
  trace::Trace trace;
  report::Findings findings;
  std::vector<render::Buffer> buffers;
  std::map<std::string, std::string> sources;  ///< of text that is in no file

  render::Shown shown() const {
    return {trace, findings.list, buffers, sources.empty() ? nullptr : &sources};
  }
};

/// Which subgroups are recorded: one; none: of a workgroup all; without a workgroup everything.
trace::Request request_of(const How& how,
                          const std::optional<std::array<std::uint32_t, 3>>& workgroup,
                          std::optional<std::uint32_t> subgroup,
                          const std::optional<std::vector<std::string>>& variables,
                          std::uint64_t most_events) {
  using Which = trace::Request::Which;
  trace::Request request;
  request.which = !workgroup ? Which::all : !subgroup ? Which::workgroup : Which::subgroup;
  request.workgroup = workgroup.value_or(std::array<std::uint32_t, 3>{});
  request.subgroup = subgroup.value_or(0);
  request.rule = how.rule.value_or(Rule::maximal);
  request.choose = how.choose.value_or("rejoin-all");
  if (variables)
    request.variables.names = *variables;
  else
    request.variables.all = true;
  request.most_events = most_events;
  return request;
}

/// Records a run. Errors that end it are in the trace.
std::unique_ptr<TraceOf> record(const JobOf& job, const trace::Request& request,
                                std::map<std::string, std::string> sources, RunProgress& progress) {
  job::Contents contents = job.replay.inputs();
  FaultLog findings;
  const std::string name = std::filesystem::path(job.replay.module().name()).filename().string();
  trace::Trace trace = trace::record(name, job.replay.pipeline().subgroup_size(), request,
                                     [&](const Convergence& recording) {
                                       Convergence convergence = recording;
                                       convergence.max_trips = job.how.max_steps;
                                       Dispatch how = job.how.dispatch();
                                       how.convergence = &convergence;
                                       how.progress = &progress;
                                       try {
                                         findings = job.replay.run(contents, how).findings;
                                       } catch (const FindingError& error) {
                                         findings = error.earlier();
                                         findings.record(error.finding());
                                         throw;
                                       }
                                     });
  auto made = std::make_unique<TraceOf>(TraceOf{std::move(trace), {}, {}, std::move(sources)});
  made->findings.add(findings);
  for (const std::size_t k : job.written()) {
    const job::Binding& binding = job.replay.job().bindings[k];
    made->buffers.push_back(
        render::shown_buffer(binding.name, binding.type, binding.input, contents[k]));
  }
  return made;
}

std::string text_of(const TraceOf& trace, int columns, bool stack) {
  const std::string found = to_diagnostics(trace.findings);
  return trace.trace.text({.columns = columns, .stack = stack}) +
         (found.empty() ? "" : "\n" + found);
}

/// Where two runs part, in words.
std::string differences(const TraceOf& first, const TraceOf& second) {
  const auto& a = first.trace.subgroups();
  const auto& b = second.trace.subgroups();
  std::string text;
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) {
    const render::Comparison comparison = render::compare(first.trace, a[k], second.trace, b[k]);
    if (comparison.different.empty()) continue;
    text += to_string(comparison, first.trace.timeline(a[k]), second.trace.timeline(b[k])) + "\n";
  }
  return text.empty() ? "no difference\n" : text;
}

template <class F>
auto rendered(F render) {
  return [render](const TraceOf& trace, const TraceOf* beside) {
    const render::Shown first = trace.shown();
    if (beside == nullptr) return render(first, nullptr);
    const render::Shown second = beside->shown();
    return render(first, &second);
  };
}

}  // namespace

void add_trace(py::module_& m) {
  using render::Shown;
  py::class_<TraceOf>(m, "TraceData")
      .def("text", &text_of)
      .def("html", rendered([](const Shown& a, const Shown* b) { return to_html(a, b); }))
      .def("svg", rendered([](const Shown& a, const Shown* b) { return to_svg(a, b).text; }))
      .def("ndjson", rendered([](const Shown& a, const Shown* b) { return to_ndjson(a, b); }))
      .def("perfetto",
           rendered([](const Shown& a, const Shown* b) { return to_chrome_trace(a, b); }))
      .def("differences", &differences)
      .def_property_readonly("findings", [](const TraceOf& t) { return list_of(t.findings); })
      .def_property_readonly("left_out", [](const TraceOf& t) { return t.trace.left_out(); })
      .def_property_readonly("choices", [](const TraceOf& t) { return t.trace.replay(); })
      .def_property_readonly("steps",
                             [](const TraceOf& t) {
                               py::list made;
                               for (const auto& s : t.trace.subgroups())
                                 made.append(t.trace.timeline(s).steps.size());
                               return made;
                             })
      .def("lines",
           [](const TraceOf& t, std::size_t subgroup) {
             const auto timeline = t.trace.timeline(t.trace.subgroups().at(subgroup));
             py::list made;
             for (const trace::Step& step : timeline.steps) {
               if (step.kind != trace::Step::Kind::line) continue;
               made.append(
                   py::make_tuple(step.where.file, step.where.line, tuple_of(step.active())));
             }
             return made;
           })
      .def_property_readonly("error", [](const TraceOf& t) -> py::object {
        if (!t.trace.error()) return py::none();
        try {
          std::rethrow_exception(t.trace.error());
        } catch (const std::exception& error) {
          return py::str(error.what());
        }
      });
  m.def("trace", [](const JobOf& job, const std::optional<std::array<std::uint32_t, 3>>& workgroup,
                    std::optional<std::uint32_t> subgroup,
                    const std::optional<std::vector<std::string>>& variables,
                    std::uint64_t most_events, const std::map<std::string, std::string>& sources,
                    const py::object& callback) {
    RunProgress progress(callback);
    const trace::Request request = request_of(job.how, workgroup, subgroup, variables, most_events);
    const py::gil_scoped_release release;
    return record(job, request, sources, progress);
  });
}

}  // namespace lockstep::python
