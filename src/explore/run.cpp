#include "explore/run.hpp"

#include <cstdint>

#include <nlohmann/json.hpp>

#include <lockstep/exec/intern.hpp>

namespace lockstep::explore {
namespace {

using Json = nlohmann::json;

Json to_json(const Run& run) {
  Json questions = Json::array();
  for (const Chooser::Question& q : run.questions)
    questions.push_back({q.options, q.choice, q.where.file, q.where.line, q.where.column});
  Json out{{"answers", run.setting.answers}, {"questions", std::move(questions)}};
  if (!run.difference) return out;
  const Difference& d = *run.difference;
  out["difference"] = {d.buffer, d.byte, d.error, d.only_order};
  out["only_order"] = run.only_order;
  out["error"] = run.result.error;
  out["buffers"] = Json::array();
  for (const std::vector<std::byte>& bytes : run.result.buffers) {
    const auto* begin = reinterpret_cast<const std::uint8_t*>(bytes.data());
    out["buffers"].push_back(Json::binary({begin, begin + bytes.size()}));
  }
  return out;
}

Run run_of(const Json& json) {
  Run run;
  json.at("answers").get_to(run.setting.answers);
  for (const Json& q : json.at("questions")) {
    const SourceLocation where{intern(q[2].get<std::string>()), q[3].get<int>(), q[4].get<int>()};
    run.questions.push_back({q[0].get<std::uint32_t>(), q[1].get<Choice>(), where});
  }
  if (!json.contains("difference")) return run;
  const Json& d = json["difference"];
  run.difference = Difference{d[0].get<std::size_t>(), d[1].get<std::uint64_t>(),
                              d[2].get<std::string>(), d[3].get<bool>()};
  json.at("only_order").get_to(run.only_order);
  json.at("error").get_to(run.result.error);
  for (const Json& buffer : json.at("buffers")) {
    const auto& bytes = buffer.get_binary();
    const auto* begin = reinterpret_cast<const std::byte*>(bytes.data());
    run.result.buffers.emplace_back(begin, begin + bytes.size());
  }
  return run;
}

}  // namespace

std::string to_bytes(const std::vector<Run>& runs, bool stop) {
  Json all = Json::array();
  for (const Run& run : runs) all.push_back(to_json(run));
  std::string bytes;
  Json::to_cbor(Json{{"runs", std::move(all)}, {"stop", stop}}, bytes);
  return bytes;
}

Told from_bytes(const std::string& bytes) {
  const Json json = Json::from_cbor(bytes);
  Told told;
  told.stop = json.at("stop").get<bool>();
  for (const Json& run : json.at("runs")) told.runs.push_back(run_of(run));
  return told;
}

}  // namespace lockstep::explore
