#include "cli/vulkan.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <bit>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include "cli/run_options.hpp"
#include "cli/second_device.hpp"
#include "cli/share.hpp"
#include "cli/words.hpp"
#include "explore/dimension.hpp"
#include "io/npy.hpp"
#include "shader/front/temporary_folder.hpp"

namespace lockstep::cli {
namespace {

struct VulkanOptions {
  RunOptions run;
  std::string json, capture, size_control;
  std::string modules, against;
  std::optional<std::string> explore;
  std::string budget;  ///< seconds: 30 or 30s
  std::uint64_t max_seconds = 0;
  bool graphics_stub = false, claim_conformance = false, beyond_vulkan = false;
  bool fail_on_findings = false, manifest = false;
  std::vector<std::string> command;
};

std::string find_manifest() {
  const std::filesystem::path manifest = share_folder() / "lockstep_vulkan.json";
  if (std::error_code none; std::filesystem::exists(manifest, none))
    return std::filesystem::canonical(manifest);  // its path of the driver starts there
  throw UsageError(
      fmt::format("the Vulkan driver's manifest {} does not exist: build Lockstep with "
                  "-DLOCKSTEP_VULKAN_DRIVER=ON",
                  manifest.string()));
}

/// The manifest with an absolute path, which may lie anywhere: in /etc/vulkan/icd.d, for all programs of a machine.
std::string absolute_manifest() {
  const std::filesystem::path path = find_manifest();
  auto manifest = nlohmann::ordered_json::parse(std::ifstream(path));
  auto& library = manifest.at("ICD").at("library_path");
  library = std::filesystem::canonical(path.parent_path() / library.get<std::string>()).string();
  return manifest.dump(2);
}

/// Sets a variable, or leaves what the environment says if the option was not given.
void set(const char* name, const std::string& value) {
  if (!value.empty()) setenv(name, value.c_str(), 1);
}

/// Reports what is no such thing before the command starts.
void check(const VulkanOptions& vulkan) {
  const RunOptions& options = vulkan.run;
  if (const int size = options.subgroup_size.value_or(1);
      !vulkan.beyond_vulkan && !std::has_single_bit(static_cast<unsigned>(size)))
    throw UsageError(
        fmt::format("--subgroup-size {}: Vulkan's subgroup sizes are powers of two; to use this "
                    "one anyway, add --beyond-vulkan",
                    size));
  static_cast<void>(profile_of(options));
  static_cast<void>(RunConvergence(options));
  static_cast<void>(checks_of(options));
  try {
    static_cast<void>(explore::Dimensions::parse_for_programs(vulkan.explore.value_or("all")));
  } catch (const Error& error) {
    throw UsageError(fmt::format("--explore: {}", error.what()));
  }
  if (!options.sarif.empty()) npy::check_writable(options.sarif);
}

void set_environment(const VulkanOptions& options) {
  const std::string manifest = find_manifest();
  set("VK_DRIVER_FILES", manifest);
  set("VK_ICD_FILENAMES", manifest);  // the name that loaders before 1.3.207 know
  const RunOptions& run = options.run;
  if (run.subgroup_size) set("LOCKSTEP_SUBGROUP_SIZE", std::to_string(*run.subgroup_size));
  set("LOCKSTEP_SUBGROUP_SIZE_CONTROL", options.size_control);
  set("LOCKSTEP_DEVICE", run.device);
  set("LOCKSTEP_CONVERGENCE", run.convergence);
  set("LOCKSTEP_CHOOSE", run.choose);
  if (run.check) set("LOCKSTEP_CHECK", run.check->empty() ? "all" : *run.check);
  set("LOCKSTEP_LENIENT", run.lenient);
  // The command may change its folder.
  if (!run.sarif.empty()) set("LOCKSTEP_SARIF", std::filesystem::absolute(run.sarif));
  if (!options.json.empty()) set("LOCKSTEP_JSON", std::filesystem::absolute(options.json));
  if (!options.capture.empty()) set("LOCKSTEP_CAPTURE", std::filesystem::absolute(options.capture));
  if (run.threads > 0) set("LOCKSTEP_THREADS", std::to_string(run.threads));
  if (run.max_steps != default_max_trips) set("LOCKSTEP_MAX_STEPS", std::to_string(run.max_steps));
  if (options.max_seconds > 0) set("LOCKSTEP_MAX_SECONDS", std::to_string(options.max_seconds));
  if (options.explore) set("LOCKSTEP_EXPLORE", options.explore->empty() ? "all" : *options.explore);
  set("LOCKSTEP_BUDGET", options.budget.substr(0, options.budget.find('s')));
  if (options.beyond_vulkan) set("LOCKSTEP_BEYOND_VULKAN", "1");
  if (!options.modules.empty()) set("LOCKSTEP_MODULES", std::filesystem::absolute(options.modules));
  if (options.graphics_stub) set("LOCKSTEP_VULKAN_GRAPHICS", "stub");
  if (options.claim_conformance) set("LOCKSTEP_VULKAN_CONFORMANCE", "claimed");
}

/// Becomes the command. Returns if that fails.
void become(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
}

/// The exit code of a child process, or what a shell makes of the signal that ended it.
int code_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

/// Runs the command in a process of its own; returns its exit code.
int run_in_child(const std::vector<std::string>& command) {
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGQUIT, SIG_DFL);
    become(command);
    fmt::print(stderr, "lockstep: {}: cannot be run: {}\n", command[0],
               std::generic_category().message(errno));
    _exit(exit_usage);
  }
  if (child < 0)
    throw UsageError(
        fmt::format("{}: cannot be run: {}", command[0], std::generic_category().message(errno)));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return code_of(status);
}

