#include <nlohmann/json.hpp>
#include <utility>

#include <lockstep/dispatch/profile.hpp>

#include "playground/answers.hpp"
#include "playground/examples.hpp"
#include "playground/message.hpp"

namespace lockstep::playground {

Json answer_choices(const Json& message) {
  constexpr std::string_view known[] = {"ask", "wgsl"};
  check_fields(message, known);
  Json examples = Json::array(), devices = Json::array();
  for (const Example& example : all_examples()) {
    Json experiment = Json::parse(example.experiment);
    experiment["source"] = example.source;
    examples.push_back({{"name", example.name}, {"experiment", std::move(experiment)}});
  }
  for (const Profile* profile : profile::all()) devices.push_back(profile->name);
  Json languages{"glsl", "hlsl"};
  if (field(message, "wgsl", false)) languages.push_back("wgsl");
  return {{"examples", std::move(examples)},
          {"devices", std::move(devices)},
          {"rules",
           {to_string(Rule::maximal), to_string(Rule::subgroup_uniform), to_string(Rule::core)}},
          {"languages", std::move(languages)}};
}

}  // namespace lockstep::playground
