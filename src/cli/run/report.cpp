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

std::string text_of_writer(const judgement::Buffer& judged, std::size_t number) {
  if (number >= judged.writers.size()) return {};
  if (!judged.writers[number]) return "  never written";
  return "  written by " + cli::text_of(*judged.writers[number]);
}

/// "buffer 1 (B): 62 of 64 elements agree with gpu.npy, 2 are racy:".
std::string heading_of(const BoundBuffer& buffer, const judgement::Elements& result) {
  using judgement::Verdict;
  if (const std::size_t wrong = result.count(Verdict::wrong); wrong > 0)
    return fmt::format("{}: {} of {} elements differ from {}:", buffer.title(), wrong,
                       result.elements, buffer.against);
  std::size_t agree = result.elements;
  std::string others;
  for (const auto& [verdict, text] :
       {std::pair(Verdict::undefined, "{} are undefined"), std::pair(Verdict::racy, "{} are racy"),
        std::pair(Verdict::open, "{} cannot be judged")}) {
    const std::size_t count = result.count(verdict);
    if (count == 0) continue;
    agree -= count;
    others += ", " + fmt::format(fmt::runtime(text), count);
  }
  if (others.empty())
    return fmt::format("{}: {} elements agree with {}", buffer.title(), result.elements,
                       buffer.against);
  return fmt::format("{}: {} of {} elements agree with {}{}:", buffer.title(), agree,
                     result.elements, buffer.against, others);
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

void print_note(const std::string& text) {
  std::fputs(fmt::format("lockstep: note: {}\n", text).c_str(), stderr);
}

void write_sarif(const lockstep::report::Findings& findings,
                 const lockstep::report::Coverage* coverage, const std::string& file) {
  Json log = lockstep::report::to_sarif(findings);
  if (coverage != nullptr) lockstep::report::add_to_sarif(*coverage, log);
  lockstep::io::write_text(file, log.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

void write_findings(const lockstep::report::Findings& findings, const RunOptions& options,
                    const lockstep::report::Coverage* coverage) {
  std::fputs(lockstep::report::to_diagnostics(findings).c_str(), stderr);
  if (!options.sarif.empty()) write_sarif(findings, coverage, options.sarif);
}

Report::Report(const RunOptions& options, const Sizes& sizes, SizesRun* several)
    : options_(options), sizes_(sizes), several_(several) {
  json_ = {{"file", options.files.front()},
           {"subgroup_size", sizes.subgroup_size},
           {"groups", {sizes.groups.x, sizes.groups.y, sizes.groups.z}},
           {"local_size", {sizes.local_size.x, sizes.local_size.y, sizes.local_size.z}},
           {"notes", Json::array()}};
}

void Report::note(const std::string& text) {
  json_["notes"].push_back(text);
  print_note(text);
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
  note(
      fmt::format("--invocations {}: only whole workgroups run, which have {} x {} x {} "
                  "invocations; the shader must ignore the surplus",
                  options_.invocations, run[0], run[1], run[2]));
}

void Report::run(const ShaderRun& run, const lockstep::report::Coverage* coverage) {
  json_["steps"] = run.steps;
  json_["machine_code"] = run.machine_code;
  json_["printed"] = run.printed;
  json_["faults"] = run.faults;
  const LenientNotes& notes = run.findings.notes();
  lockstep::report::Findings found;
  found.add(run.findings);
  findings(found, coverage);
  if (coverage != nullptr && several_ == nullptr) {
    json_["coverage"] = lockstep::report::to_json(*coverage);
    const std::string text = lockstep::report::to_text(*coverage);
    if (!text.empty()) note(text);
  }
  if (notes.count > 0) note(to_string(notes));
  if (options_.json) return;
  if (options_.stats) fmt::print("machine code: {}\n", run.machine_code);
  for (const std::string& line : run.printed) fmt::print("{}\n", line);
}

void Report::findings(const lockstep::report::Findings& found,
                      const lockstep::report::Coverage* coverage) {
  if (found.any_error()) failed_ = true;
  json_["findings"] = lockstep::report::to_json(found);
  if (several_ != nullptr) several_->add(found);
  write_findings(found, options_, coverage);
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

void Report::comparison(const BoundBuffer& buffer, const judgement::Buffer& judged) {
  using judgement::Verdict;
  const judgement::Elements& result = judged.result;
  const std::size_t wrong = result.count(Verdict::wrong);
  const std::size_t unclear =
      result.count(Verdict::undefined) + result.count(Verdict::racy) + result.count(Verdict::open);
  if (wrong > 0 || (options_.strict && unclear > 0)) failed_ = true;
  Json first = Json::array();
  std::string text;
  for (std::size_t k = 0; k < result.first.size(); ++k) {
    const judgement::Element& element = result.first[k];
    const bool has_writer = element.verdict == Verdict::wrong || element.verdict == Verdict::racy;
    Json entry = json_of(element);
    if (has_writer && k < judged.writers.size()) entry["writer"] = json_of(judged.writers[k]);
    first.push_back(std::move(entry));
    text += cli::text_of(element);
    if (has_writer) text += text_of_writer(judged, k);
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
  fmt::print("{}\n{}{}", heading_of(buffer, result), text_of_counts(result), text);
}

void Report::behaviour(const judgement::Judgement& judgement) {
  json_["behaviour"] = json_of(judgement.explanation);
  json_["tried"] = json_of(judgement.tried);
  if (!options_.json) fmt::print("{}", text_of(judgement.explanation));
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
  if (several_ != nullptr)
    several_->list.push_back(std::move(json_));
  else if (options_.json)
    fmt::print("{}\n", json_.dump(2, ' ', false, Json::error_handler_t::replace));
  return failed_ ? exit_failed : exit_fine;
}

}  // namespace lockstep::cli
