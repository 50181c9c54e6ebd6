#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "explain/experiment.hpp"
#include "explain/names.hpp"
#include "explain/picture.hpp"
#include "explain/topics.hpp"
#include "playground/answers.hpp"
#include "playground/message.hpp"

namespace lockstep::playground {
namespace {

std::vector<std::string> words(const Json& message, const char* name) {
  return field<std::vector<std::string>>(message, name, {});
}

Json explained(const explain::Row& row, const Json& message) {
  if (row.kind == explain::Row::Kind::barrier) return to_json(row, nullptr);
  const int size = message.contains("size") ? size_field(message, "size") : 8;
  if (size == 0) throw UsageError("'size' is 0: write 1 to 128");
  explain::Arguments arguments{words(message, "values"), words(message, "with"), {}};
  if (message.contains("cluster")) {
    const int cluster = size_field(message, "cluster");
    arguments.cluster = static_cast<std::uint32_t>(cluster);
  }
  const auto active = field<std::string>(message, "active", "");
  const explain::Answer answer =
      explain::Experiment(row, size, arguments)
          .run(active.empty() ? explain::usual_lanes(size) : explain::parse_lanes(active, size));
  return to_json(row, &answer);
}

}  // namespace

Json answer_explain(const Json& message) {
  constexpr std::string_view known[] = {"ask",    "name", "size",   "active",
                                        "values", "with", "cluster"};
  check_fields(message, known);
  const auto name = field<std::string>(message, "name", "");
  if (name.empty()) return explain::index_json();
  if (const explain::Topic* topic = explain::find_topic(name))
    return explain::to_json(*topic, topic->tell());
  return explained(explain::row_named(name), message);
}

}  // namespace lockstep::playground