/// Runs the command, and beside it the second device. Its exit code, or exit_failed if it is 0, something was found and
/// that matters.
int run_and_judge(const VulkanOptions& options) {
  const TemporaryFolder folder;
  // Ctrl-C is the command's; it ends, and then this program does.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGQUIT, SIG_IGN);
  std::optional<SecondDevice> second;  // found by the loader as it is set up before
  if (!options.against.empty()) second.emplace(options.against, folder.path());
  set_environment(options);
  if (second) set("LOCKSTEP_AGAINST", second->socket());
  const std::filesystem::path found = folder.path() / "found";
  if (options.fail_on_findings) set("LOCKSTEP_FOUND", found);
  const int code = run_in_child(options.command);
  return code == 0 && std::filesystem::exists(found) ? exit_failed : code;
}

ExitCode run(const VulkanOptions& options) {
  if (options.manifest) {
    fmt::print("{}\n", absolute_manifest());
    return exit_fine;
  }
  if (options.command.empty())
    throw UsageError("give a program to run; see lockstep vulkan --help");
  if (options.command[0].starts_with('-'))
    throw UsageError(fmt::format(
        "{} is not an option of lockstep vulkan; see lockstep vulkan --help", options.command[0]));
  check(options);
  if (options.fail_on_findings || !options.against.empty())
    return static_cast<ExitCode>(run_and_judge(options));
  set_environment(options);
  become(options.command);
  throw UsageError(fmt::format("{}: cannot be run: {}", options.command[0],
                               std::generic_category().message(errno)));
}

}  // namespace

