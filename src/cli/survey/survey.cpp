#include "cli/survey/survey.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/child_program.hpp"
#include "cli/long_run.hpp"
#include "cli/run_options.hpp"
#include "cli/run_progress.hpp"
#include "cli/shader_files.hpp"

namespace lockstep::cli {
namespace {

using Json = nlohmann::ordered_json;

struct SurveyOptions {
  std::vector<std::string> paths, defines, include_dirs;
  std::string target_env;
  double seconds = 10;
  int threads = 0;
  std::uint64_t search_runs = 200;
  bool json = false, robust = false;
};

/// What became of a shader, from the best to the worst.
enum class Result : std::uint8_t {
  clean,
  findings,
  not_supported,
  not_compiled,
  not_run,
  timed_out,
  crashed,
};
constexpr std::array<std::string_view, 7> texts{
    "clean",         "findings",       "not supported", "does not compile",
    "cannot be run", "takes too long", "crashed",
};
constexpr std::array<std::string_view, 7> plurals{
    "clean",         "with findings", "not supported", "do not compile",
    "cannot be run", "take too long", "crashed",
};
std::string_view text_of(Result result) { return texts[static_cast<std::size_t>(result)]; }
std::string_view plural_of(Result result) { return plurals[static_cast<std::size_t>(result)]; }

struct Surveyed {
  std::string file;
  Result result = Result::clean;
  std::string why = {};      ///< the first line of the message, the rules found, or what never ran
  std::string command = {};  ///< what ran
  std::string entry = {};    ///< the entry point, where the file has several
};
std::string name_of(const Surveyed& shader) {
  return shader.entry.empty() ? shader.file : fmt::format("{} ({})", shader.file, shader.entry);
}

// ---- One shader ----

/// Whether the process was ended, not by itself; then the result says so.
bool is_ended(const ChildOutcome& outcome, Surveyed& shader, double seconds) {
  if (outcome.timed_out) {
    shader.result = Result::timed_out;
    shader.why = fmt::format("more than {} s{}", seconds, and_long_loop(outcome.err));
  } else if (outcome.signal != 0) {
    shader.result = Result::crashed;
    shader.why = fmt::format("signal {}", outcome.signal);
  }
  return outcome.timed_out || outcome.signal != 0;
}

/// "data-race 2, out-of-bounds 1", or the error of a run that stopped.
std::string findings_of(const Json& run) {
  std::map<std::string, std::size_t> rules;
  if (run.contains("findings")) {
    for (const Json& finding : run["findings"]) ++rules[finding.value("rule", "")];
  }
  std::string text;
  for (const auto& [rule, count] : rules)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", rule, count);
  if (!text.empty() || !run.contains("error")) return text;
  return run["error"].is_string() ? run["error"].get<std::string>() : run["error"].dump();
}

class Survey {
 public:
  explicit Survey(const SurveyOptions& options) : options_(options) {}

  /// The file's only entry point or main, or each of several others.
  std::vector<Surveyed> look_at(const std::string& file) const {
    Surveyed only = look_at(file, {});
    std::vector<Surveyed> all;
    if (only.result == Result::not_compiled) {
      for (const std::string& entry : entry_points_in(only.why))
        all.push_back(look_at(file, entry));
    }
    if (all.empty()) all.push_back(std::move(only));
    return all;
  }

 private:
  Surveyed look_at(const std::string& file, const std::string& entry) const {
    Surveyed shader{file};
    shader.entry = entry;
    std::vector<std::string> words{"inspect", file, "--json", "--search-runs",
                                   std::to_string(options_.search_runs)};
    if (!entry.empty()) words.insert(words.end(), {"--entry", entry});
    add_compile_options(words);
    const ChildOutcome inspected = run_this_program(words, options_.seconds);
    if (is_ended(inspected, shader, options_.seconds)) return shader;
    const Json declared = Json::parse(inspected.out, nullptr, false);
    if (inspected.exit_code != 0 || declared.is_discarded()) {
      shader.result = Result::not_compiled;
      shader.why = message_of(inspected, file);
    } else if (declared.contains("unsupported")) {
      shader.result = Result::not_supported;
      shader.why = declared["unsupported"].get<std::string>();
    } else {
      shader.command = declared["command"].get<std::string>() + " --check";
      run(shader, declared["arguments"].get<std::vector<std::string>>());
    }
    return shader;
  }

  void add_compile_options(std::vector<std::string>& words) const {
    for (const std::string& define : options_.defines) words.insert(words.end(), {"-D", define});
    for (const std::string& folder : options_.include_dirs)
      words.insert(words.end(), {"-I", folder});
    if (!options_.target_env.empty())
      words.insert(words.end(), {"--target-env", options_.target_env});
    if (options_.robust) words.emplace_back("--robust");
  }

  void run(Surveyed& shader, std::vector<std::string> words) const {
    words.insert(words.begin(), "run");
    words.insert(words.end(), {"--check", "--json", "--threads", "1"});
    const ChildOutcome outcome = run_this_program(words, options_.seconds);
    if (is_ended(outcome, shader, options_.seconds)) return;
    const Json json = Json::parse(outcome.out, nullptr, false);
    if (outcome.exit_code == exit_fine) {
      shader.why = json.value("/coverage/text"_json_pointer, "");
      return;
    }
    const bool found = outcome.exit_code == exit_failed && !json.is_discarded();
    shader.result = found ? Result::findings : Result::not_run;
    shader.why = found ? findings_of(json) : message_of(outcome, shader.file);
  }

