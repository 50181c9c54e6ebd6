#include "cli/check/check.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <lockstep/exec/error.hpp>

#include "cli/check/report.hpp"
#include "cli/job_options.hpp"
#include "cli/load_module.hpp"
#include "cli/run/explain.hpp"
#include "cli/run_options.hpp"
#include "cli/shader_case.hpp"
#include "io/error.hpp"
#include "io/files.hpp"
#include "io/npy.hpp"
#include "judgement/judge.hpp"
#include "render/check_page.hpp"
#include "shader/front/decoded_module.hpp"
#include "shader/front/mutants.hpp"

namespace lockstep::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct CheckOptions {
  std::vector<std::string> folders;
  std::string output, order, explain;
  std::size_t mutant = 0;  ///< as in RunOptions
  bool json = false, strict = false;
};

/// The jobs at a path: it, or what is below it, by name.
std::vector<std::string> jobs_at(const std::string& path) {
  if (job::is_job(path)) return {path};
  if (!fs::is_directory(path))
    throw UsageError(fmt::format("{}: is not a job, nor a folder of jobs", path));
  std::vector<std::string> found;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path)) {
    if (entry.is_directory() && job::is_job(entry.path())) found.push_back(entry.path().string());
  }
  if (found.empty()) throw UsageError(fmt::format("{}: contains no jobs", path));
  std::ranges::sort(found);
  return found;
}

/// The job's run, of a mutant of its shader if that is not 0.
job::Replay replay_of(const job::Job& job, std::size_t mutant) {
  if (mutant == 0) return job::Replay(job);
  ModuleOptions options;
  options.validate = false;  // as the job itself
  const Module module = Module::from_words(job.words, options, job.source);
  return {job,
          module.with_words(spirv::mutated(module.decoded()->module, job.entry, mutant), options)};
}

CheckedJob checked(const std::string& folder, std::size_t mutant, const judgement::Options& how) {
  CheckedJob result{folder, {}, {}, "", true};
  try {
    const job::Replay replay = replay_of(job::read(folder), mutant);
    result.job = replay.job();
    const auto has_output = [](const job::Binding& binding) { return !binding.output.empty(); };
    result.is_judged = std::ranges::any_of(result.job.bindings, &job::Binding::writable);
    if (result.is_judged && std::ranges::none_of(result.job.bindings, has_output))
      throw lockstep::io::InputError("has no results: it was prepared, but not captured");
    if (result.is_judged) result.judgement = judgement::judge(replay, how);
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
  ShaderCase shader = make_case(load_module(run), run, profile_of(run).subgroup_size);
  check_explained(shader, run);
  const std::vector<BoundBuffer> initial = shader.buffers;
  const Pipeline pipeline = make_pipeline(shader, profile_of(run), dispatch_of(shader, run));
  return explain(shader, pipeline, run, initial);
}

/// Outcomes of jobs, from the best to the worst.
constexpr std::array outcomes{"right", "allowed", "undefined", "racy", "open", "wrong"};
constexpr std::array rare_outcomes{"nothing to compare", "error"};

/// Numbers of jobs by outcome.
class Tally {
 public:
  void add(const CheckedJob& job) {
    ++all_;
    ++of_[job.outcome()];
  }
  std::size_t count(const std::string& outcome) const {
    const auto found = of_.find(outcome);
    return found == of_.end() ? 0 : found->second;
  }
  ExitCode exit_code(bool strict) const {
    if (count("error") > 0) return exit_usage;
    if (count("wrong") > 0) return exit_failed;
    const bool is_unclear = count("undefined") + count("racy") + count("open") > 0;
    return strict && is_unclear ? exit_failed : exit_fine;
  }
  /// "3 jobs: 2 right, 0 allowed, 0 undefined, 0 racy, 0 open, 1 wrong".
  std::string text() const {
    std::vector<std::string> parts;
    for (const char* outcome : outcomes)
      parts.push_back(fmt::format("{} {}", count(outcome), outcome));
    for (const char* outcome : rare_outcomes) {
      if (count(outcome) == 0) continue;
      parts.push_back(fmt::format("{} {}{}", count(outcome),
                                  outcome == std::string_view("error") ? "in " : "with ", outcome));
    }
    return fmt::format("{} jobs: {}\n", all_, fmt::join(parts, ", "));
  }
  Json json() const {
    Json json = Json::object();
    for (const char* outcome : outcomes) json[outcome] = count(outcome);
    for (const char* outcome : rare_outcomes) json[outcome] = count(outcome);
    return json;
  }

 private:
  std::size_t all_ = 0;
  std::map<std::string, std::size_t> of_;
};

ExitCode check(const CheckOptions& options) {
  if (!options.output.empty()) npy::check_writable(options.output);
  judgement::Options how;
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
    throw UsageError(
        fmt::format("--explain is for a single job, but there are {}", folders.size()));

  Tally tally;
  Json all = Json::array();
  const bool keeps = options.json || !options.output.empty();
  for (const std::string& folder : folders) {
    const CheckedJob one = checked(folder, options.mutant, how);
    tally.add(one);
    if (keeps) all.push_back(json_of(one));
    if (!options.json) fmt::print("{}", text_of(one, folders.size() == 1));
  }
  Json result{{"jobs", std::move(all)}, {"counts", tally.json()}};
  if (!options.output.empty()) lockstep::io::write_text(options.output, render::check_page(result));
  if (!options.explain.empty()) result["explanation"] = explained(folders.front(), options);
  if (options.json) {
    fmt::print("{}\n", result.dump(2, ' ', false, Json::error_handler_t::replace));
  } else {
    if (folders.size() > 1) fmt::print("{}", tally.text());
    if (!options.explain.empty())
      for (const auto& line : result["explanation"]) fmt::print("{}\n", line.get<std::string>());
  }
  return tally.exit_code(options.strict);
}

}  // namespace

Command check_command(CLI::App& program) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* app =
      program.add_subcommand("check", "Judge whether Vulkan allows the results of captured jobs");
  app->add_option("DIR", options->folders,
                  "Folders that lockstep capture wrote, or folders of such folders")
      ->required()
      ->option_text(" ");
  app->add_option("-o,--output", options->output, "Write an HTML report")->option_text("FILE.html");
  app->add_flag("--json", options->json, "Print JSON");
  app->add_flag("--strict", options->strict, "Also fail where results are undefined, racy or open");
  app->add_option("--strict-order", options->order,
                  "The order in which the device adds floats between lanes: tree, "
                  "left_fold,\nhillis_steele or butterfly")
      ->option_text("ORDER");
  app->add_option("--explain", options->explain,
                  "Explain how an element of a buffer was computed, and which values are allowed")
      ->option_text("[SET:]BINDING:INDEX");
  app->add_option("--mutant", options->mutant,
                  "Plant fault N from the list of lockstep inspect --mutants")
      ->option_text("N");
  app->footer(
      "Each job runs on Lockstep with the subgroup size and lane assignment of its device; the "
      "device itself is not needed. docs/reference/oracle.md explains the verdicts.\n"
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
