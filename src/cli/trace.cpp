#include "cli/trace.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/dispatch/device.hpp>
#include <lockstep/exec/error.hpp>
#include <lockstep/trace/recorder.hpp>
#include <lockstep/trace/timeline.hpp>

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

Chooser chooser_named(const std::string& text) {
  try {
    return Chooser::parse(text);
  } catch (const Error& error) {
    throw UsageError(std::string("--choose: ") + error.what());
  }
}

/// Keeps one subgroup's events and counts the other subgroups.
class Watch : public Observer {
 public:
  Watch(std::array<std::uint32_t, 3> workgroup, std::uint32_t subgroup)
      : recorder_(workgroup, subgroup) {}

  void on(const Event& event) override {
    recorder_.on(event);
    for (std::size_t k = 0; k < 3; ++k)
      workgroups_[k] = std::max(workgroups_[k], event.workgroup[k] + 1);
    subgroups_ = std::max(subgroups_, event.subgroup + 1);
  }

  const std::vector<Event>& events() const { return recorder_.events(); }
  std::array<std::uint32_t, 3> workgroups() const { return workgroups_; }
  std::uint32_t subgroups() const { return subgroups_; }

 private:
  trace::Recorder recorder_;
  std::array<std::uint32_t, 3> workgroups_{};
  std::uint32_t subgroups_ = 0;
};

std::array<std::uint32_t, 3> workgroup_of(const Options& options) {
  std::array<std::uint32_t, 3> workgroup{};
  std::ranges::copy(options.workgroup, workgroup.begin());
  return workgroup;
}

[[noreturn]] void fail_absent(const Options& options, const Watch& watch) {
  const auto [x, y, z] = workgroup_of(options);
  const auto [nx, ny, nz] = watch.workgroups();
  throw UsageError(fmt::format(
      "there is no subgroup {} in a workgroup ({}, {}, {}): {} runs {} x {} x {} workgroups of {} "
      "subgroups here",
      options.subgroup, x, y, z, options.kernel, nx, ny, nz, watch.subgroups()));
}

void print_title(const Options& options, const trace::Timeline& timeline) {
  const auto [x, y, z] = workgroup_of(options);
  const std::string group =
      y == 0 && z == 0 ? fmt::format("{}", x) : fmt::format("({}, {}, {})", x, y, z);
  const int existing = timeline.existing.count();
  const std::string lanes = existing == timeline.subgroup_size
                                ? fmt::format("{} lanes", existing)
                                : fmt::format("{} of {} lanes", existing, timeline.subgroup_size);
  fmt::print("{}, subgroup {} of workgroup {}: {}, {}{}\n\n", options.kernel, options.subgroup,
             group, lanes, options.convergence,
             options.convergence == "maximal" ? "" : ", " + options.choose);
}

void print_choices(const Options& options, const Chooser& chooser) {
  if (chooser.made().empty()) {
    fmt::print("choices  none: the rule left nothing open in this run\n");
    return;
  }
  fmt::print("choices  {}; to see this run again:\n", chooser.made().size());
  fmt::print("  lockstep trace {} --subgroup-size {} --convergence {} --choose replay:{}\n",
             options.kernel, options.subgroup_size, options.convergence, chooser.made_as_text());
}

void print_run(const Options& options, const Watch& watch) {
  const trace::Timeline timeline = trace::make_timeline(watch.events(), options.subgroup_size);
  trace::Look look = look_of_output(options.width, options.colour);
  look.stack = options.stack;
  print_title(options, timeline);
  if (options.events) {
    for (const Event& event : watch.events()) fmt::print("{}\n", to_string(event));
  } else {
    fmt::print("{}\n{}", draw(timeline, look), draw_legend(timeline, look));
  }
  fmt::print("\n{}\n", draw_summary(timeline, look));
}

ExitCode run(const Options& options) {
  const TraceKernel& kernel = kernel_named(options.kernel);
  Chooser chooser = chooser_named(options.choose);
  Watch watch(workgroup_of(options), options.subgroup);
  const Convergence convergence{
      .rule = rule_named(options.convergence), .chooser = &chooser, .observer = &watch};
  std::string wrong;
  std::exception_ptr stopped;  // the events of a run that ends early are still worth showing
  try {
    wrong = kernel.run(convergence, options.subgroup_size);
  } catch (const Error&) {
    stopped = std::current_exception();
  }
  if (!stopped && watch.events().empty()) fail_absent(options, watch);
  if (!watch.events().empty()) print_run(options, watch);
  if (stopped) std::rethrow_exception(stopped);
  fmt::print("result   {}\n", wrong.empty() ? "right" : "WRONG: " + wrong);
  print_choices(options, chooser);
  return wrong.empty() ? exit_fine : exit_failed;
}

int columns_of_terminal() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const char* columns = std::getenv("COLUMNS");
  const int number = columns == nullptr ? 0 : std::atoi(columns);
  return number > 0 ? number : 80;
}

bool shows_colour() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string_view(value == nullptr ? "" : value);
  };
  return isatty(STDOUT_FILENO) == 1 && variable("NO_COLOR").empty() && variable("TERM") != "dumb";
}

}  // namespace

trace::Look look_of_output(int columns, const std::string& colour) {
  return {.columns = columns != 0 ? columns : columns_of_terminal(),
          .colour = colour == "always" || (colour == "auto" && shows_colour()),
          .stack = false};
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