  const SurveyOptions& options_;
};

/// All of them, in threads that each wait for a process; standard error shows how far it is if it is a terminal.
std::vector<Surveyed> survey(const SurveyOptions& options, const std::vector<std::string>& files) {
  const auto started = std::chrono::steady_clock::now();
  const Survey one(options);
  std::vector<std::vector<Surveyed>> all(files.size());
  std::atomic<std::size_t> next = 0;
  std::mutex progress;
  std::size_t done = 0;
  const bool shows = isatty(STDERR_FILENO) == 1;
  const auto work = [&] {
    for (std::size_t k = next++; k < files.size(); k = next++) {
      all[k] = one.look_at(files[k]);
      const std::lock_guard lock(progress);
      ++done;
      if (!shows) continue;
      const auto line =
          progress_line(done, files.size(), std::chrono::steady_clock::now() - started,
                        columns_of_terminal(), "shaders");
      std::fputs(fmt::format("\r{}\033[K", done < files.size() ? line : "").c_str(), stderr);
    }
  };
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  const auto threads = options.threads > 0 ? static_cast<unsigned>(options.threads) : cores;
  std::vector<std::jthread> workers;
  for (unsigned k = 0; k < threads; ++k) workers.emplace_back(work);
  workers.clear();
  std::vector<Surveyed> shaders;
  for (const std::vector<Surveyed>& of_file : all)
    shaders.insert(shaders.end(), of_file.begin(), of_file.end());
  return shaders;
}

// ---- What is printed ----

void print_table(const std::vector<Surveyed>& all) {
  std::size_t width = 0;
  for (const Surveyed& shader : all) width = std::max(width, name_of(shader).size());
  for (const Surveyed& shader : all) {
    const char* between = shader.result == Result::clean ? ", " : ": ";
    fmt::print("{:{}}  {}{}{}\n", name_of(shader), width, text_of(shader.result),
               shader.why.empty() ? "" : between, shader.why);
  }
}

std::map<Result, std::size_t> counts_of(const std::vector<Surveyed>& all) {
  std::map<Result, std::size_t> counts;
  for (const Surveyed& shader : all) ++counts[shader.result];
  return counts;
}

void print_counts(const std::vector<Surveyed>& all) {
  std::string text;
  for (const auto& [result, count] : counts_of(all))
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, plural_of(result));
  fmt::print("{} shader{}: {}\n", all.size(), all.size() == 1 ? "" : "s", text);
}

Json json_of(const std::vector<Surveyed>& all) {
  Json json{{"shaders", Json::array()}, {"counts", Json::object()}};
  for (const Surveyed& shader : all)
    json["shaders"].push_back({{"file", shader.file},
                               {"result", text_of(shader.result)},
                               {"why", shader.why},
                               {"command", shader.command},
                               {"entry", shader.entry}});
  for (const auto& [result, count] : counts_of(all))
    json["counts"][std::string(text_of(result))] = count;
  return json;
}

ExitCode run(const SurveyOptions& options) {
  std::vector<std::string> files;
  for (const std::string& path : options.paths) {
    for (std::string& file : shaders_at(path)) files.push_back(std::move(file));
  }
  if (files.empty())
    throw UsageError(fmt::format("{}: has no compute shader", options.paths.front()));
  const std::vector<Surveyed> all = survey(options, files);
  if (options.json) {
    fmt::print("{}\n", json_of(all).dump(2, ' ', false, Json::error_handler_t::replace));
  } else {
    print_table(all);
    print_counts(all);
  }
  const bool clean =
      std::ranges::all_of(all, [](const Surveyed& s) { return s.result == Result::clean; });
  return clean ? exit_fine : exit_failed;
}

}  // namespace

Command survey_command(CLI::App& program) {
  auto options = std::make_shared<SurveyOptions>();
  CLI::App* app =
      program.add_subcommand("survey", "Inspect, run and check every compute shader of a folder");
  app->add_option("PATH", options->paths, "Folders, or shaders")->required()->option_text(" ");
  app->add_option("-D", options->defines, "Define a macro in all of them, repeatable")
      ->option_text("NAME[=V]")
      ->allow_extra_args(false);
  app->add_option("-I", options->include_dirs, "Search #include files there, repeatable")
      ->option_text("DIR")
      ->allow_extra_args(false);
  app->add_option("--target-env", options->target_env, "As in lockstep run")->option_text("ENV");
  app->add_flag("--robust", options->robust, "As in lockstep run");
  app->add_option("--seconds", options->seconds, "Time limit for each shader (default: 10)")
      ->option_text("N")
      ->check(CLI::Range(0.01, 86400.0));
  app->add_option("--threads", options->threads, "Shaders that run at once (default: one per core)")
      ->option_text("N")
      ->check(CLI::Range(1, 1024));
  app->add_option("--search-runs", options->search_runs,
                  "Runs to search for inputs that reach more of each shader (default: 200)")
      ->option_text("N");
  app->add_flag("--json", options->json, "Print JSON");
  app->footer(
      "Each shader is compiled, and one workgroup runs with --check on the inputs that lockstep\n"
      "inspect proposes, in a separate process. In a file without a main, each entry point runs.\n"
      "The exit status is 1 unless all are clean.\n"
      "\n"
      "Examples:\n"
      "  lockstep survey shaders\n"
      "  lockstep survey shaders -I shaders/include --json");
  return {app, [options] { return run(*options); }};
}

}  // namespace lockstep::cli
