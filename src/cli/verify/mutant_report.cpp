#include "cli/verify/mutant_report.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cli/verify/report.hpp"
#include "report/findings.hpp"

namespace lockstep::cli {
namespace {

using Json = nlohmann::ordered_json;
using Counts = std::map<Noticed, std::size_t>;

void count(const Mutated& one, Counts& counts) {
  for (const JudgedMutant& mutant : one.list) ++counts[mutant.noticed];
}

std::size_t noticed_in(const Counts& counts) {
  std::size_t sum = 0;
  for (const auto& [noticed, number] : counts) sum += is_noticed(noticed) ? number : 0;
  return sum;
}
std::size_t all_in(const Counts& counts) {
  std::size_t sum = 0;
  for (const auto& [noticed, number] : counts) sum += noticed != Noticed::invalid ? number : 0;
  return sum;
}

std::string number_of(std::size_t number) { return number == 0 ? "-" : std::to_string(number); }

std::vector<std::string> row_of(const std::string& name, Counts counts) {
  std::vector<std::string> row{name, fmt::format("{} of {}", noticed_in(counts), all_in(counts))};
  for (const Noticed by : {Noticed::by_check, Noticed::by_exploration, Noticed::by_expected,
                           Noticed::by_limit, Noticed::by_crash, Noticed::never_ran})
    row.push_back(number_of(counts[by]));
  return row;
}

/// Why it does not count as noticed.
std::string remark_of(const JudgedMutant& mutant) {
  if (mutant.noticed == Noticed::never_ran) return "its line never ran";
  if (mutant.noticed == Noticed::invalid) return fmt::format("cannot run: {}", mutant.why);
  return "";
}

/// "    mutant 4, line 12: <= instead of <".
std::string line_of(const JudgedMutant& mutant, bool with_file) {
  const std::string place = mutant.line == 0 ? ""
                            : with_file      ? fmt::format(", {}:{}", mutant.file, mutant.line)
                                             : fmt::format(", line {}", mutant.line);
  const std::string remark = remark_of(mutant);
  return fmt::format("    mutant {}{}: {}{}\n", mutant.number, place, mutant.change,
                     remark.empty() ? "" : fmt::format(" ({})", remark));
}

bool in_several_files(const Mutated& one, const std::string& file) {
  return std::ranges::any_of(one.list, [&](const JudgedMutant& mutant) {
    return mutant.line != 0 && mutant.file != file;
  });
}

Json json_of(const JudgedMutant& mutant) {
  Json json{{"number", mutant.number}, {"kind", mutant.kind},      {"file", mutant.file},
            {"line", mutant.line},     {"change", mutant.change},  {"noticed_by", nullptr},
            {"why", mutant.why},       {"command", mutant.command}};
  if (is_noticed(mutant.noticed)) json["noticed_by"] = text_of(mutant.noticed);
  if (mutant.noticed == Noticed::never_ran || mutant.noticed == Noticed::invalid)
    json["not_judged"] = text_of(mutant.noticed);
  return json;
}

}  // namespace

std::string mutant_table(const std::vector<Verified>& all, const std::vector<Mutated>& mutated) {
  std::vector<std::vector<std::string>> rows{{"mutants", "noticed", "by checks", "by exploring",
                                              "by results", "by time", "by crashes", "never ran"}};
  Counts sum;
  for (std::size_t k = 0; k < all.size(); ++k) {
    Counts counts;
    count(mutated[k], counts);
    count(mutated[k], sum);
    rows.push_back(row_of(all[k].subject.entry.name, counts));
  }
  rows.push_back(row_of("all", sum));
  std::string text = aligned(rows, 0);
  for (std::size_t k = 0; k < all.size(); ++k) {
    text += aligned(rows, k + 1);
    if (mutated[k].list.empty()) text += fmt::format("    {}\n", mutated[k].why_none);
    const bool with_file = in_several_files(mutated[k], all[k].subject.entry.file);
    for (const JudgedMutant& mutant : mutated[k].list) {
      if (!is_noticed(mutant.noticed)) text += line_of(mutant, with_file);
    }
  }
  return text + (all.size() == 1 ? "" : aligned(rows, all.size() + 1));
}

void add_mutants(const std::vector<Mutated>& mutated, Json& json) {
  Counts sum;
  for (std::size_t k = 0; k < mutated.size(); ++k) {
    count(mutated[k], sum);
    Json& entry = json["entries"][k];
    entry["mutants"] = Json::array();
    for (const JudgedMutant& mutant : mutated[k].list) entry["mutants"].push_back(json_of(mutant));
    if (!mutated[k].why_none.empty()) entry["no_mutants"] = mutated[k].why_none;
  }
  json["mutants"] = {{"all", all_in(sum)},
                     {"noticed", noticed_in(sum)},
                     {"not_noticed", sum[Noticed::not_at_all]},
                     {"never_ran", sum[Noticed::never_ran]},
                     {"invalid", sum[Noticed::invalid]}};
}

std::vector<amber::Outcome> mutant_cases(const std::vector<Verified>& all,
                                         const std::vector<Mutated>& mutated) {
  std::vector<amber::Outcome> cases;
  for (std::size_t k = 0; k < all.size(); ++k) {
    for (const JudgedMutant& mutant : mutated[k].list) {
      amber::Outcome& outcome = cases.emplace_back();
      outcome.path = fmt::format("{}, mutant {}", all[k].subject.name(), mutant.number);
      if (is_noticed(mutant.noticed)) continue;
      const bool counts = mutant.noticed != Noticed::invalid;
      outcome.verdict = counts ? amber::Verdict::failed : amber::Verdict::skipped;
      const std::string remark = remark_of(mutant);
      outcome.message = fmt::format("{}:{}: {}: {}", mutant.file, mutant.line, mutant.change,
                                    remark.empty() ? "nothing noticed it" : remark);
    }
  }
  return cases;
}

void add_mutants_to_sarif(const std::vector<Verified>& all, const std::vector<Mutated>& mutated,
                          Json& log) {
  constexpr const char* rule = "unnoticed-mutant";
  Json& run = log["runs"][0];
  run["tool"]["driver"]["rules"].push_back(
      {{"id", rule},
       {"shortDescription", {{"text", "no check, exploration or result notices a change"}}},
       {"defaultConfiguration", {{"level", "warning"}}}});
  for (std::size_t k = 0; k < all.size(); ++k) {
    for (const JudgedMutant& mutant : mutated[k].list) {
      if (is_noticed(mutant.noticed) || mutant.noticed == Noticed::invalid) continue;
      const std::string remark = remark_of(mutant);
      Json result{
          {"ruleId", rule},
          {"level", "warning"},
          {"message",
           {{"text", fmt::format("{}, mutant {}: {}: {}", all[k].subject.entry.name, mutant.number,
                                 mutant.change, remark.empty() ? "nothing notices it" : remark)}}},
          {"locations", Json::array()}};
      if (mutant.line > 0)
        result["locations"].push_back(
            lockstep::report::sarif_location({mutant.file.c_str(), mutant.line}));
      run["results"].push_back(std::move(result));
    }
  }
}

bool all_noticed(const std::vector<Mutated>& mutated) {
  Counts sum;
  for (const Mutated& one : mutated) count(one, sum);
  return noticed_in(sum) == all_in(sum);
}

}  // namespace lockstep::cli
