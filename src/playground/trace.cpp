#include <array>
#include <charconv>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include <lockstep/exec/suppressions.hpp>

#include "io/choices.hpp"
#include "playground/answers.hpp"
#include "playground/experiment.hpp"
#include "playground/playground.hpp"
#include "render/data.hpp"
#include "shader_case/traced_run.hpp"

namespace lockstep::playground {
namespace {

using shader_case::PageRun;
using shader_case::RunOptions;

/// What to record: {"workgroup": [0, 0, 0], "subgroup": "1" or "all"}.
trace::Request request_of(const Json& message) {
  using Which = trace::Request::Which;
  trace::Request request;
  request.variables.all = true;
  const auto workgroup = field<std::vector<std::uint32_t>>(message, "workgroup", {});
  if (workgroup.size() > 3)
    throw UsageError("the message's 'workgroup' has more than three numbers");
  std::ranges::copy(workgroup, request.workgroup.begin());
  const auto subgroup = field<std::string>(message, "subgroup", "0");
  if (subgroup == "all") {
    request.which = Which::workgroup;
    return request;
  }
  const char* const end = subgroup.data() + subgroup.size();
  const auto [at, error] = std::from_chars(subgroup.data(), end, request.subgroup);
  if (error != std::errc() || at != end)
    throw UsageError(fmt::format("--subgroup {}: write a number, or all", subgroup));
  return request;
}

/// Runs a module of the experiment's source.
std::unique_ptr<PageRun> run_of(const Module& module, const Experiment& experiment,
                                const RunOptions& run, trace::Request request) {
  request.rule = lockstep::io::parse_rule(run.convergence);
  request.choose = run.choose;
  Suppressions comments;
  comments.add(experiment.name(), experiment.source);
  return std::make_unique<PageRun>(
      trace_module(module, run, request, experiment.name(), limits::events), comments);
}

/// What a message asks to be run and recorded.
struct Recorded {
  Experiment experiment;
  std::unique_ptr<PageRun> first, second = nullptr;

  template <class F>
  auto shown(F&& f) const {
    const std::map<std::string, std::string> sources{{experiment.name(), experiment.source}};
    const render::Shown run = first->shown(&sources);
    if (second == nullptr) return f(run, nullptr);
    const render::Shown beside = second->shown(&sources);
    return f(run, &beside);
  }
};

Recorded recorded(const Json& message) {
  Experiment experiment = read_experiment(message, {"check", "workgroup", "subgroup", "beside"});
  if (field(message, "check", false)) experiment.run.check = "all";
  const trace::Request request = request_of(message);
  const Module module = compile(experiment);
  complete_inputs(module, experiment);

  Recorded runs{experiment, run_of(module, experiment, experiment.run, request)};
  if (message.contains("beside") && !message.at("beside").is_null()) {
    check_fields(message.at("beside"), machine_fields);
    RunOptions other = experiment.run;
    read_machine(message.at("beside"), other);
    runs.second = run_of(module, experiment, other, request);
  }
  return runs;
}

}  // namespace

Json answer_trace(const Json& message) {
  const Recorded runs = recorded(message);
  const RunOptions& run = runs.experiment.run;
  Json answer{{"run", runs.shown([](const render::Shown& first, const render::Shown* second) {
                 return render::data_of(first, second);
               })},
              {"inputs", run.buffers},
              {"images", run.images},
              {"push", run.push}};
  for (const std::string& sampler : run.samplers) answer["images"].push_back(sampler);
  return answer;
}

Json answer_page(const Json& message) {
  return {
      {"html", recorded(message).shown([](const render::Shown& first, const render::Shown* second) {
         return render::to_html(first, second);
       })}};
}

}  // namespace lockstep::playground
