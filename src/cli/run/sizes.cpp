#include "cli/run/sizes.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <lockstep/exec/error.hpp>

#include "cli/interruption.hpp"
#include "cli/load_module.hpp"
#include "cli/run/report.hpp"
#include "io/error.hpp"
#include "io/npy.hpp"

namespace lockstep::cli {
namespace {

using Json = nlohmann::ordered_json;

bool is_same_place(const Finding& a, const Finding& b) {
  const auto same = [](const SourceLocation& x, const SourceLocation& y) {
    return x.line == y.line && x.column == y.column && std::strcmp(x.file, y.file) == 0;
  };
  return a.rule == b.rule && same(a.where, b.where) && a.other.has_value() == b.other.has_value() &&
         (!a.other || same(a.other->where, b.other->where));
}

void refuse_files(const RunOptions& options) {
  const std::pair<bool, const char*> given[] = {{!options.saves.empty(), "--save"},
                                                {!options.trace.empty(), "--trace"},
                                                {!options.explain.empty(), "--explain"}};
  for (const auto& [is_given, name] : given) {
    if (is_given)
      throw UsageError(fmt::format("{} is for one run, but --subgroup-size names {} sizes", name,
                                   options.subgroup_sizes.size()));
  }
}

/// Records a size at which the shader does not run, or does not finish.
ExitCode ended(ExitCode code, const std::string& why, int size, bool json, SizesRun& runs) {
  runs.list.push_back({{"subgroup_size", size},
                       {"failed", true},
                       {"error", why},
                       {"exit_status", static_cast<int>(code)}});
  if (!json) fmt::print(stderr, "lockstep: subgroups of {}: {}\n", size, why);
  return code;
}

ExitCode run_at(const RunOptions& options, SizesRun& runs) {
  const int size = *options.subgroup_size;
  if (!options.json) fmt::print("subgroups of {}:\n", size);
  try {
    return run_once(options, &runs);
  } catch (const UsageError& error) {
    return ended(exit_usage, error.what(), size, options.json, runs);
  } catch (const lockstep::io::InputError& error) {
    return ended(exit_usage, error.what(), size, options.json, runs);
  } catch (const Error& error) {
    return ended(exit_failed, first_line(error.what()), size, options.json, runs);
  }
}

}  // namespace

void SizesRun::add(const lockstep::report::Findings& found) {
  for (const Finding& finding : found.list) {
    const auto known = [&](const Finding& other) { return is_same_place(finding, other); };
    if (std::ranges::none_of(findings.list, known)) findings.list.push_back(finding);
  }
  findings.more = std::max(findings.more, found.more);
}

ExitCode run_at_sizes(const RunOptions& options) {
  refuse_files(options);
  if (!options.sarif.empty()) npy::check_writable(options.sarif);
  SizesRun runs;
  {
    const Interruption interruption("interrupted while the shader was compiled", options.json);
    runs.module = load_module(options);
  }
  ExitCode worst = exit_fine;
  for (const int size : options.subgroup_sizes) {
    RunOptions one = options;
    one.subgroup_size = size;
    one.sarif.clear();
    const ExitCode code = run_at(one, runs);
    if (worst != exit_failed && code != exit_fine) worst = code;
  }
  const std::string never_ran = options.check ? to_text(runs.coverage) : "";
  if (!never_ran.empty() && !options.json) print_note(never_ran);
  if (!options.sarif.empty())
    write_sarif(runs.findings, options.check ? &runs.coverage : nullptr, options.sarif);
  if (options.json) {
    Json out{{"file", options.files.front()}, {"sizes", std::move(runs.list)}};
    if (options.check) out["coverage"] = lockstep::report::to_json(runs.coverage);
    out["findings"] = lockstep::report::to_json(runs.findings);
    out["failed"] = worst != exit_fine;
    fmt::print("{}\n", out.dump(2, ' ', false, Json::error_handler_t::replace));
  }
  return worst;
}

}  // namespace lockstep::cli
