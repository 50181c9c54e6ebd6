#include "report/coverage.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "report/findings.hpp"

namespace lockstep::report {
namespace {

using Json = nlohmann::ordered_json;

/// A text counts the rest.
constexpr std::size_t most_named = 8;

std::string words_of(const Coverage::Range& range, bool with_file) {
  const std::string lines = range.first == range.last
                                ? fmt::format("{}", range.first)
                                : fmt::format("{}-{}", range.first, range.last);
  return with_file ? fmt::format("{}:{}", range.file, lines) : lines;
}
std::string words_of(const Coverage::Side& side, bool with_file) {
  return with_file ? fmt::format("{}:{}", side.file, side.line) : fmt::format("{}", side.line);
}

/// "12, 20-24 and 3 more".
template <class All>
std::string list_of(const All& all, bool with_file) {
  std::vector<std::string> words;
  for (std::size_t k = 0; k < std::min(all.size(), most_named); ++k)
    words.push_back(words_of(all[k], with_file));
  std::string text = fmt::format("{}", fmt::join(words, ", "));
  if (all.size() > most_named) text += fmt::format(" and {} more", all.size() - most_named);
  return text;
}

Json sarif_note(const char* rule, const std::string& message, const std::string& file, int first,
                int last) {
  Json location = sarif_location({file.c_str(), first});
  if (last != first) location["physicalLocation"]["region"]["endLine"] = last;
  return {{"ruleId", rule},
          {"level", "note"},
          {"message", {{"text", message}}},
          {"locations", Json::array({std::move(location)})}};
}

}  // namespace

void Coverage::on(const Event& event) {
  const Line line{event.where.file, event.where.line};
  if (event.kind == Event::Kind::line) {
    if (!event.tangles.empty()) ran_.insert(line);
    return;
  }
  Sides& sides = entered_[line];
  sides.yes = sides.yes || !event.tangles.empty();
  sides.no = sides.no || event.others.any_lane();
}

void Coverage::add(const ShaderRun& run) {
  if (!run.places) return;
  if (run.work) {
    for (const LineCount& line : run.work->lines) ran_.insert({line.where.file, line.where.line});
    for (const BranchCount& branch : run.work->branches) {
      Sides& sides = entered_[{branch.where.file, branch.where.line}];
      sides.yes = sides.yes || branch.holding > 0;
      sides.no = sides.no || branch.failing > 0;
    }
  }
  for (const SourceLocation& where : run.places->lines) lines_[{where.file, where.line}];
  for (const SourceLocation& where : run.places->branches) branches_[{where.file, where.line}];
  for (auto& [line, ran] : lines_) ran = ran_.contains(line);
  for (auto& [line, sides] : branches_) {
    const auto entered = entered_.find(line);
    if (entered != entered_.end()) sides = entered->second;
  }
}

std::size_t Coverage::never_ran() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(lines_, [](const auto& line) { return !line.second; }));
}

std::vector<Coverage::Range> Coverage::ranges() const {
  std::vector<Range> all;
  bool goes_on = false;
  for (const auto& [line, ran] : lines_) {
    goes_on = goes_on && !ran && all.back().file == line.first;
    if (ran) continue;
    if (!goes_on) all.push_back({std::string(line.first), line.second, line.second, 0});
    all.back().last = line.second;
    ++all.back().lines;
    goes_on = true;
  }
  return all;
}

std::vector<Coverage::Side> Coverage::sides() const {
  std::vector<Side> all;
  for (const auto& [line, sides] : branches_) {
    if (sides.yes != sides.no) all.push_back({std::string(line.first), line.second, sides.yes});
  }
  return all;
}

std::string to_text(const Coverage& coverage) {
  const std::vector<Coverage::Range> ranges = coverage.ranges();
  const std::vector<Coverage::Side> sides = coverage.sides();
  std::set<std::string> files;
  for (const auto& range : ranges) files.insert(range.file);
  for (const auto& side : sides) files.insert(side.file);
  const bool with_file = files.size() > 1;
  std::vector<std::string> parts;
  if (!ranges.empty())
    parts.push_back(fmt::format("{} of {} lines never ran: {}", coverage.never_ran(),
                                coverage.lines(), list_of(ranges, with_file)));
  for (const bool was : {true, false}) {
    std::vector<Coverage::Side> some;
    std::ranges::copy_if(sides, std::back_inserter(some),
                         [&](const Coverage::Side& side) { return side.was == was; });
    if (!some.empty())
      parts.push_back(
          fmt::format("conditions that were always {}: {}", was, list_of(some, with_file)));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

Json to_json(const Coverage& coverage) {
  if (coverage.lines() == 0) return nullptr;
  Json ranges = Json::array(), sides = Json::array();
  for (const auto& [file, first, last, lines] : coverage.ranges())
    ranges.push_back({{"file", file}, {"first", first}, {"last", last}, {"lines", lines}});
  for (const auto& [file, line, was] : coverage.sides())
    sides.push_back({{"file", file}, {"line", line}, {"always", was}});
  return {{"text", to_text(coverage)},
          {"lines", coverage.lines()},
          {"never_ran", coverage.never_ran()},
          {"ranges", std::move(ranges)},
          {"sides", std::move(sides)}};
}

void add_to_sarif(const Coverage& coverage, Json& log) {
  Json& run = log["runs"][0];
  for (const auto& [file, first, last, lines] : coverage.ranges())
    run["results"].push_back(
        sarif_note("never-ran",
                   fmt::format("no lane ever ran {}, so nothing was checked here",
                               lines == 1 ? "this line" : "these lines"),
                   file, first, last));
  for (const auto& [file, line, was] : coverage.sides())
    run["results"].push_back(sarif_note(
        "one-sided-branch",
        fmt::format("the condition was always {}, so its other side was not checked", was), file,
        line, line));
  for (const auto& [id, meaning] : {std::pair("never-ran", "No lane ever ran these lines."),
                                    {"one-sided-branch", "A condition was always the same."}})
    run["tool"]["driver"]["rules"].push_back({{"id", id},
                                              {"shortDescription", {{"text", meaning}}},
                                              {"defaultConfiguration", {{"level", "note"}}}});
}

}  // namespace lockstep::report
