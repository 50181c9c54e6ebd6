#include <nlohmann/json.hpp>
#include <string_view>
#include <type_traits>

#include "render/files.hpp"
#include "render/lane_json.hpp"
#include "report/findings.hpp"
#include "runtime/trace/names.hpp"

namespace lockstep::render {
namespace {

using Json = nlohmann::ordered_json;

std::string_view name_of(LaneValues::Type type) {
  constexpr std::string_view names[] = {"none",    "bool",    "int8",   "int16",  "int32",
                                        "int64",   "uint8",   "uint16", "uint32", "uint64",
                                        "float16", "float32", "float64"};
  return names[static_cast<std::size_t>(type)];
}

/// The values of the lanes: numbers, of vectors lists of them.
Json values_of(const LaneValues& values, LaneSet lanes) {
  Json by_lane = Json::object();
  for_each_lane(lanes,
                [&](int lane) { by_lane[std::to_string(lane)] = json_of_lane(values, lane); });
  return {{"type", name_of(values.type)}, {"components", values.components}, {"lanes", by_lane}};
}

Json access_of(const Event& event) {
  const Access& access = event.access;
  Json bytes = Json::object();
  for_each_lane(event.others, [&](int lane) {
    const auto at = static_cast<std::size_t>(lane);
    if (at >= access.byte.size()) return;
    bytes[std::to_string(lane)] =
        access.byte[at] == Access::outside ? Json("outside") : Json(access.byte[at]);
  });
  return {{"object", report::to_json(access.object)},
          {"first_byte", bytes},
          {"bytes", access.bytes},
          {"count", access.count},
          {"step", access.step},
          {"order", to_string(access.order)}};
}

template <class Sets>
Json lists_of(const Sets& sets) {
  Json list = Json::array();
  for (const auto& set : sets) {
    if constexpr (std::is_same_v<std::decay_t<decltype(set)>, Tangle>)
      list.push_back(to_string(set.lanes));
    else
      list.push_back(to_string(set));
  }
  return list;
}

/// The lanes whose values the event has.
LaneSet lanes_of(const Event& event) {
  if (event.others.any_lane()) return event.others;
  LaneSet lanes;
  for (const Tangle& tangle : event.tangles) lanes = lanes | tangle.lanes;
  return lanes;
}

Json to_json(const Event& event) {
  using Kind = Event::Kind;
  Json json{
      {"kind", to_string(event.kind)}, {"file", event.where.file}, {"line", event.where.line}};
  if (event.where.column > 0) json["column"] = event.where.column;
  json["workgroup"] = event.workgroup;
  json["subgroup"] = event.subgroup;
  json["depth"] = event.depth;
  json["tangles"] = lists_of(event.tangles);
  if (event.others.any_lane()) json["others"] = to_string(event.others);
  if (!event.arrivals.empty()) {
    json["arrivals"] = lists_of(event.arrivals);
    json["reason"] = trace::name_of(event.reason);
  }
  if (event.kind == Kind::trip) json["trip"] = event.trip;
  if (!event.name.empty()) json["name"] = event.name;
  const LaneSet lanes = lanes_of(event);
  if (!event.operands.empty()) {
    json["operands"] = Json::array();
    for (const LaneValues& operand : event.operands)
      json["operands"].push_back(values_of(operand, lanes));
  }
  if (event.result.type != LaneValues::Type::none) json["result"] = values_of(event.result, lanes);
  if (is_access(event.kind)) json["access"] = access_of(event);
  if (event.kind == Kind::barrier || event.kind == Kind::sync) json["sync"] = to_string(event.sync);
  return json;
}

}  // namespace

std::string to_ndjson(const Shown& run, const Shown* beside) {
  std::string text;
  const auto add = [&](std::string_view name, const Json& fields) {
    Json json = Json::object();
    if (beside != nullptr) json["run"] = name;
    json.update(fields);
    text += json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  };
  const auto add_run = [&](const Shown& one, std::string_view name) {
    for (const trace::SubgroupTrace& subgroup : one.trace.subgroups())
      for (const Event& event : subgroup.events) add(name, to_json(event));
    for (const Finding& finding : one.findings) {
      Json json{{"kind", "finding"}};
      json.update(lockstep::report::to_json(finding));
      add(name, json);
    }
  };
  add_run(run, "first");
  if (beside != nullptr) add_run(*beside, "beside");
  return text;
}

}  // namespace lockstep::render
