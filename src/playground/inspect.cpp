#include <nlohmann/json.hpp>

#include "playground/answers.hpp"
#include "playground/experiment.hpp"
#include "shader_case/inspection.hpp"

namespace lockstep::playground {

Json answer_inspect(const Json& message) {
  const Experiment experiment = read_experiment(message, {});
  return to_json(experiment.run, inspection_of(compile(experiment), experiment.run));
}

}  // namespace lockstep::playground
