#include "cli/vulkan.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <unistd.h>

#include "cli/run_options.hpp"
#include "cli/share.hpp"
#include "cli/words.hpp"
#include "io/npy.hpp"

namespace lockstep::cli {
namespace {

struct VulkanOptions {
  RunOptions run;
  std::string json, capture, size_control;
  bool graphics_stub = false, claim_conformance = false;
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

/// Sets a variable, or leaves what the environment says if the option was not given.
void set(const char* name, const std::string& value) {
  if (!value.empty()) setenv(name, value.c_str(), 1);
}

/// Reports what is no such thing before the command starts.
void check(const RunOptions& options) {
  static_cast<void>(profile_of(options));
  static_cast<void>(RunConvergence(options));
  static_cast<void>(checks_of(options));
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
  if (options.graphics_stub) set("LOCKSTEP_VULKAN_GRAPHICS", "stub");
  if (options.claim_conformance) set("LOCKSTEP_VULKAN_CONFORMANCE", "claimed");
}

ExitCode run(const VulkanOptions& options) {
  if (options.command.empty())
    throw UsageError("give a program to run; see lockstep vulkan --help");
  if (options.command[0].starts_with('-'))
    throw UsageError(fmt::format(
        "{} is not an option of lockstep vulkan; see lockstep vulkan --help", options.command[0]));
  check(options.run);
  set_environment(options);
  std::vector<char*> arguments;
  for (const std::string& word : options.command)
    arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  throw UsageError(fmt::format("{}: cannot be run: {}", options.command[0],
                               std::generic_category().message(errno)));
}

}  // namespace

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
  app->add_option("--choose", run_options.choose,
                  "What the rule leaves open: rejoin-all (default), rejoin-none, random:SEED")
      ->option_text("HOW")
      ->check(offering({"rejoin-all", "rejoin-none", "random:1"}));
  app->add_flag("--check{all}", run_options.check,
                "Check for the rules of docs/checks.md, or for some: --check=RULES");
  add_lenient_option(*app, run_options);
  app->add_option("--sarif", run_options.sarif, "Write the findings in SARIF 2.1.0")
      ->option_text("FILE");
  app->add_option("--json", options->json, "Write the findings as JSON")->option_text("FILE");
  app->add_option("--capture", options->capture,
                  "Write each dispatch as a job to a folder of its own in this one")
      ->option_text("FOLDER");
  app->add_option("--threads", run_options.threads,
                  "Threads that run workgroups (default: one per processor)")
      ->option_text("N")
      ->check(CLI::Range(1, 1024).description(""));
  app->add_option("--max-steps", run_options.max_steps,
                  "Loop iterations before a loop counts as endless (default: 67108864)")
      ->option_text("N")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 62).description(""));
  app->add_flag("--graphics-stub", options->graphics_stub,
                "Report a queue for graphics, for programs that insist on one and never draw");
  app->add_flag("--claim-conformance", options->claim_conformance,
                "Report conformance to Vulkan 1.3, for programs that take no other driver");
  app->footer(
      "Each option may also be given as a variable of the environment: see docs/vulkan.md.\n"
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
