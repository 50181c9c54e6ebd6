#include "cli/kernels.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include <lockstep/dispatch/device.hpp>
#include <lockstep/dispatch/parallel.hpp>

#include "cli/limits.hpp"
#include "cli/run_options.hpp"
#include "cli/words.hpp"
#include "io/npy.hpp"
#include "registry/registry.hpp"
#include "report/findings.hpp"

namespace lockstep::cli {
namespace {

// More than the kernels of kernels/ are made for, and little enough for the machine's memory.
constexpr std::uint64_t max_elements = std::uint64_t{1} << 28;

struct KernelsOptions {
  std::string kernel;
  int subgroup_size = 32;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::uint64_t elements = std::uint64_t{1} << 20;
  std::uint64_t seed = 1;
  int threads = std::min(available_threads(), max_threads);
  bool json = false;
  RunOptions choices;  ///< those that may be chosen, and --max-steps
};

// ---- Listing ----

ExitCode list(bool json) {
  const auto kernels = kernels::all_kernels();
  if (json) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const auto& k : kernels)
      all.push_back({{"name", k.name}, {"summary", k.summary}, {"source", k.source}});
    fmt::print("{}\n", all.dump(2));
    return exit_fine;
  }
  std::size_t width = 0;
  for (const auto& k : kernels) width = std::max(width, k.name.size());
  for (const auto& k : kernels) fmt::print("{:{}}  {} [{}]\n", k.name, width, k.summary, k.source);
  return exit_fine;
}

// ---- Arrays ----

const kernels::Entry& kernel_named(const std::string& name) {
  if (const auto* entry = kernels::find_kernel(name)) return *entry;
  throw UsageError(fmt::format("'{}' is not a kernel; lockstep kernels lists them", name));
}

template <class T>
std::vector<T> copied(const npy::Array& array) {
  const auto values = array.values<T>();
  return {values.begin(), values.end()};
}

// With the type of the kernel's own input.
kernels::Values read_values(const std::string& path, const kernels::Argument& like) {
  const npy::Array array = npy::read(path);
  return std::visit(
      [&](const auto& v) -> kernels::Values {
        using T = typename std::remove_cvref_t<decltype(v)>::value_type;
        if (array.dtype != npy::DtypeOf<T>::value)
          throw UsageError(
              fmt::format("{}: the input {} takes {} values, but the file has another element type",
                          path, like.name, kernels::type_name(like.values)));
        return copied<T>(array);
      },
      like.values);
}

std::vector<kernels::Argument> inputs_of(const kernels::Entry& kernel,
                                         const KernelsOptions& options) {
  if (options.inputs.empty())
    return kernel.make_input(static_cast<std::size_t>(options.elements), options.seed);
  std::vector<kernels::Argument> inputs = kernel.make_input(0, options.seed);
  if (options.inputs.size() != inputs.size()) {
    std::string names;
    for (const auto& a : inputs)
      names +=
          fmt::format("{}{} ({})", names.empty() ? "" : ", ", a.name, kernels::type_name(a.values));
    throw UsageError(fmt::format("{} takes {} --input, for {}, not {}", kernel.name, inputs.size(),
                                 names, options.inputs.size()));
  }
  for (std::size_t k = 0; k < inputs.size(); ++k)
    inputs[k].values = read_values(options.inputs[k], inputs[k]);
  return inputs;
}

std::vector<const kernels::Argument*> outputs_of(const kernels::KernelCase& job) {
  std::vector<const kernels::Argument*> outputs;
  for (const auto& a : job.arguments)
    if (a.role == kernels::Role::output) outputs.push_back(&a);
  return outputs;
}

void require_writable(const kernels::Entry& kernel, const kernels::KernelCase& job,
                      const KernelsOptions& options) {
  const auto outputs = outputs_of(job);
  if (options.outputs.size() > outputs.size()) {
    std::string names;
    for (const auto* a : outputs) names += fmt::format("{}{}", names.empty() ? "" : ", ", a->name);
    throw UsageError(
        fmt::format("{} has the outputs {}; use at most that many --output", kernel.name, names));
  }
  for (const std::string& path : options.outputs) npy::check_writable(path);
}

void write_outputs(const kernels::KernelCase& job, const KernelsOptions& options) {
  const auto outputs = outputs_of(job);
  for (std::size_t k = 0; k < options.outputs.size(); ++k) {
    std::visit(
        [&](const auto& v) {
          using T = typename std::remove_cvref_t<decltype(v)>::value_type;
          npy::write<T>(options.outputs[k], std::span<const T>(v));
        },
        outputs[k]->values);
  }
}

// ---- Running ----

