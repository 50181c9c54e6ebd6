#include "explore/explorer.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "explore/advice.hpp"
#include "explore/setting.hpp"
#include "explore/shader_subject.hpp"
#include "io/choices.hpp"
#include "judgement/allowance.hpp"
#include "playground/answers.hpp"
#include "playground/experiment.hpp"
#include "playground/playground.hpp"
#include "shader_case/exploration.hpp"
#include "shader_case/shader_rerun.hpp"

namespace lockstep::playground {
namespace {

namespace ex = lockstep::explore;
using shader_case::BoundBuffer;

Json names_of(const ex::Dimensions& dimensions) {
  Json names = Json::array();
  for (const ex::Dimension d : dimensions.list()) names.push_back(to_string(d));
  return names;
}

/// A setting as the members of an experiment that give it.
Json experiment_of(const ex::Setting& setting) {
  static const std::map<std::string_view, const char*> members{{"--choose", "choose"},
                                                               {"--mapping", "mapping"},
                                                               {"--partial-subgroups", "partial"},
                                                               {"--workgroup-order", "order"}};
  Json json{
      {"size", setting.subgroup_size}, {"rule", to_string(setting.rule)}, {"choose", "rejoin-all"}};
  const std::vector<std::string> words = to_options(setting);
  for (std::size_t k = 0; k + 1 < words.size(); k += 2) {
    if (const auto member = members.find(words[k]); member != members.end())
      json[member->second] = words[k + 1];
  }
  return json;
}

Json difference_of(const ex::Verdict& verdict, const std::vector<const BoundBuffer*>& written) {
  const ex::Difference& found = verdict.smallest->difference;
  if (!found.error.empty()) return {{"error", found.error}};
  Json json{{"buffer", written[found.buffer]->title()}};
  if (const auto element = shader_case::differing(verdict, written))
    json.update({{"place", element->place}, {"now", element->now}, {"first", element->before}});
  else
    json["place"] = fmt::format("byte {}", found.byte);
  return json;
}

/// What is asked: everything that a device may do, from the first run of the experiment.
ex::Request request_of(const Json& message, const Experiment& experiment, const Profile& profile,
                       const Pipeline& pipeline, const shader_case::ShaderCase& shader) {
  ex::Request request;
  if (message.contains("vary"))
    request.vary = ex::Dimensions::parse(field<std::string>(message, "vary", ""));
  request.sizes = shader_case::usual_sizes(profile, experiment.run.device.empty() ? 4 : 1);
  request.first.subgroup_size = profile.subgroup_size;
  request.first.rule = message.contains("rule")
                           ? lockstep::io::parse_rule(experiment.run.convergence)
                           : ex::declared_rule(pipeline.interface());
  shader_case::set_shape(request, shader, false);
  request.threads = 1;
  const int runs = field(message, "runs", 500);
  if (runs < 1 || static_cast<std::uint64_t>(runs) > limits::explored_runs)
    throw UsageError(fmt::format("the message's 'runs' are 1 to {}", limits::explored_runs));
  request.most_runs = static_cast<std::uint64_t>(runs);
  request.most_time = std::chrono::duration<double>(limits::explored_seconds);
  return request;
}

Json json_of(const ex::Verdict& verdict, const ex::Request& request, const ex::Subject& subject,
             const std::vector<const BoundBuffer*>& written) {
  Json json{{"verdict", verdict.independent() ? "independent" : "depends"},
            {"runs", verdict.runs},
            {"exhausted", names_of(verdict.exhausted)},
            {"varied", names_of(request.vary)},
            {"on", names_of(verdict.on)},
            {"first", experiment_of(request.first)},
            {"ended", verdict.first.error}};
  if (verdict.independent()) return json;
  if (!verdict.on.any()) json["on"] = names_of(verdict.smallest->on);
  const ex::Advice advice = ex::advise(subject, request, *verdict.smallest);
  json["where"] = Json::array();
  for (const ex::Parting& parting : advice.where)
    json["where"].push_back({{"dimension", to_string(parting.dimension)},
                             {"file", parting.where.file},
                             {"line", parting.where.line}});
  json["smallest"] = experiment_of(verdict.smallest->setting);
  json["difference"] = difference_of(verdict, written);
  json["advice"] = advice.text;
  return json;
}

}  // namespace

Json answer_explore(const Json& message) {
  Experiment experiment = read_experiment(message, {"vary", "runs"});
  experiment.run.choose.clear();
  if (!message.contains("rule")) experiment.run.convergence.clear();
  const Module module = compile(experiment);
  complete_inputs(module, experiment);
  const Profile profile = profile_of(experiment.run);
  shader_case::ShaderCase shader = make_case(module, experiment.run, profile.subgroup_size);
  const Dispatch dispatch = dispatch_of(shader, experiment.run);
  const Pipeline pipeline = make_pipeline(shader, profile, dispatch);

  ex::Request request = request_of(message, experiment, profile, pipeline, shader);
  ex::ShaderSubject varied = shader_case::subject_of(shader, pipeline, dispatch);
  if (request.vary.has(ex::Dimension::subgroup_size)) {
    for (const int size : request.sizes) varied.add_size(size);
  }
  // Floats are compared as a device's results are judged.
  const shader_case::ShaderRerun rerun(shader, pipeline, experiment.run, shader.buffers);
  const judgement::Allowance allowance(rerun);
  std::vector<std::size_t> numbers;
  std::vector<const BoundBuffer*> written;
  for (std::size_t k = 0; k < shader.buffers.size(); ++k) {
    if (!shader.buffers[k].writable) continue;
    numbers.push_back(k);
    written.push_back(&shader.buffers[k]);
  }
  request.differs = [&](std::size_t buffer, std::span<const std::byte> now) {
    return allowance.first_difference(numbers[buffer], now);
  };
  const ex::Subject subject = std::ref(varied);
  return json_of(ex::explore(subject, request), request, subject, written);
}

}  // namespace lockstep::playground
