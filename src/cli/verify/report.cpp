#include "cli/verify/report.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "amber/junit.hpp"
#include "report/findings.hpp"

namespace lockstep::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string never_ran(const Verified& one) {
  return one.coverage.is_object() ? one.coverage.value("text", "") : "";
}

std::uint64_t explored(const Verified& one) {
  return one.exploration.is_object() ? one.exploration.value("runs", std::uint64_t{0}) : 0;
}

std::string sizes_of(const Verified& one) {
  if (one.sizes.empty()) return "-";
  const bool is_default = one.sizes == std::vector<int>{4, 8, 16, 32, 64, 128};
  return is_default ? "4-128" : fmt::format("{}", fmt::join(one.sizes, ","));
}

std::map<Standing, std::size_t> counts_of(const std::vector<Verified>& all) {
  std::map<Standing, std::size_t> counts;
  for (const Verified& one : all) ++counts[one.standing];
  return counts;
}

std::string message_of(const Verified& one) {
  return fmt::format("{}: {}", text_of(one.standing), fmt::join(one.reasons, "; "));
}

amber::Verdict verdict_of(Standing standing) {
  if (standing == Standing::clean) return amber::Verdict::passed;
  if (standing == Standing::not_supported) return amber::Verdict::skipped;
  return standing < Standing::not_supported ? amber::Verdict::failed : amber::Verdict::error;
}

/// What identifies a result across sizes and runs.
std::string key_of(const Json& result) {
  return result.value("ruleId", "") + result.value("locations", Json()).dump() +
         result.value("relatedLocations", Json()).dump();
}

Json to_json(const Verified& one) {
  return {{"name", one.subject.name()},
          {"file", one.subject.entry.file},
          {"result", text_of(one.standing)},
          {"reasons", one.reasons},
          {"notes", one.notes},
          {"sizes", one.sizes},
          {"compared", one.compared},
          {"coverage", one.coverage},
          {"findings", one.findings},
          {"runs", one.runs},
          {"exploration", one.exploration},
          {"captures", one.captures},
          {"commands", one.commands},
          {"seconds", one.seconds}};
}

}  // namespace

std::string aligned(const std::vector<std::vector<std::string>>& rows, std::size_t row) {
  std::string text;
  for (std::size_t k = 0; k < rows[row].size(); ++k) {
    std::size_t width = 0;
    for (const auto& cells : rows) width = std::max(width, cells[k].size());
    text += k + 1 < rows[row].size() ? fmt::format("{:{}}  ", rows[row][k], width) : rows[row][k];
  }
  return text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
}

std::string to_table(const std::vector<Verified>& all) {
  std::vector<std::vector<std::string>> rows{
      {"", "result", "sizes", "explored", "compared", "time"}};
  for (const Verified& one : all)
    rows.push_back({one.subject.entry.name, std::string(text_of(one.standing)), sizes_of(one),
                    explored(one) > 0 ? fmt::format("{} runs", explored(one)) : "-",
                    one.compared > 0 ? std::to_string(one.compared) : "-",
                    fmt::format("{:.1f} s", one.seconds)});
  std::string text = aligned(rows, 0);
  for (std::size_t k = 0; k < all.size(); ++k) {
    text += aligned(rows, k + 1);
    for (const std::string& reason : all[k].reasons) text += fmt::format("    {}\n", reason);
    if (!never_ran(all[k]).empty()) text += fmt::format("    {}\n", never_ran(all[k]));
    for (const std::string& note : all[k].notes) text += fmt::format("    {}\n", note);
  }
  auto counts = counts_of(all);
  text += fmt::format("{} of {} clean", counts[Standing::clean], all.size());
  counts.erase(Standing::clean);
  for (const auto& [standing, count] : counts)
    text += fmt::format(", {} {}", count, text_of(standing));
  return text + "\n";
}

Json to_json(const std::vector<Verified>& all) {
  Json json{{"entries", Json::array()}, {"counts", Json::object()}};
  for (const Verified& one : all) json["entries"].push_back(to_json(one));
  for (const auto& [standing, count] : counts_of(all))
    json["counts"][std::string(text_of(standing))] = count;
  return json;
}

std::string to_junit(const std::vector<Verified>& all, std::vector<amber::Outcome> others) {
  std::vector<amber::Outcome> outcomes;
  for (const Verified& one : all) {
    amber::Outcome outcome;
    outcome.path = one.subject.name();
    outcome.verdict = verdict_of(one.standing);
    if (one.standing != Standing::clean) outcome.message = message_of(one);
    outcome.seconds = one.seconds;
    outcomes.push_back(std::move(outcome));
  }
  std::ranges::move(others, std::back_inserter(outcomes));
  return amber::junit(outcomes, "verify");
}

Json to_message(const Verified& one) {
  Json message = to_json(one);
  message["entry"] = one.subject.entry.name;
  message["logs"] = one.logs;
  return message;
}

Verified from_message(const Json& message, const Subject& subject) {
  Verified one;
  one.subject = subject;
  one.subject.entry.name = message["entry"];
  one.standing = standing_named(message["result"].get<std::string>());
  message["reasons"].get_to(one.reasons);
  message["notes"].get_to(one.notes);
  message["commands"].get_to(one.commands);
  one.runs = message["runs"];
  one.coverage = message["coverage"];
  one.findings = message["findings"];
  one.exploration = message["exploration"];
  one.captures = message["captures"];
  message["sizes"].get_to(one.sizes);
  message["compared"].get_to(one.compared);
  message["seconds"].get_to(one.seconds);
  for (const Json& log : message["logs"]) one.logs.push_back(log);
  return one;
}

Json to_sarif(const std::vector<Verified>& all) {
  Json log = lockstep::report::to_sarif(lockstep::report::Findings());
  Json& results = log["runs"][0]["results"];
  Json& rules = log["runs"][0]["tool"]["driver"]["rules"];
  std::set<std::string> known, known_rules;
  for (const Json& rule : rules) known_rules.insert(rule["id"]);
  for (const Verified& one : all) {
    for (const Json& other : one.logs) {
      for (const Json& result : other["runs"][0]["results"]) {
        if (known.insert(key_of(result)).second) results.push_back(result);
      }
      for (const Json& rule : other["runs"][0]["tool"]["driver"]["rules"]) {
        if (known_rules.insert(rule["id"]).second) rules.push_back(rule);
      }
    }
  }
  return log;
}

}  // namespace lockstep::cli
