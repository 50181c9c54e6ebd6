#include "cli/capture/capture.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "capture/device/run_on.hpp"
#include "cli/capture/script.hpp"
#include "cli/job_options.hpp"
#include "cli/load_module.hpp"
#include "cli/run_options.hpp"
#include "cli/shader_case.hpp"
#include "cli/share.hpp"
#include "io/error.hpp"

namespace lockstep::cli {
namespace {

struct CaptureOptions {
  RunOptions run;
  std::size_t device_index = 0;
  std::string output, name, command;
  bool list = false, prepare = false;
};

std::string stem_of(const std::string& file) { return std::filesystem::path(file).stem().string(); }

job::Job prepared_job(const CaptureOptions& options) {
  require_grid(options.run);
  const ShaderCase shader =
      make_case(load_module(options.run), options.run, options.run.subgroup_size.value_or(32));
  return to_job(shader, stem_of(options.run.files.front()), options.command);
}

/// The jobs that the command line names, without results.
std::vector<job::Job> jobs_of(const CaptureOptions& options) {
  const std::vector<std::string>& files = options.run.files;
  if (files.empty())
    throw UsageError("no shader, script or job is named; name one, or give --list");
  if (files.size() == 1 && is_shader(files.front())) return {prepared_job(options)};
  require_no_shader_options(options.run, "a script or a job");
  std::vector<job::Job> jobs;
  for (const std::string& file : files) {
    if (job::is_job(file)) {
      jobs.push_back(job::read(file));
    } else if (is_amber(file)) {
      for (job::Job& made : jobs_of_script(file)) {
        made.command = options.command;
        jobs.push_back(std::move(made));
      }
    } else if (is_shader(file)) {
      throw UsageError("one shader is captured at a time; give one, or scripts and jobs");
    } else {
      throw UsageError(fmt::format("{}: is not a shader, .amber script or job", file));
    }
  }
  return jobs;
}

/// What starting a device, or asking for it, failed with.
template <class F>
auto usable(F f) {
  try {
    return f();
  } catch (const Error& error) {
    throw UsageError(first_line(error.what()));
  }
}

/// What to say about a device in a list: "0: llvmpipe (llvmpipe Mesa 22.3.6), subgroups of 8".
std::string line_of(const vulkan::Properties& device, std::size_t number) {
  const std::string sizes =
      device.required_size && device.min_subgroup_size != device.max_subgroup_size
          ? fmt::format(" ({} to {} can be required)", device.min_subgroup_size,
                        device.max_subgroup_size)
          : "";
  return fmt::format("{}: {} ({}), subgroups of {}{}", number, device.name, device.driver,
                     device.subgroup_size, sizes);
}

ExitCode list(const CaptureOptions& options) {
  const std::vector<vulkan::Properties> devices = usable([] { return vulkan::listed_devices(); });
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (std::size_t k = 0; k < devices.size(); ++k) {
    if (options.run.json)
      all.push_back(usable([&] { return vulkan::Device(k).describe(); }));
    else
      fmt::print("{}\n", line_of(devices[k], k));
  }
  if (options.run.json) fmt::print("{}\n", all.dump(2));
  return exit_fine;
}

void run_jobs(const CaptureOptions& options, std::vector<job::Job>& jobs) {
  const vulkan::Device device = usable([&] { return vulkan::Device(options.device_index); });
  std::optional<std::uint32_t> size;
  if (options.run.subgroup_size) size = static_cast<std::uint32_t>(*options.run.subgroup_size);
  for (job::Job& job : jobs) {
    std::optional<std::uint32_t> wanted = size;
    // A script's own.
    if (!wanted && job.required_size && job.device.is_null())
      wanted = static_cast<std::uint32_t>(job.subgroup_size);
    try {
      lockstep::capture::run_on(device, job, wanted);
    } catch (const lockstep::io::InputError& error) {
      throw UsageError(error.what());
    }
  }
}

ExitCode capture(const CaptureOptions& options) {
  if (options.list) return list(options);
  if (options.output.empty()) throw UsageError("-o is missing; name a folder for the jobs");
  std::vector<job::Job> jobs = jobs_of(options);
  if (!options.name.empty()) {
    if (jobs.size() != 1)
      throw UsageError(fmt::format("--name is for a single job, but there are {}", jobs.size()));
    jobs.front().name = options.name;
  }
  if (!options.prepare) run_jobs(options, jobs);
  for (const job::Job& job : jobs) {
    const std::filesystem::path folder = std::filesystem::path(options.output) / job.name;
    job::write(folder, job);
    if (options.run.json) continue;
    fmt::print("{}\n", folder.string());
  }
  return exit_fine;
}

}  // namespace

Command capture_command(CLI::App& program) {
  auto options = std::make_shared<CaptureOptions>();
  CLI::App* app = program.add_subcommand(
      "capture", "Run a shader on a Vulkan device, and save its inputs and outputs");
  app->add_option("JOB", options->run.files,
                  "A shader (.comp, .glsl, .hlsl, .slang, .wgsl, .cl, .spvasm, .spv), scripts "
                  "(.amber), or job\nfolders to run again")
      ->transform(or_shared_file())
      ->option_text(" ");
  app->add_flag("--list", options->list, "List the devices instead; with --json, in full detail");
  app->add_option("--device-index", options->device_index,
                  "The device's number in the list (default: 0)")
      ->option_text("N");
  app->add_option("-o,--output", options->output,
                  "A folder for the jobs, each in a subfolder of its name")
      ->option_text("DIR");
  app->add_option("--name", options->name,
                  "The name of the job (default: the file's name; for scripts, with a number)")
      ->option_text("NAME");
  app->add_option("--subgroup-size", options->run.subgroup_size,
                  "Require this subgroup size, if the device supports that")
      ->option_text("N")
      ->check(CLI::Range(1, 128).description(""));
  app->add_flag("--prepare", options->prepare,
                "Write jobs for another machine to capture, without running them");
  add_input_options(*app, options->run);
  add_compile_options(*app, options->run);
  app->add_flag("--json", options->run.json, "With --list: print JSON");
  app->footer(
      "Inputs take the same options as in lockstep run. Each dispatch of a script becomes a job, "
      "with the buffer contents of Lockstep's own run.\nThe Vulkan loader is loaded only when it "
      "is needed. docs/reference/jobs.md describes the format of jobs.\n"
      "Exit status: 0 success, 1 the device failed, 2 wrong usage, no device, or one that lacks "
      "what the shader needs.\n"
      "\n"
      "Examples:\n"
      "  lockstep capture --list\n"
      "  lockstep capture scan.comp --groups 4 --buffer 0=in.npy \\\n"
      "      --buffer 1=zeros:f32:512 -o captured\n"
      "  lockstep check captured/scan");
  return {app, [options] {
            try {
              if (options->run.files.size() == 1)
                options->command = as_command({"lockstep", "capture", options->run.files.front()});
              return capture(*options);
            } catch (const lockstep::io::InputError& error) {
              throw UsageError(error.what());
            }
          }};
}

}  // namespace lockstep::cli
