#include "run/findings.hpp"

#include <nlohmann/json.hpp>
#include <string>

namespace lockstep::run {
namespace {

using Json = nlohmann::ordered_json;

std::string name_of(LaneAccess::Unit unit) {
  using Unit = LaneAccess::Unit;
  switch (unit) {
    case Unit::byte:
      return "byte";
    case Unit::element:
      return "element";
    case Unit::inner_element:
      return "inner element";
    case Unit::coordinate:
      return "coordinate";
    case Unit::texel:
      return "texel";
  }
  return "?";
}

Json to_json(const MemoryObject& object) {
  return {{"kind", to_string(object.kind)},
          {"set", object.set},
          {"binding", object.binding},
          {"element", object.element},
          {"name", object.address != 0 ? to_string(object) : object.name}};
}

}  // namespace

Json to_json(const Finding& finding) {
  Json lanes = Json::array();
  for_each_lane(finding.lanes, [&](int lane) { lanes.push_back(lane); });
  Json json{{"rule", finding.rule},
            {"severity", to_string(finding.severity)},
            {"message", finding.message},
            {"file", finding.where.file},
            {"line", finding.where.line}};
  if (finding.origin.line > 0)
    json["origin"] = {{"file", finding.origin.file}, {"line", finding.origin.line}};
  json["workgroup"] = {finding.workgroup.x, finding.workgroup.y, finding.workgroup.z};
  json["subgroup"] = finding.subgroup;
  json["lanes"] = std::move(lanes);
  json["count"] = finding.count;
  const LaneAccess& access = finding.access;
  if (access.object.kind != MemoryObject::Kind::none)
    json["access"] = {{"kind", to_string(access.kind)},
                      {"object", to_json(access.object)},
                      {"unit", name_of(access.unit)},
                      {"index", access.index},
                      {"size", access.size}};
  return json;
}

Json to_json(const FaultLog& log) {
  Json list = Json::array();
  for (const Finding& finding : log.findings()) list.push_back(to_json(finding));
  return list;
}

}  // namespace lockstep::run
