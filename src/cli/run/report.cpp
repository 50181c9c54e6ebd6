#include "cli/run/report.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <string>

#include "cli/judgement_text.hpp"
#include "io/arguments.hpp"
#include "io/files.hpp"
#include "io/types.hpp"
#include "report/findings.hpp"
#include "report/summary.hpp"

namespace lockstep::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const Authors& authors, std::size_t number) {
  if (number >= authors.size()) return {};
  if (!authors[number]) return "  never written";
  return "  written by " + cli::text_of(*authors[number]);
}

/// "u32 x 4, 1 to 9: 1 2 9 3".
std::string summary_of(const npy::Array& array) {
  const auto summary = lockstep::report::summarise(array);
  std::string text = fmt::format("{} x {}", lockstep::io::name_of(array.dtype), summary.elements);
  if (!summary.smallest.empty())
    text += fmt::format(", {} to {}", summary.smallest, summary.largest);
  if (summary.nans > 0) text += fmt::format(", {} NaN", summary.nans);
  text += ": ";
  for (std::size_t k = 0; k < summary.first.size(); ++k)
    text += fmt::format("{}{}", k == 0 ? "" : " ", summary.first[k]);
  return text + (summary.elements > summary.first.size() ? " ..." : "");
}

/// What a summary of numbers says.
Json json_of_numbers(const npy::Array& array) {
  const auto summary = lockstep::report::summarise(array);
  return {{"type", lockstep::io::name_of(array.dtype)},
          {"elements", summary.elements},
          {"smallest", summary.smallest},
          {"largest", summary.largest},
          {"nan", summary.nans},
          {"first", summary.first}};
}

Json json_of_summary(const BoundBuffer& buffer) {
  Json json{{"set", buffer.slot.set},
            {"binding", buffer.slot.binding},
            {"element", buffer.element},
            {"name", buffer.name}};
  if (buffer.columns.empty()) {
    json.update(json_of_numbers(buffer.array));
  } else {
    json["bytes"] = buffer.array.bytes.size();
    json["members"] = Json::array();
    for (const lockstep::io::Column& column : buffer.columns) {
      Json member{{"name", column.title()}};
      member.update(json_of_numbers(lockstep::io::gather(column, buffer.array.bytes)));
      json["members"].push_back(std::move(member));
    }
  }
  if (buffer.image) {
    const Size3& size = buffer.image->size();
    json["format"] = lockstep::to_string(buffer.image->format);
    json["size"] = {size.x, size.y, size.z};
    if (buffer.image->levels.count > 1) json["levels"] = buffer.image->levels.count;
    if (buffer.image->samples > 1) json["samples"] = buffer.image->samples;
  }
  if (!buffer.save.empty()) json["saved"] = buffer.save;
  return json;
}

}  // namespace

void print_summary(const BoundBuffer& buffer) {
  if (buffer.columns.empty()) {
    fmt::print("{}: {}\n", buffer.title(), summary_of(buffer.array));
    return;
  }
  fmt::print("{}: {} bytes\n", buffer.title(), buffer.array.bytes.size());
  for (const lockstep::io::Column& column : buffer.columns)
    fmt::print("  {}: {}\n", column.title(),
               summary_of(lockstep::io::gather(column, buffer.array.bytes)));
}

void write_findings(const lockstep::report::Findings& findings, const RunOptions& options) {
  std::fputs(lockstep::report::to_diagnostics(findings).c_str(), stderr);
  if (!options.sarif.empty())
    lockstep::io::write_text(options.sarif, lockstep::report::to_sarif(findings).dump(
                                                2, ' ', false, Json::error_handler_t::replace) +
                                                "\n");
}

Report::Report(const RunOptions& options, const Sizes& sizes) : options_(options), sizes_(sizes) {
  json_ = {{"file", options.files.front()},
           {"subgroup_size", sizes.subgroup_size},
           {"groups", {sizes.groups.x, sizes.groups.y, sizes.groups.z}},
           {"local_size", {sizes.local_size.x, sizes.local_size.y, sizes.local_size.z}},
           {"notes", Json::array()}};
}

void Report::note(const std::string& text) {
  json_["notes"].push_back(text);
  std::fputs(fmt::format("lockstep: note: {}\n", text).c_str(), stderr);
}

