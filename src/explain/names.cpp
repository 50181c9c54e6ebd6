#include "explain/names.hpp"

#include <nlohmann/json.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/exec/error.hpp>

#include "explain/topics.hpp"

namespace lockstep::explain {
namespace {

using Json = nlohmann::ordered_json;

std::string list_of(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

[[noreturn]] void refuse(const std::string& name) {
  const std::vector<std::string> near = nearest(name, known_names());
  throw Error(
      fmt::format("'{}' is neither a built-in nor a topic; {}", name,
                  near.empty() ? "lockstep explain lists them" : "the nearest: " + list_of(near)));
}

}  // namespace

std::vector<std::string> known_names() {
  std::vector<std::string> known;
  for (const Row& row : rows()) known.emplace_back(row.name());
  for (const Topic& topic : topics()) known.emplace_back(topic.name);
  return known;
}

const Row& row_named(const std::string& name) {
  if (const Row* row = find_row(name)) return *row;
  const std::vector<const Row*> found = rows_named_elsewhere(name);
  if (found.empty()) refuse(name);
  if (found.size() > 1) {
    std::vector<std::string> names;
    for (const Row* row : found) names.emplace_back(row->name());
    throw Error(
        fmt::format("'{}' is, depending on how it is used, one of: {}", name, list_of(names)));
  }
  return *found.front();
}

nlohmann::ordered_json index_json() {
  Json built_ins = Json::array(), all = Json::array();
  for (const Row& row : rows())
    built_ins.push_back({{"name", row.name()}, {"extension", row.built_in->place.extension}});
  for (const Topic& topic : topics()) all.push_back({{"name", topic.name}, {"what", topic.what}});
  return {{"built_ins", built_ins}, {"topics", all}};
}

}  // namespace lockstep::explain
