#include <nlohmann/json.hpp>

#include <bit>
#include <cmath>

#include "explain/picture.hpp"

namespace lockstep::explain {
namespace {

using Json = nlohmann::ordered_json;

Json numbers_of(LaneSet lanes) {
  Json all = Json::array();
  for_each_lane(lanes, [&](int lane) { all.push_back(lane); });
  return all;
}

Json value(Kind kind, const Words& words) {
  switch (kind) {
    case Kind::none:
      return nullptr;
    case Kind::boolean:
      return words[0] != 0;
    case Kind::integer:
      return static_cast<std::int32_t>(words[0]);
    case Kind::natural:
      return words[0];
    case Kind::real: {
      const float number = std::bit_cast<float>(words[0]);
      // JSON has neither infinities nor NaN.
      return std::isfinite(number) ? Json(number) : Json(to_text(kind, words));
    }
    case Kind::ballot:
      return numbers_of(to_lanes(words));
  }
  return nullptr;
}

Json column(const Column& of, LaneSet lanes) {
  Json all = Json::array();
  for (std::size_t i = 0; i < of.lanes.size(); ++i)
    all.push_back(lanes.test(static_cast<int>(i)) ? value(of.kind, of.lanes[i]) : Json(nullptr));
  return all;
}

Json run_of(const Answer& answer) {
  Json run{{"subgroup_size", answer.size}, {"active", numbers_of(answer.active)}};
  if (answer.cluster != 0) run["cluster_size"] = answer.cluster;
  run["arguments"] = Json::object();
  for (const Column& argument : answer.arguments)
    run["arguments"][argument.name] = column(argument, LaneSet::first_n(answer.size));
  run["result"] = column(answer.result, answer.active.without(answer.undefined));
  run["undefined"] = numbers_of(answer.undefined);
  run["why_undefined"] = Json::array();
  for (const Reason& reason : answer.reasons)
    run["why_undefined"].push_back(
        {{"rule", reason.rule}, {"message", reason.message}, {"lanes", numbers_of(reason.lanes)}});
  if (answer.origin != Origin::none) {
    run["sources"] = Json::array();
    for (const LaneSet& from : answer.sources) run["sources"].push_back(numbers_of(from));
  }
  run["shader"] = answer.shader;
  return run;
}

}  // namespace

Json to_json(const Row& row, const Answer* answer) {
  const spec::Place& place = row.built_in->place;
  Json opcodes = Json::array();
  for (const spec::Opcode& opcode : row.built_in->opcodes)
    if (!opcode.name.empty()) opcodes.push_back({{"name", opcode.name}, {"number", opcode.number}});
  Json wrong = Json::array();
  for (const Mistake& mistake : mistakes(row))
    wrong.push_back({{"what", mistake.what}, {"rule", mistake.rule}});
  Json json{{"name", row.name()},
            {"signature", signature(row)},
            {"meaning", meaning(row)},
            {"extension", place.extension},
            {"spirv", opcodes},
            {"operand", row.built_in->operand.text},
            {"capability", {{"name", place.capability.name}, {"number", place.capability.number}}},
            {"names",
             {{"hlsl", row.names.hlsl},
              {"cuda", row.names.cuda},
              {"wgsl", row.names.wgsl},
              {"metal", row.names.metal}}},
            {"undefined", undefined_where(row)},
            {"mistakes", wrong}};
  if (answer != nullptr) json["run"] = run_of(*answer);
  return json;
}

}  // namespace lockstep::explain