void print(const KernelsOptions& options, const kernels::KernelCase& job, double seconds,
           const std::string& wrong, const FaultLog& faults) {
  if (options.json) {
    nlohmann::ordered_json arrays = nlohmann::ordered_json::array();
    for (const auto& a : job.arguments) {
      if (a.role == kernels::Role::scratch) continue;
      arrays.push_back({{"name", a.name},
                        {"role", a.role == kernels::Role::input ? "input" : "output"},
                        {"type", kernels::type_name(a.values)},
                        {"elements", kernels::size(a)}});
    }
    lockstep::report::Findings findings;
    findings.add(faults);
    const nlohmann::ordered_json json{
        {"kernel", options.kernel},   {"subgroup_size", options.subgroup_size},
        {"threads", options.threads}, {"seconds", seconds},
        {"arrays", arrays},           {"wrong", wrong},
        {"ok", wrong.empty()},        {"findings", lockstep::report::to_json(findings)}};
    fmt::print("{}\n", json.dump(2));
    return;
  }
  fmt::print("{}, subgroup size {}: {}, {:.3f} ms\n", options.kernel, options.subgroup_size,
             wrong.empty() ? "ok" : "wrong", seconds * 1e3);
  for (const auto& a : job.arguments) {
    if (a.role == kernels::Role::scratch) continue;
    fmt::print("  {:6}  {}: {} {}\n", a.role == kernels::Role::input ? "input" : "output", a.name,
               kernels::size(a), kernels::type_name(a.values));
  }
  if (!wrong.empty()) fmt::print("  {}\n", wrong);
}

ExitCode run(const KernelsOptions& options) {
  const kernels::Entry& kernel = kernel_named(options.kernel);
  const std::string reason = kernel.undefined_at(options.subgroup_size);
  if (!reason.empty())
    throw UsageError(fmt::format("{} does not support subgroup size {}: {}", kernel.name,
                                 options.subgroup_size, reason));
  std::optional<kernels::KernelCase> job;
  try {
    job = kernel.make_case(inputs_of(kernel, options), options.subgroup_size);
  } catch (const kernels::InputError& error) {
    throw UsageError(fmt::format("{}: {}", kernel.name, error.what()));
  }
  require_writable(kernel, *job, options);
  const kernels::KernelCase before = *job;

  const Mapping mapping = mapping_of(options.choices);
  RunConvergence convergence(options.choices);
  const auto start = std::chrono::steady_clock::now();
  const FaultLog faults = kernels::run(Device{.subgroup_size = options.subgroup_size,
                                              .threads = options.threads,
                                              .mapping = mapping,
                                              .order = order_of(options.choices),
                                              .max_trips = options.choices.max_steps,
                                              .faults = Faults::counted},
                                       *job, convergence.get());
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;

  const std::string wrong =
      faults.count() > 0 ? to_string(faults.first()) : kernel.verify(before, *job);
  print(options, *job, elapsed.count(), wrong, faults);
  if (!wrong.empty()) return exit_failed;
  write_outputs(*job, options);
  return exit_fine;
}

void add_options(CLI::App& app, KernelsOptions& options) {
  app.add_option("KERNEL", options.kernel, "A kernel that lockstep kernels lists")
      ->check(offering(kernel_names()))
      ->option_text(" ")
      ->required();
  app.add_option("--subgroup-size", options.subgroup_size, "Lanes in a subgroup (default: 32)")
      ->option_text("N")
      ->type_name("N")
      ->check(CLI::Range(1, max_lanes).description(""));
  CLI::Option* input = app.add_option("--input", options.inputs,
                                      "Take this .npy array as the next input, repeatable")
                           ->option_text("FILE")
                           ->allow_extra_args(false);
  app.add_option("--output", options.outputs, "Write the next output to this .npy file, repeatable")
      ->option_text("FILE")
      ->allow_extra_args(false);
  app.add_option("--size", options.elements,
                 "Without --input: the number of elements (default: 1048576)")
      ->option_text("N")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{0}, max_elements).description(""))
      ->excludes(input);
  app.add_option("--seed", options.seed, "Seed of the generated inputs (default: 1)")
      ->option_text("N")
      ->type_name("N")
      ->excludes(input);
  app.add_option("--threads", options.threads,
                 "Threads that run workgroups (default: one per processor)")
      ->option_text("N")
      ->type_name("N")
      ->check(CLI::Range(1, max_threads).description(""));
  add_choice_options(app, options.choices);
  add_order_option(app, options.choices);
  app.add_option("--max-steps", options.choices.max_steps,
                 "Loop iterations before a loop counts as endless (default: 67108864)")
      ->option_text("N")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 62).description(""));
  app.add_flag("--json", options.json, "Print JSON");
}

}  // namespace

Command kernels_command(CLI::App& program) {
  auto json = std::make_shared<bool>(false);
  CLI::App* app = program.add_subcommand("kernels", "List the kernels and their sources");
  app->add_flag("--json", *json, "Print JSON");
  app->footer("Example:\n  lockstep kernels");
  return {app, [json] { return list(*json); }};
}

Command run_kernel_command(CLI::App& program) {
  auto options = std::make_shared<KernelsOptions>();
  CLI::App* app = program.add_subcommand("run-kernel", "Run a kernel and check its results");
  add_options(*app, *options);
  app->footer(
      "Results are compared with the results of a plain loop.\n"
      "Exit status: 0 success, 1 a wrong result, 2 wrong usage or input, or a subgroup size that "
      "the kernel does not support.\n"
      "\n"
      "Examples:\n"
      "  lockstep run-kernel compact --subgroup-size 24\n"
      "  lockstep run-kernel max_reduce --input values.npy --output maximum.npy");
  return {app, [options] { return run(*options); }};
}

}  // namespace lockstep::cli
