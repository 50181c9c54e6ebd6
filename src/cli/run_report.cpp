#include "cli/run_report.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <string>

#include "run/findings.hpp"
#include "run/summary.hpp"
#include "run/types.hpp"

namespace lockstep::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const Authors& authors, std::size_t number) {
  if (number >= authors.size()) return {};
  if (!authors[number]) return "  never written";
  const auto& [workgroup, subgroup, lane, where] = *authors[number];
  const std::string line = where.line > 0 ? fmt::format(", {}:{}", where.file, where.line) : "";
  return fmt::format("  written by workgroup ({}, {}, {}), subgroup {}, lane {}{}", workgroup.x,
                     workgroup.y, workgroup.z, subgroup, lane, line);
}

/// The writer of an element in JSON; null if no invocation wrote it.
Json json_of(const std::optional<lockstep::run::Writer>& writer) {
  if (!writer) return nullptr;
  const auto& [workgroup, subgroup, lane, where] = *writer;
  return {{"workgroup", {workgroup.x, workgroup.y, workgroup.z}},
          {"subgroup", subgroup},
          {"lane", lane},
          {"file", where.file},
          {"line", where.line}};
}

void print_summary(const BoundBuffer& buffer) {
  const auto summary = lockstep::run::summarise(buffer.array);
  std::string text = fmt::format("{}: {} x {}", buffer.title(),
                                 lockstep::run::name_of(buffer.array.dtype), summary.elements);
  if (!summary.smallest.empty())
    text += fmt::format(", {} to {}", summary.smallest, summary.largest);
  if (summary.nans > 0) text += fmt::format(", {} NaN", summary.nans);
  text += ": ";
  for (std::size_t k = 0; k < summary.first.size(); ++k)
    text += fmt::format("{}{}", k == 0 ? "" : " ", summary.first[k]);
  fmt::print("{}{}\n", text, summary.elements > summary.first.size() ? " ..." : "");
}

Json json_of_summary(const BoundBuffer& buffer) {
  const auto summary = lockstep::run::summarise(buffer.array);
  Json json{{"set", buffer.slot.set},
            {"binding", buffer.slot.binding},
            {"element", buffer.element},
            {"name", buffer.name},
            {"type", lockstep::run::name_of(buffer.array.dtype)},
            {"elements", summary.elements},
            {"smallest", summary.smallest},
            {"largest", summary.largest},
            {"nan", summary.nans},
            {"first", summary.first}};
  if (buffer.image) {
    const Size3& size = buffer.image->size;
    json["format"] = lockstep::to_string(buffer.image->format);
    json["size"] = {size.x, size.y, size.z};
  }
  if (!buffer.save.empty()) json["saved"] = buffer.save;
  return json;
}

}  // namespace

Report::Report(const RunOptions& options, const Sizes& sizes)
    : options_(options), subgroup_size_(sizes.subgroup_size) {
  json_ = {{"file", options.files.front()},
           {"subgroup_size", sizes.subgroup_size},
           {"groups", {sizes.groups.x, sizes.groups.y, sizes.groups.z}},
           {"local_size", {sizes.local_size.x, sizes.local_size.y, sizes.local_size.z}}};
}

void Report::run(const ShaderRun& run) {
  json_["steps"] = run.steps;
  json_["machine_code"] = run.machine_code;
  json_["printed"] = run.printed;
  json_["faults"] = run.faults;
  Json first = Json::array();
  for (const auto& finding : run.findings.findings()) first.push_back(to_string(finding));
  json_["first_faults"] = first;
  const LenientNotes& notes = run.findings.notes();
  json_["notes"] = Json::array();
  if (notes.count > 0) json_["notes"].push_back(to_string(notes));
  json_["findings"] = lockstep::run::to_json(run.findings);
  if (run.faults > 0) failed_ = true;
  if (notes.count > 0)
    std::fputs(fmt::format("lockstep: note: {}\n", to_string(notes)).c_str(), stderr);
  if (options_.json) return;
  if (options_.stats) fmt::print("machine code: {}\n", run.machine_code);
  for (const std::string& line : run.printed) fmt::print("{}\n", line);
  if (run.faults == 0) return;
  fmt::print("{} accesses outside memory:\n", run.faults);
  for (const auto& finding : run.findings.findings()) fmt::print("  {}\n", to_string(finding));
}

void Report::buffers(const std::vector<BoundBuffer>& buffers) {
  Json list = Json::array();
  for (const BoundBuffer& buffer : buffers) {
    if (!buffer.writable && buffer.save.empty()) continue;
    list.push_back(json_of_summary(buffer));
    if (!options_.json && buffer.save.empty()) print_summary(buffer);
  }
  json_["buffers"] = std::move(list);
}

void Report::comparison(const BoundBuffer& buffer, const lockstep::run::Comparison& result,
                        const Authors& authors) {
  if (result.differing > 0) failed_ = true;
  Json differences = Json::array();
  std::string text;
  for (std::size_t k = 0; k < result.first.size(); ++k) {
    const auto& difference = result.first[k];
    text += fmt::format("  [{}] got {}, expected {}{}\n", difference.index, difference.got,
                        difference.expected, text_of(authors, k));
    Json entry{
        {"index", difference.index}, {"got", difference.got}, {"expected", difference.expected}};
    if (k < authors.size()) entry["writer"] = json_of(authors[k]);
    differences.push_back(std::move(entry));
  }
  json_["against"].push_back({{"set", buffer.slot.set},
                              {"binding", buffer.slot.binding},
                              {"element", buffer.element},
                              {"file", buffer.against},
                              {"elements", result.elements},
                              {"differing", result.differing},
                              {"first", differences}});
  if (options_.json) return;
  if (result.differing == 0)
    fmt::print("{}: {} elements agree with {}\n", buffer.title(), result.elements, buffer.against);
  else
    fmt::print("{}: {} of {} elements differ from {}:\n{}", buffer.title(), result.differing,
               result.elements, buffer.against, text);
}

void Report::statistics(const lockstep::run::Statistics& stats) {
  Json lines = Json::array();
  for (const auto& line : stats.lines())
    lines.push_back(
        {{"file", line.file}, {"line", line.line}, {"times", line.times}, {"lanes", line.lanes}});
  json_["stats"] = {{"subgroups", stats.subgroups()},     {"lines_executed", stats.times()},
                    {"utilisation", stats.utilisation()}, {"divergences", stats.divergences()},
                    {"merges_apart", stats.apart()},      {"lines", lines}};
  if (options_.json) return;
  fmt::print(
      "{} subgroups, {} steps, {:.1f} % of lanes active, {} divergences, {} merges that "
      "did not rejoin\n",
      stats.subgroups(), stats.times(), stats.utilisation() * 100, stats.divergences(),
      stats.apart());
  fmt::print("   line      times       lanes   busy\n");
  for (const auto& line : stats.lines())
    fmt::print("{:>7} {:>10} {:>11} {:>4.0f} %  {}\n", line.line, line.times, line.lanes,
               100.0 * static_cast<double>(line.lanes) /
                   (static_cast<double>(line.times) * subgroup_size_),
               line.file);
}

ExitCode Report::finish() {
  json_["failed"] = failed_;
  if (options_.json) fmt::print("{}\n", json_.dump(2, ' ', false, Json::error_handler_t::replace));
  return failed_ ? exit_failed : exit_fine;
}

}  // namespace lockstep::cli
