#include "cli/check/check.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <lockstep/exec/error.hpp>

#include "capture/job/judge.hpp"
#include "cli/check/report.hpp"
#include "cli/job_options.hpp"
#include "cli/load_module.hpp"
#include "cli/run/explain.hpp"
#include "cli/run_options.hpp"
#include "cli/shader_job.hpp"
#include "io/error.hpp"
#include "io/files.hpp"
#include "io/npy.hpp"
#include "render/check_page.hpp"

namespace lockstep::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using lockstep::report::Verdict;

struct CheckOptions {
  std::vector<std::string> folders;
  std::string output, order, explain;
  bool json = false, strict = false;
};

/// The jobs at a path: it, or what is below it, by name.
std::vector<std::string> jobs_at(const std::string& path) {
  if (job::is_job(path)) return {path};
  if (!fs::is_directory(path))
    throw UsageError(fmt::format("{}: is no folder with a job, or with folders of jobs", path));
  std::vector<std::string> found;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path)) {
    if (entry.is_directory() && job::is_job(entry.path())) found.push_back(entry.path().string());
  }
  if (found.empty()) throw UsageError(fmt::format("{}: holds no job", path));
  std::ranges::sort(found);
  return found;
}

CheckedJob checked(const std::string& folder, const job::JudgeOptions& how) {
  CheckedJob result{folder, {}, {}, ""};
  try {
    const job::Replay replay(job::read(folder));
    result.job = replay.job();
    const auto has_output = [](const job::Binding& binding) { return !binding.output.empty(); };
    if (std::ranges::none_of(result.job.bindings, has_output))
      throw lockstep::io::InputError("has no results: it was prepared, and not captured");
    result.judgement = job::judge(replay, how);
  } catch (const Error& error) {
    result.error = first_line(error.what());
  } catch (const lockstep::io::InputError& error) {
    result.error = first_line(error.what());
  } catch (const npy::Error& error) {
    result.error = first_line(error.what());
  }
  return result;
}

/// Tells how an element comes about, as `lockstep run --explain` does.
std::vector<std::string> explained(const std::string& folder, const CheckOptions& options) {
  RunOptions run;
  run.files = {folder};
  run.explain = options.explain;
  run.strict_order = options.order;
  run.no_validate = true;
  run = with_job(run);
  ShaderJob job = make_case(run, profile_of(run).subgroup_size);
  check_explained(job, run);
  const std::vector<BoundBuffer> initial = job.buffers;
  const Pipeline pipeline = make_pipeline(job, profile_of(run), dispatch_of(job, run));
  return explain(job, pipeline, run, initial);
}

/// Numbers of jobs by outcome.
struct Tally {
  std::size_t right = 0, open = 0, wrong = 0, error = 0;

  void add(const CheckedJob& job) {
    const std::string_view outcome = job.outcome();
    ++(outcome == "right" ? right : outcome == "open" ? open : outcome == "wrong" ? wrong : error);
  }
  ExitCode exit_code(bool strict) const {
    if (error > 0) return exit_usage;
    return wrong > 0 || (strict && open > 0) ? exit_failed : exit_fine;
  }
};

void print(const Tally& tally) {
  fmt::print("{} jobs: {} right, {} open, {} wrong{}\n",
             tally.right + tally.open + tally.wrong + tally.error, tally.right, tally.open,
             tally.wrong, tally.error == 0 ? "" : fmt::format(", {} in error", tally.error));
}

ExitCode check(const CheckOptions& options) {
  if (!options.output.empty()) npy::check_writable(options.output);
  job::JudgeOptions how;
  how.map = !options.output.empty();
  if (!options.order.empty()) {
    RunOptions named;
    named.strict_order = options.order;
    how.order = float_order_of(named);
  }
  std::vector<std::string> folders;
  for (const std::string& path : options.folders) {
    for (std::string& folder : jobs_at(path)) folders.push_back(std::move(folder));
  }
  if (!options.explain.empty() && folders.size() != 1)
    throw UsageError(fmt::format("--explain is for one job, and there are {}", folders.size()));

  Tally tally;
  Json all = Json::array();
  const bool keeps = options.json || !options.output.empty();
  for (const std::string& folder : folders) {
    const CheckedJob one = checked(folder, how);
    tally.add(one);
    if (keeps) all.push_back(json_of(one));
    if (!options.json) fmt::print("{}", text_of(one, folders.size() == 1));
  }
  Json result{{"jobs", std::move(all)},
              {"counts",
               {{"right", tally.right},
                {"open", tally.open},
                {"wrong", tally.wrong},
                {"error", tally.error}}}};
  if (!options.output.empty()) lockstep::io::write_text(options.output, render::check_page(result));
  if (!options.explain.empty()) result["explanation"] = explained(folders.front(), options);
  if (options.json) {
    fmt::print("{}\n", result.dump(2, ' ', false, Json::error_handler_t::replace));
  } else {
    if (folders.size() > 1) print(tally);
    if (!options.explain.empty())
      for (const auto& line : result["explanation"]) fmt::print("{}\n", line.get<std::string>());
  }
  return tally.exit_code(options.strict);
}

}  // namespace

Command check_command(CLI::App& program) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* app =
      program.add_subcommand("check", "Judge captured jobs: may a device give these results?");
  app->add_option("DIR", options->folders,
                  "Folders that lockstep capture wrote, or folders of such folders")
      ->required()
      ->option_text(" ");
  app->add_option("-o,--output", options->output, "Write a page about them, for a browser")
      ->option_text("FILE.html");
  app->add_flag("--json", options->json, "Print JSON");
  app->add_flag("--strict", options->strict, "Fail as well where results depend on a rounding");
  app->add_option("--strict-order", options->order,
                  "The device adds floats between lanes in this order: tree, left_fold,\n"
                  "hillis_steele or butterfly")
      ->option_text("ORDER");
  app->add_option("--explain", options->explain,
                  "Tell how an element of a buffer comes about, and what a device may have there")
      ->option_text("[SET:]BINDING:INDEX");
  app->footer(
      "Each job runs on Lockstep with the subgroup size and the lanes of its device, which is not "
      "needed. docs/oracle.md says what the verdicts mean.\n"
      "Exit status: 0 all results are allowed, 1 some are wrong, 2 wrong usage, or a job that "
      "cannot be read or run.\n"
      "\n"
      "Examples:\n"
      "  lockstep check captured\n"
      "  lockstep check captured/scan --explain 1:40\n"
      "  lockstep check captured -o report.html");
  return {app, [options] {
            try {
              return check(*options);
            } catch (const lockstep::io::InputError& error) {
              throw UsageError(error.what());
            }
          }};
}

}  // namespace lockstep::cli
