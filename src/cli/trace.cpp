#include "cli/trace.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/exec/error.hpp>
#include <lockstep/trace/timeline.hpp>
#include <lockstep/trace/trace.hpp>

#include "cli/trace_kernels.hpp"

namespace lockstep::cli {
namespace {

constexpr int max_lanes = 128;

struct Options {
  std::string kernel;
  int subgroup_size = 8;
  std::string convergence = "maximal";
  std::string choose = "rejoin-all";
  std::vector<std::uint32_t> workgroup{0};
  std::uint32_t subgroup = 0;
  bool stack = false;
  int width = 0;
  std::string colour = "auto";
  bool events = false;
};

constexpr std::array rules{Rule::maximal, Rule::subgroup_uniform, Rule::core};

Rule rule_named(std::string_view name) {
  return *std::ranges::find_if(rules, [&](Rule rule) { return to_string(rule) == name; });
}

const TraceKernel& kernel_named(std::string_view name) {
  const auto kernels = trace_kernels();
  const auto found = std::ranges::find(kernels, name, &TraceKernel::name);
  if (found != kernels.end()) return *found;
  std::string known;
  for (const TraceKernel& k : kernels)
    known += fmt::format("{}{}", known.empty() ? "" : ", ", k.name);
  throw UsageError(
      fmt::format("'{}' is not a kernel that can be traced; use one of {}", name, known));
}

void check_chooser(const std::string& text) {
  try {
    static_cast<void>(Chooser::parse(text));
  } catch (const Error& error) {
    throw UsageError(std::string("--choose: ") + error.what());
  }
}

std::array<std::uint32_t, 3> workgroup_of(const Options& options) {
  std::array<std::uint32_t, 3> workgroup{};
  std::ranges::copy(options.workgroup, workgroup.begin());
  return workgroup;
}

void print_choices(const Options& options, const trace::Trace& trace) {
  if (trace.choices().empty()) {
    fmt::print("choices  none: the rule left nothing open in this run\n");
    return;
  }
  fmt::print("choices  {}; to see this run again:\n", std::ranges::count(trace.choices(), ',') + 1);
  fmt::print("  lockstep trace {} --subgroup-size {} --convergence {} --choose replay:{}\n",
             options.kernel, options.subgroup_size, options.convergence, trace.choices());
}

void print_run(const Options& options, const trace::Trace& trace) {
  const trace::Timeline timeline = trace.timeline();
  trace::Look look = look_of_output(options.width, options.colour);
  look.stack = options.stack;
  fmt::print("{}\n\n", trace.title(trace.subgroups().front()));
  if (options.events) {
    for (const Event& event : trace.events()) fmt::print("{}\n", to_string(event));
  } else {
    fmt::print("{}\n{}", draw(timeline, look), draw_legend(timeline, look));
  }
  fmt::print("\n{}\n", draw_summary(timeline, look));
}

ExitCode run(const Options& options) {
  const TraceKernel& kernel = kernel_named(options.kernel);
  check_chooser(options.choose);
  const trace::Request request{.workgroup = workgroup_of(options),
                               .subgroup = options.subgroup,
                               .rule = rule_named(options.convergence),
                               .choose = options.choose};
  std::string wrong;
  const trace::Trace trace = [&] {
    try {
      return trace::record(options.kernel, options.subgroup_size, request,
                           [&](const Convergence& convergence) {
                             wrong = kernel.run(convergence, options.subgroup_size);
                           });
    } catch (const trace::AbsentSubgroup& absent) {
      throw UsageError(absent.what());
    }
  }();
  // The events of a run that ends early are still worth showing.
  print_run(options, trace);
  if (trace.error()) std::rethrow_exception(trace.error());
  fmt::print("result   {}\n", wrong.empty() ? "right" : "WRONG: " + wrong);
  print_choices(options, trace);
  return wrong.empty() ? exit_fine : exit_failed;
}

}  // namespace

trace::Look look_of_output(int columns, const std::string& colour) {
  trace::Look look = trace::look_of_terminal();
  if (columns != 0) look.columns = columns;
  if (colour != "auto") look.colour = colour == "always";
  return look;
}

Command trace_command(CLI::App& program) {
  auto options = std::make_shared<Options>();
  CLI::App* app =
      program.add_subcommand("trace", "Show which lanes are active on which line of a kernel");
  app->add_option("KERNEL", options->kernel, "One of the kernels below")
      ->required()
      ->option_text(" ");
  app->add_option("--subgroup-size", options->subgroup_size,
                  "Lanes in a subgroup, 1 to 128 (default: 8)")
      ->option_text("N")
      ->type_name("N")
      ->check(CLI::Range(1, max_lanes).description(""));
  app->add_option("--convergence", options->convergence,
                  "Reconvergence rule: maximal (default), subgroup-uniform, core")
      ->option_text("RULE")
      ->check(CLI::IsMember({"maximal", "subgroup-uniform", "core"}).description(""));
  app->add_option(
         "--choose", options->choose,
         "What the rule leaves open: rejoin-all (default), rejoin-none, random:SEED,\nreplay:LIST")
      ->option_text("HOW");
  app->add_option("--workgroup", options->workgroup,
                  "The workgroup to watch: X or X,Y,Z (default: 0)")
      ->option_text("G")
      ->delimiter(',')
      ->expected(1, 3)
      ->allow_extra_args(false);
  app->add_option("--subgroup", options->subgroup, "The subgroup to watch (default: 0)")
      ->option_text("S");
  app->add_flag("--stack", options->stack,
                "Show the reconvergence stack below rows that change it");
  app->add_flag("--events", options->events, "List each event instead of drawing steps");
  app->add_option("--width", options->width, "Columns to draw for (default: the terminal's, or 80)")
      ->option_text("COLUMNS")
      ->type_name("COLUMNS")
      ->check(CLI::Range(40, 1000).description(""));
  app->add_option("--color", options->colour,
                  "auto (default), always or never; NO_COLOR in the environment works too")
      ->option_text("WHEN")
      ->check(CLI::IsMember({"auto", "always", "never"}).description(""));
  std::string footer = "Kernels:\n";
  for (const TraceKernel& kernel : trace_kernels())
    footer += fmt::format("  {:<20}{}\n", kernel.name, kernel.what);
  app->footer(footer +
              "\n"
              "A row is a line that lanes execute; lines that only compute are not shown.\n"
              "Exit status: 0 the kernel's result is right, 1 it is wrong, 2 wrong usage.\n"
              "\n"
              "Examples:\n"
              "  lockstep trace collatz\n"
              "  lockstep trace allocate_broken --convergence core --choose rejoin-none\n"
              "  lockstep trace prefix_sum --subgroup-size 128 --subgroup 7 --stack");
  return {app, [options] { return run(*options); }};
}

}  // namespace lockstep::cli
