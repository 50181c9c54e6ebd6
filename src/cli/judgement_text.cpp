#include "cli/judgement_text.hpp"

#include <vector>

#include <fmt/format.h>

namespace lockstep::cli {

namespace {

using Json = nlohmann::ordered_json;

}  // namespace

using judgement::Element;
using judgement::Elements;
using judgement::Verdict;

std::string text_of(const lockstep::report::Writer& writer) {
  const auto& [workgroup, subgroup, lane, where] = writer;
  const std::string line = where.line > 0 ? fmt::format(", {}:{}", where.file, where.line) : "";
  return fmt::format("workgroup ({}, {}, {}), subgroup {}, lane {}{}", workgroup.x, workgroup.y,
                     workgroup.z, subgroup, lane, line);
}

Json json_of(const std::optional<lockstep::report::Writer>& writer) {
  if (!writer) return nullptr;
  const auto& [workgroup, subgroup, lane, where] = *writer;
  return {{"workgroup", {workgroup.x, workgroup.y, workgroup.z}},
          {"subgroup", subgroup},
          {"lane", lane},
          {"file", where.file},
          {"line", where.line}};
}

std::string place_of(const Element& judged) {
  return judged.path.empty() ? fmt::format("[{}]", judged.index) : judged.path;
}

std::string text_of(const Element& judged) {
  std::string text = fmt::format("  {} is {} in the file, {} here", place_of(judged), judged.device,
                                 judged.reference);
  if (judged.verdict != Verdict::wrong)
    text.append(fmt::format("  {}: {}", name_of(judged.verdict), judged.reason));
  else if (!judged.low.empty())
    text.append(fmt::format("  {}", judgement::allowed_text(judged)));
  return text;
}

Json json_of(const Element& judged) {
  Json json{{"index", judged.index},
            {"verdict", name_of(judged.verdict)},
            {"device", judged.device},
            {"reference", judged.reference}};
  if (!judged.path.empty()) json["member"] = judged.path;
  if (!judged.low.empty()) {
    json["low"] = judged.low;
    json["high"] = judged.high;
    json["ulps"] = judged.ulps;
    json["share"] = judged.share;
  }
  if (!judged.reason.empty()) json["reason"] = judged.reason;
  return json;
}

Json counts_of(const Elements& result) {
  Json counts = Json::object();
  for (std::size_t k = 0; k < judgement::verdict_count; ++k)
    counts[name_of(static_cast<Verdict>(k))] = result.counts[k];
  return counts;
}

Json runs_of(const Elements& result) {
  Json runs = Json::array();
  for (const auto& [verdict, count] : result.runs) runs.push_back({name_of(verdict), count});
  return runs;
}

Json worst_of(const Elements& result) {
  if (result.worst.verdict == Verdict::equal) return nullptr;
  return json_of(result.worst);
}

std::string text_of_counts(const Elements& result) {
  if (result.count(Verdict::equal) == result.elements) return {};
  std::vector<std::string> parts;
  for (std::size_t k = 0; k < judgement::verdict_count; ++k) {
    if (result.counts[k] > 0)
      parts.push_back(fmt::format("{} {}", result.counts[k], name_of(static_cast<Verdict>(k))));
  }
  std::string text = fmt::format("  {}", fmt::join(parts, ", "));
  if (!result.order.empty()) text.append(fmt::format(" (sums in the order of a {})", result.order));
  if (result.worst.verdict == Verdict::allowed)
    text.append(fmt::format("; the furthest is {}: {:.1f} ULP, {:.0f} % of what is allowed",
                            place_of(result.worst), result.worst.ulps, result.worst.share * 100));
  return text + '\n';
}

std::string text_of(const std::optional<judgement::Explanation>& explanation) {
  if (!explanation) return {};
  return fmt::format("  {} gives this: {}\n",
                     explanation->same_device ? "a behaviour that Vulkan allows"
                                              : "a behaviour that this device does not have",
                     explanation->text);
}

Json json_of(const std::optional<judgement::Explanation>& explanation) {
  if (!explanation) return nullptr;
  return {{"options", explanation->text},
          {"same_device", explanation->same_device},
          {"on", explanation->on}};
}

Json json_of(const std::optional<judgement::TriedChoices>& tried) {
  if (!tried) return nullptr;
  return {{"runs", tried->runs}, {"exhausted", tried->exhausted}};
}

}  // namespace lockstep::cli
