#include <nlohmann/json.hpp>
#include <string>

#include <lockstep/exec/finding_error.hpp>
#include <lockstep/exec/suppressions.hpp>

#include "playground/answers.hpp"
#include "playground/experiment.hpp"
#include "report/findings.hpp"
#include "shader_case/shader_case.hpp"

namespace lockstep::playground {

Json answer_check(const Json& message) {
  Experiment experiment = read_experiment(message, {});
  experiment.run.check = "all";
  const Module module = compile(experiment);
  complete_inputs(module, experiment);
  const Profile profile = profile_of(experiment.run);
  shader_case::ShaderCase shader = make_case(module, experiment.run, profile.subgroup_size);
  Dispatch dispatch = dispatch_of(shader, experiment.run);
  const Pipeline pipeline = make_pipeline(shader, profile, dispatch);
  shader_case::RunConvergence convergence(experiment.run);
  dispatch.convergence = convergence.get();

  FaultLog found;
  std::string ended;
  try {
    found = run(shader, pipeline, shader.buffers, dispatch).findings;
  } catch (const FindingError& error) {
    found = error.earlier();
    found.record(error.finding());
  } catch (const Error& error) {
    ended = error.what();
  }
  Suppressions comments;
  comments.add(experiment.name(), experiment.source);
  lockstep::report::Findings findings;
  findings.add(found, comments);
  return {
      {"findings", lockstep::report::to_json(findings)}, {"more", findings.more}, {"ended", ended}};
}

}  // namespace lockstep::playground