/// Long, as it lists every option with its help.
Command vulkan_command(CLI::App& program) {
  auto options = std::make_shared<VulkanOptions>();
  CLI::App* app = program.add_subcommand(
      "vulkan", "Run a program that uses Vulkan on Lockstep instead of a GPU");
  app->prefix_command();  // what follows the command's name is the command's own
  RunOptions& run_options = options->run;
  app->add_option("--subgroup-size", run_options.subgroup_size,
                  "Default lanes in a subgroup, 1 to 128 (default: the device's, else 32)")
      ->option_text("N")
      ->check(CLI::Range(1, 128).description(""));
  app->add_option("--subgroup-size-control", options->size_control,
                  "off: report one size, so that programs cannot require another")
      ->option_text("off")
      ->check(one_of({"off"}));
  app->add_option("--device", run_options.device, "A profile listed by lockstep devices")
      ->option_text("PROFILE")
      ->check(offering(device_names()));
  app->add_option("--convergence", run_options.convergence,
                  "Reconvergence rule: maximal (default), subgroup-uniform, core")
      ->option_text("RULE")
      ->check(one_of({"maximal", "subgroup-uniform", "core"}));
  app->add_option(
         "--choose", run_options.choose,
         "Choices where the rule leaves them open: rejoin-all (default), rejoin-none, random:SEED")
      ->option_text("HOW")
      ->check(offering({"rejoin-all", "rejoin-none", "random:1"}));
  app->add_flag("--check{all}", run_options.check,
                "Check the rules of docs/reference/rules.md, or some: --check=RULES");
  add_lenient_option(*app, run_options);
  app->add_option("--sarif", run_options.sarif, "Write the findings in SARIF 2.1.0")
      ->option_text("FILE");
  app->add_option("--json", options->json, "Write the findings as JSON")->option_text("FILE");
  app->add_option("--capture", options->capture,
                  "Write each dispatch as a job, in a subfolder of this folder")
      ->option_text("FOLDER");
  app->add_flag("--explore{all}", options->explore,
                "Rerun dispatches in other ways that Vulkan allows, and report what they depend "
                "on; to vary only some: --explore=sizes,convergence,order,mapping");
  app->add_option(
         "--against", options->against,
         "Run dispatches also on this device of lockstep capture --list, by number or part "
         "of its name, and report results that Vulkan does not allow")
      ->option_text("DEVICE");
  app->add_option("--budget", options->budget,
                  "Total seconds for --explore, and for --against (default: 30)")
      ->option_text("SECONDS")
      ->check(CLI::Validator(
          [](const std::string& text) {
            const std::string number = text.ends_with('s') ? text.substr(0, text.size() - 1) : text;
            const CLI::Range range(std::uint64_t{1}, std::uint64_t{86400});
            return range(number).empty() ? "" : "must be seconds from 1 to 86400, such as 30s";
          },
          ""));
  app->add_option("--threads", run_options.threads,
                  "Threads that run workgroups (default: one per processor)")
      ->option_text("N")
      ->check(CLI::Range(1, 1024).description(""));
  app->add_option("--max-seconds", options->max_seconds,
                  "Seconds without progress before a loop counts as endless (default: 60)")
      ->option_text("N")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{366 * 86400}).description(""));
  app->add_option("--max-steps", run_options.max_steps,
                  "Loop iterations before a loop counts as endless, instead of seconds")
      ->option_text("N")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 62).description(""));
  app->add_flag(
      "--fail-on-findings", options->fail_on_findings,
      "Exit with 1 if there are findings or the device is lost, although the program exits with 0");
  app->add_option("--modules", options->modules,
                  "Where shader modules with findings are written (default: for temporary files)")
      ->option_text("FOLDER");
  app->add_flag("--beyond-vulkan", options->beyond_vulkan,
                "Allow subgroup sizes that are not powers of two, which Vulkan does not have");
  app->add_flag("--manifest", options->manifest,
                "Print the driver's manifest with an absolute path, for VK_DRIVER_FILES or "
                "/etc/vulkan/icd.d, and run nothing");
  app->add_flag("--graphics-stub", options->graphics_stub,
                "Report a graphics queue, for programs that require one but never draw");
  app->add_flag("--claim-conformance", options->claim_conformance,
                "Report conformance to Vulkan 1.3, for programs that reject other drivers");
  app->footer(
      "Each option can also be set by an environment variable: see docs/guide/driver.md.\n"
      "\n"
      "Examples:\n"
      "  lockstep vulkan vulkaninfo --summary\n"
      "  lockstep vulkan --subgroup-size 64 --convergence core --choose rejoin-none \\\n"
      "      ./my_tests");
  return {app, [options, app] {
            options->command = app->remaining();
            if (!options->command.empty() && options->command[0] == "--")
              options->command.erase(options->command.begin());
            return run(*options);
          }};
}

}  // namespace lockstep::cli
