#include "report/findings.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <lockstep/config.hpp>
#include <lockstep/exec/checks.hpp>
#include <lockstep/exec/event.hpp>

namespace lockstep::report {
namespace {

using Json = nlohmann::ordered_json;

std::string place(const SourceLocation& where) {
  if (where.line <= 0) return *where.file == 0 ? "" : fmt::format("{}: ", where.file);
  if (where.column <= 0) return fmt::format("{}:{}: ", where.file, where.line);
  return fmt::format("{}:{}:{}: ", where.file, where.line, where.column);
}

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

Json to_json(const SourceLocation& where, const std::string& message) {
  return {
      {"file", where.file}, {"line", where.line}, {"column", where.column}, {"message", message}};
}

std::string origin_message(const Finding& finding) {
  return finding.origin_message.empty() ? "the value comes from here" : finding.origin_message;
}

// ---- SARIF ----

/// A file's name as a URI, or as a reference relative to wherever the log is read.
std::string uri_of(std::string_view file) {
  std::string uri = file.starts_with('/') ? "file://" : "";
  for (const char c : file) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || std::string_view("-._~/").find(c) != std::string_view::npos)
      uri += c;
    else
      uri += fmt::format("%{:02X}", byte);
  }
  return uri;
}

Json location_of(const SourceLocation& where, const std::string& message) {
  Json location = sarif_location(where);
  location["message"] = {{"text", message}};
  return location;
}

Json sarif_rules() {
  Json rules = Json::array();
  for (const CheckInfo& info : all_checks())
    rules.push_back({{"id", info.name},
                     {"shortDescription", {{"text", info.meaning}}},
                     {"defaultConfiguration", {{"level", to_string(info.severity)}}}});
  return rules;
}

Json sarif_result(const Finding& finding) {
  Json result{{"ruleId", finding.rule},
              {"level", to_string(finding.severity)},
              {"message", {{"text", finding.message}}},
              {"locations", Json::array()}};
  if (*finding.where.file != 0) result["locations"].push_back(sarif_location(finding.where));
  Json related = Json::array();
  if (finding.origin.line > 0)
    related.push_back(location_of(finding.origin, origin_message(finding)));
  if (finding.other) related.push_back(location_of(finding.other->where, finding.other->message));
  if (!related.empty()) result["relatedLocations"] = std::move(related);
  if (finding.count > 0) result["occurrenceCount"] = finding.count;
  result["properties"] = {
      {"workgroup", {finding.workgroup.x, finding.workgroup.y, finding.workgroup.z}},
      {"subgroup", finding.subgroup},
      {"lanes", to_string(finding.lanes)}};
  return result;
}

}  // namespace

void Findings::add(const FaultLog& log, const Suppressions& comments) {
  more += log.count();
  for (const Finding& finding : log.findings()) {
    more -= finding.count;
    if (comments.suppresses(finding)) continue;
    list.push_back(finding);
  }
}

bool Findings::any_error() const {
  return more > 0 || std::ranges::find(list, Severity::error, &Finding::severity) != list.end();
}

std::string to_diagnostic(const Finding& finding) {
  std::string text =
      fmt::format("{}{}: {} (workgroup ({}, {}, {}), subgroup {}", place(finding.where),
                  to_string(finding.severity), finding.message, finding.workgroup.x,
                  finding.workgroup.y, finding.workgroup.z, finding.subgroup);
  if (finding.lanes.any_lane())
    text +=
        fmt::format(", lane{} {}", finding.lanes.count() == 1 ? "" : "s", to_string(finding.lanes));
  if (finding.count > 1) text += fmt::format(", {} times", finding.count);
  text += fmt::format(") [{}]\n", finding.rule);
  if (finding.origin.line > 0)
    text += fmt::format("{}note: {}\n", place(finding.origin), origin_message(finding));
  if (finding.other)
    text += fmt::format("{}note: {}\n", place(finding.other->where), finding.other->message);
  return text;
}

std::string to_diagnostics(const Findings& findings) {
  std::string text;
  // A note belongs to what is before it.
  for (const bool notes : {false, true}) {
    for (const Finding& finding : findings.list) {
      if ((finding.severity == Severity::note) == notes) text += to_diagnostic(finding);
    }
  }
  if (findings.more > 0)
    text += fmt::format(
        "error: {} more findings in other places, which were not kept; fix these and run again\n",
        findings.more);
  return text;
}

Json to_json(const MemoryObject& object) {
  return {{"kind", to_string(object.kind)},
          {"set", object.set},
          {"binding", object.binding},
          {"element", object.element},
          {"name", object.address != 0 ? to_string(object) : object.name}};
}

Json to_json(const Finding& finding) {
  Json json{{"rule", finding.rule}, {"severity", to_string(finding.severity)}};
  if (const std::string_view memory = memory_of(finding); !memory.empty()) json["memory"] = memory;
  json["message"] = finding.message;
  json["file"] = finding.where.file;
  json["line"] = finding.where.line;
  json["column"] = finding.where.column;
  if (finding.origin.line > 0) json["origin"] = to_json(finding.origin, origin_message(finding));
  if (const auto& other = finding.other) {
    json["other"] = to_json(other->where, other->message);
    json["other"]["workgroup"] = {other->workgroup.x, other->workgroup.y, other->workgroup.z};
    json["other"]["subgroup"] = other->subgroup;
    json["other"]["lanes"] = to_string(other->lanes);
  }
  json["workgroup"] = {finding.workgroup.x, finding.workgroup.y, finding.workgroup.z};
  json["subgroup"] = finding.subgroup;
  json["lanes"] = to_string(finding.lanes);
  json["count"] = finding.count;
  const LaneAccess& access = finding.access;
  // Of what is undefined only the memory is known, not the access.
  if (access.object.kind != MemoryObject::Kind::none && finding.origin_message.empty())
    json["access"] = {{"kind", to_string(access.kind)},
                      {"object", to_json(access.object)},
                      {"unit", name_of(access.unit)},
                      {"index", access.index},
                      {"size", access.size}};
  return json;
}

Json to_json(const Findings& findings) {
  Json list = Json::array();
  for (const Finding& finding : findings.list) list.push_back(to_json(finding));
  return list;
}

Json sarif_location(const SourceLocation& where) {
  Json physical{{"artifactLocation", {{"uri", uri_of(where.file)}}}};
  if (where.line > 0) {
    physical["region"] = {{"startLine", where.line}};
    if (where.column > 0) physical["region"]["startColumn"] = where.column;
  }
  return {{"physicalLocation", std::move(physical)}};
}

Json to_sarif(const Findings& findings) {
  Json results = Json::array();
  for (const Finding& finding : findings.list) results.push_back(sarif_result(finding));
  const std::string version = fmt::format("{}.{}.{}", LOCKSTEP_VERSION_MAJOR,
                                          LOCKSTEP_VERSION_MINOR, LOCKSTEP_VERSION_PATCH);
  const Json driver{{"name", "lockstep"}, {"semanticVersion", version}, {"rules", sarif_rules()}};
  return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
          {"version", "2.1.0"},
          {"runs", {{{"tool", {{"driver", driver}}}, {"results", std::move(results)}}}}};
}

}  // namespace lockstep::report
