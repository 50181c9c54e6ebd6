#include "cli/verify/verify.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "capture/job/job.hpp"
#include "cli/limits.hpp"
#include "cli/outcome_json.hpp"
#include "cli/share.hpp"
#include "cli/verify/all.hpp"
#include "cli/verify/entries.hpp"
#include "cli/verify/find_inputs.hpp"
#include "cli/verify/in_threads.hpp"
#include "cli/verify/mutant_report.hpp"
#include "cli/verify/mutate.hpp"
#include "cli/verify/one.hpp"
#include "cli/verify/options.hpp"
#include "cli/verify/report.hpp"
#include "io/error.hpp"
#include "io/files.hpp"
#include "io/npy.hpp"
#include "render/check_page.hpp"
#include "shader/front/source_texts.hpp"

namespace lockstep::cli {
namespace {

namespace fs = std::filesystem;

std::string text_of(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

/// Of a job the texts that its shader was compiled of.
std::map<std::string, std::string> texts_in(const std::string& path) {
  if (!job::is_job(path)) return {};
  return spirv::source_texts(job::read(path).words);
}

/// Adds the texts of the sources that it names, if they can be read.
nlohmann::ordered_json with_sources(nlohmann::ordered_json json) {
  std::set<std::string> files;
  std::map<std::string, std::string> texts;
  for (const auto& entry : json["entries"]) {
    files.insert(entry["file"]);
    texts.merge(texts_in(entry["file"]));
    for (const char* places : {"findings", "mutants"}) {
      if (!entry.contains(places)) continue;
      for (const auto& place : entry[places]) files.insert(place.value("file", ""));
    }
    if (!entry["coverage"].is_object()) continue;
    for (const char* places : {"ranges", "sides"}) {
      for (const auto& place : entry["coverage"][places]) files.insert(place.value("file", ""));
    }
  }
  json["sources"] = nlohmann::ordered_json::object();
  for (const std::string& file : files) {
    if (const auto text = texts.find(file); text != texts.end()) {
      json["sources"][file] = text->second;
      continue;
    }
    if (!fs::is_regular_file(file) || file.ends_with(".spv")) continue;
    json["sources"][file] = lockstep::io::read_text(file);
  }
  return json;
}

ExitCode end_interrupted(const std::string& after, bool json) {
  const std::string message = fmt::format("interrupted after {}; nothing was reported", after);
  fmt::print(stderr, "lockstep: {}\n", message);
  if (json) print_failure(message, exit_interrupted);
  return exit_interrupted;
}

void print(const std::vector<Verified>& all, const std::vector<Mutated>& mutated,
           const VerifyOptions& options) {
  std::string table = to_table(all);
  if (options.mutate) table += "\n" + mutant_table(all, mutated);
  if (!options.json) return fmt::print("{}", table);
  nlohmann::ordered_json json = to_json(all);
  if (options.mutate) add_mutants(mutated, json);
  json["text"] = table;
  fmt::print("{}", text_of(json));
}

void write_files(const std::vector<Verified>& all, const std::vector<Mutated>& mutated,
                 const VerifyOptions& options) {
  if (!options.junit.empty()) {
    const auto cases = options.mutate ? mutant_cases(all, mutated) : std::vector<amber::Outcome>{};
    lockstep::io::write_text(options.junit, to_junit(all, cases));
  }
  if (!options.sarif.empty()) {
    nlohmann::ordered_json log = to_sarif(all);
    if (options.mutate) add_mutants_to_sarif(all, mutated, log);
    lockstep::io::write_text(options.sarif, text_of(log));
  }
  if (!options.output.empty()) {
    nlohmann::ordered_json json = to_json(all);
    if (options.mutate) add_mutants(mutated, json);
    lockstep::io::write_text(options.output, render::verify_page(with_sources(std::move(json))));
  }
}

ExitCode verify_and_report(const VerifyOptions& options) {
  for (const std::string& file : {options.junit, options.sarif, options.output}) {
    if (!file.empty()) npy::check_writable(file);
  }
  std::vector<Subject> subjects = subjects_of(options);
  if (!options.find_inputs.empty()) find_inputs_for(subjects, options);
  if (InterruptHandler::interrupted())
    return end_interrupted("a part of the search for inputs", options.json);
  const AllVerified verified = verify_all(subjects, options);
  if (!verified.reports) return exit_fine;
  if (verified.interrupted)
    return end_interrupted(fmt::format("{} of {} entries", verified.done, subjects.size()),
                           options.json);
  const std::vector<Verified>& all = verified.list;
  std::vector<Mutated> mutated;
  if (options.mutate) mutated = mutate_all(all, options);
  if (InterruptHandler::interrupted()) return end_interrupted("some mutants", options.json);
  write_files(all, mutated, options);
  print(all, mutated, options);
  const bool is_clean =
      std::ranges::all_of(all, [](const Verified& one) { return one.standing == Standing::clean; });
  return is_clean && all_noticed(mutated) ? exit_fine : exit_failed;
}

ExitCode run(const VerifyOptions& options) {
  try {
    if (options.init.empty()) {
      if (options.paths.empty())
        throw UsageError("nothing to verify: name suites, shaders, scripts, jobs, or folders");
      return verify_and_report(options);
    }
    if (!options.paths.empty())
      throw UsageError("--init writes an entry and verifies nothing: remove the other paths");
    const std::string name = write_entry(options);
    fmt::print("wrote {}\n", name);
    return exit_fine;
  } catch (const lockstep::io::InputError& error) {
    throw UsageError(error.what());
  }
}

void add_search_options(CLI::App& app, VerifyOptions& options) {
  app.add_option(
         "--find-inputs", options.find_inputs,
         "Search for inputs on which shaders without an entry reach all their lines and both "
         "sides\nof conditions, and add entries with them to this suite file")
      ->option_text("FILE");
  app.add_option("--search-runs", options.search_runs,
                 "Runs of that search for each shader (default: 1000)")
      ->option_text("N");
  app.add_option("--seed", options.seed, "The seed of that search (default: 1)")->option_text("N");
}

void add_report_options(CLI::App& app, VerifyOptions& options) {
  app.add_flag("--json", options.json, "Print JSON");
  app.add_option("--junit", options.junit, "Write JUnit XML with a test case for each entry")
      ->option_text("FILE");
  app.add_option("--sarif", options.sarif, "Write the findings in SARIF 2.1.0")
      ->option_text("FILE");
}

}  // namespace

Command verify_command(CLI::App& program) {
  auto options = std::make_shared<VerifyOptions>();
  CLI::App* app =
      program.add_subcommand("verify", "Run, check and explore shaders, and compare their results");
  app->add_option("PATH", options->paths,
                  "Suite files (lockstep.json), their entries (lockstep.json:NAME), shaders, "
                  "scripts (.amber),\n"
                  "jobs that lockstep capture wrote, or folders of these")
      ->transform(or_shared_file())
      ->option_text(" ");
  app->add_option("--init", options->init,
                  "Add an entry for this shader to lockstep.json, or to the file of -o")
      ->option_text("FILE");
  add_search_options(*app, *options);
  app->add_option(
         "-o,--output", options->output,
         "Write the results as a page for a browser; with --init, the suite file to add to")
      ->option_text("FILE");
  add_input_options(*app, options->run);
  add_compile_options(*app, options->run);
  app->add_option(
         "--subgroup-size", options->sizes,
         "Subgroup sizes for entries that name none (default: the powers of two from 4 to 128\n"
         "at which the shader can run)")
      ->option_text("LIST")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Range(1, max_lanes).description(""));
  app->add_option("--budget", options->budget,
                  "Runs, or seconds such as 10s, to explore each entry (default: 200)")
      ->option_text("RUNS");
  app->add_option("--seconds", options->seconds, "The time limit of each step (default: 60)")
      ->option_text("N")
      ->check(CLI::Range(0.01, 86400.0));
  app->add_option("--threads", options->threads, "Entries that run at once (default: one per core)")
      ->option_text("N")
      ->check(CLI::Range(1, max_threads));
  app->add_flag("--mutate", options->mutate,
                "Plant faults in the shaders of clean entries, one at a time, and list those that "
                "nothing\nnotices: deleted barriers, memory barriers and coherent, smaller scopes, "
                "and comparisons\noff by one");
  add_report_options(*app, *options);
  app->footer(
      "Each entry runs with --check at every size, is explored, and is compared with its expected "
      "and captured results, in processes of its own. A shader without an entry gets its inputs "
      "from "
      "the command line, or those that lockstep inspect proposes.\n"
      "docs/guide/suites.md has the schema of suite files.\n"
      "Exit status: 0 all are clean, and with --mutate all faults were noticed; 1 otherwise; 2 "
      "wrong "
      "usage or input.\n"
      "\n"
      "Examples:\n"
      "  lockstep verify --init scan.comp\n"
      "  lockstep verify lockstep.json --junit report.xml\n"
      "  lockstep verify lockstep.json --mutate\n"
      "  lockstep verify shaders --find-inputs lockstep.json\n"
      "  lockstep trace lockstep.json:scan");
  return {app, [options] { return run(*options); }};
}

}  // namespace lockstep::cli