void Report::invocations() {
  const Size3 asked = lockstep::io::parse_invocations(options_.invocations);
  const Size3 &groups = sizes_.groups, &local = sizes_.local_size;
  const auto all = [](std::uint32_t count, std::uint32_t size) {
    return std::uint64_t{count} * size;
  };
  const std::uint64_t run[] = {all(groups.x, local.x), all(groups.y, local.y),
                               all(groups.z, local.z)};
  if (run[0] == asked.x && run[1] == asked.y && run[2] == asked.z) return;
  note(fmt::format(
      "--invocations {}: whole workgroups run, which are {} x {} x {} invocations; the shader must "
      "ignore those beyond",
      options_.invocations, run[0], run[1], run[2]));
}

void Report::run(const ShaderRun& run) {
  json_["steps"] = run.steps;
  json_["machine_code"] = run.machine_code;
  json_["printed"] = run.printed;
  json_["faults"] = run.faults;
  const LenientNotes& notes = run.findings.notes();
  lockstep::report::Findings found;
  found.add(run.findings);
  findings(found);
  if (notes.count > 0) note(to_string(notes));
  if (options_.json) return;
  if (options_.stats) fmt::print("machine code: {}\n", run.machine_code);
  for (const std::string& line : run.printed) fmt::print("{}\n", line);
}

void Report::findings(const lockstep::report::Findings& found) {
  if (found.any_error()) failed_ = true;
  json_["findings"] = lockstep::report::to_json(found);
  write_findings(found, options_);
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

void Report::comparison(const BoundBuffer& buffer, const lockstep::report::Judgement& result,
                        const Authors& authors) {
  using lockstep::report::Verdict;
  const std::size_t wrong = result.count(Verdict::wrong), open = result.count(Verdict::open);
  if (wrong > 0 || (options_.strict && open > 0)) failed_ = true;
  Json first = Json::array();
  std::string text;
  for (std::size_t k = 0; k < result.first.size(); ++k) {
    const lockstep::report::Judged& judged = result.first[k];
    Json entry = json_of(judged);
    if (judged.verdict == Verdict::wrong && k < authors.size())
      entry["writer"] = json_of(authors[k]);
    first.push_back(std::move(entry));
    text += cli::text_of(judged);
    if (judged.verdict == Verdict::wrong) text += text_of(authors, k);
    text += '\n';
  }
  json_["against"].push_back({{"set", buffer.slot.set},
                              {"binding", buffer.slot.binding},
                              {"element", buffer.element},
                              {"file", buffer.against},
                              {"elements", result.elements},
                              {"differing", wrong},
                              {"counts", counts_of(result)},
                              {"verdicts", runs_of(result)},
                              {"worst", worst_of(result)},
                              {"order", result.order},
                              {"first", first}});
  if (options_.json) return;
  if (wrong > 0)
    fmt::print("{}: {} of {} elements differ from {}:\n", buffer.title(), wrong, result.elements,
               buffer.against);
  else if (open > 0)
    fmt::print("{}: {} of {} elements agree with {}, {} cannot be judged:\n", buffer.title(),
               result.elements - open, result.elements, buffer.against, open);
  else
    fmt::print("{}: {} elements agree with {}\n", buffer.title(), result.elements, buffer.against);
  fmt::print("{}", text_of_counts(result));
  fmt::print("{}", text);
}

void Report::explanation(const std::vector<std::string>& lines) {
  json_["explanation"] = lines;
  if (options_.json) return;
  for (const std::string& line : lines) fmt::print("{}\n", line);
}

void Report::statistics(const lockstep::report::Statistics& stats) {
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
                   (static_cast<double>(line.times) * sizes_.subgroup_size),
               line.file);
}

ExitCode Report::ended_by(const FindingError& error) {
  FaultLog last;
  last.record(error.finding());
  lockstep::report::Findings found;
  found.add(error.earlier());
  found.add(last);
  findings(found);
  json_["error"] = error.what();
  json_["exit_status"] = static_cast<int>(exit_failed);
  json_["buffers"] = Json::array();
  return finish();
}

ExitCode Report::finish() {
  json_["outcome"] = failed_ ? "failed" : "passed";
  json_["failed"] = failed_;
  if (options_.json) fmt::print("{}\n", json_.dump(2, ' ', false, Json::error_handler_t::replace));
  return failed_ ? exit_failed : exit_fine;
}

}  // namespace lockstep::cli
