#include "driver/findings.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include <unistd.h>

#include <fmt/format.h>

#include <lockstep/exec/error.hpp>

#include "driver/failure.hpp"
#include "report/findings.hpp"

namespace lockstep::driver {
namespace {

/// Replaces a file as a whole. A reader finds the old one or the new one.
void replace(const std::string& path, const std::string& text) {
  const std::string temporary = fmt::format("{}.{}.tmp", path, getpid());
  std::ofstream(temporary) << text;
  if (std::ifstream check(temporary); !check || std::rename(temporary.c_str(), path.c_str()) != 0) {
    std::remove(temporary.c_str());
    throw Error(fmt::format("{}: findings cannot be written there", path));
  }
}

bool is_same(const Finding& a, const Finding& b) {
  return a.rule == b.rule && a.where.line == b.where.line && a.where.column == b.where.column &&
         std::strcmp(a.where.file, b.where.file) == 0 && a.access.object == b.access.object &&
         a.access.kind == b.access.kind;
}

}  // namespace

Findings::Findings(std::string sarif, std::string json, std::string found)
    : sarif_(std::move(sarif)), json_(std::move(json)), found_(std::move(found)) {
  write();  // a path that cannot be written is known before anything runs
}

std::vector<Finding> Findings::add(const FaultLog& log) {
  report::Findings counted;  // without those that the source allows
  counted.add(log);
  std::vector<Finding> fresh;
  const std::lock_guard lock(adding_);
  for (const Finding& finding : counted.list) {
    const auto known = std::ranges::find_if(
        all_, [&](const Finding& earlier) { return is_same(earlier, finding); });
    if (known != all_.end())
      known->count += finding.count;
    else
      fresh.push_back(all_.emplace_back(finding));
  }
  more_ += counted.more;
  if (counted.any()) {
    try {
      mark();
      write();
    } catch (const Error& error) {
      print_error(error.what());
    }
  }
  return fresh;
}

void Findings::count(std::string_view rule) {
  const std::lock_guard lock(adding_);
  ++others_[std::string(rule)];
  mark();
}

bool Findings::any() {
  const std::lock_guard lock(adding_);
  return !all_.empty() || more_ > 0 || !others_.empty();
}

std::string Findings::summary() {
  const std::lock_guard lock(adding_);
  std::map<std::string_view, std::uint64_t> places;
  for (const Finding& finding : all_) ++places[finding.rule];
  if (more_ > 0) places["not kept"] = more_;
  for (const auto& [rule, count] : others_) places[rule] = count;
  std::string text = places.empty() ? "no findings" : "findings by rule:";
  for (const auto& [rule, count] : places)
    text += fmt::format("{} {} {}", text.ends_with(':') ? "" : ",", rule, count);
  for (const std::string& path : {sarif_, json_})
    if (!path.empty()) text += "; " + path;
  return text;
}

void Findings::mark() const {
  if (!found_.empty()) std::ofstream(found_) << "";
}

void Findings::write() const {
  report::Findings findings;
  findings.list = all_;
  findings.more = more_;
  if (!sarif_.empty()) replace(sarif_, to_sarif(findings).dump(2) + "\n");
  if (!json_.empty()) replace(json_, to_json(findings).dump(2) + "\n");
}

}  // namespace lockstep::driver
