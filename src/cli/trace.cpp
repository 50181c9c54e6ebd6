#include "cli/trace.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <lockstep/exec/error.hpp>
#include <lockstep/trace/timeline.hpp>
#include <lockstep/trace/trace.hpp>

#include "cli/command_line.hpp"
#include "cli/job_options.hpp"
#include "cli/run_report.hpp"
#include "cli/trace_beside.hpp"
#include "cli/trace_files.hpp"
#include "cli/trace_kernels.hpp"
#include "cli/trace_options.hpp"
#include "cli/trace_page.hpp"
#include "run/error.hpp"
#include "run/files.hpp"
#include "run/findings.hpp"
#include "run/numbers.hpp"
#include "run/text.hpp"

namespace lockstep::cli {
namespace {

constexpr std::array rules{Rule::maximal, Rule::subgroup_uniform, Rule::core};

Rule rule_named(std::string_view name) {
  return *std::ranges::find_if(rules, [&](Rule rule) { return to_string(rule) == name; });
}

void check_chooser(const std::string& text) {
  try {
    static_cast<void>(Chooser::parse(text));
  } catch (const Error& error) {
    throw UsageError(std::string("--choose: ") + error.what());
  }
}

std::uint32_t number_of(const std::string& text, const char* option) {
  const auto number = lockstep::run::parse_unsigned(text);
  if (!number || *number > 0xffffffffu)
    throw UsageError(fmt::format("{}: '{}' is neither a number nor all", option, text));
  return static_cast<std::uint32_t>(*number);
}

/// Pages have room for all variables; elsewhere they would be in the way.
VariableNames variables_of(const TraceOptions& options) {
  if (options.variables.empty()) return {.all = options.output.ends_with(".html")};
  if (options.variables == "all") return {.all = true};
  if (options.variables == "none") return {};
  VariableNames wanted;
  for (const std::string_view name : lockstep::run::parts_of(options.variables, ',')) {
    if (name.empty())
      throw UsageError(
          fmt::format("--variables {}: write NAME,NAME..., all or none", options.variables));
    wanted.names.emplace_back(name);
  }
  return wanted;
}

/// Runs what the options name.
TracedRun traced(const TraceOptions& options) {
  const trace::Request request = request_of(options);
  try {
    if (is_amber(options.subject())) return trace_script(options, request);
    if (is_shader(options.subject())) return trace_shader(options, request);
    return trace_kernel(options, request);
  } catch (const trace::AbsentSubgroup& absent) {
    throw UsageError(absent.what());
  } catch (const UnknownVariable& unknown) {
    throw UsageError(fmt::format("--variables: {}", unknown.what()));
  } catch (const lockstep::run::InputError& error) {
    throw UsageError(error.what());
  }
}

void print_choices(const TraceOptions& options, const trace::Trace& trace) {
  if (trace.choices().empty()) {
    fmt::print("choices  none: the rule left nothing open in this run\n");
    return;
  }
  fmt::print("choices  {}; to see this run again:\n", std::ranges::count(trace.choices(), ',') + 1);
  std::vector<std::string> words{"lockstep", "trace", options.subject()};
  std::ranges::copy(input_options(options.run), std::back_inserter(words));
  if (!options.run.mapping.empty()) words.insert(words.end(), {"--mapping", options.run.mapping});
  if (!options.run.partial.empty())
    words.insert(words.end(), {"--partial-subgroups", options.run.partial});
  for (const std::string& word :
       {std::string("--subgroup-size"), std::to_string(trace.subgroup_size()),
        std::string("--convergence"), options.run.convergence, std::string("--choose"),
        "replay:" + trace.choices()})
    words.push_back(word);
  fmt::print("  {}\n", as_command(words));
}

void print_run(const TraceOptions& options, const trace::Trace& trace) {
  trace::Look look = look_of_output(options.width, options.colour);
  look.stack = options.stack;
  bool first = true;
  for (const trace::SubgroupTrace& subgroup : trace.subgroups()) {
    const trace::Timeline timeline = trace.timeline(subgroup);
    fmt::print("{}{}\n\n", std::exchange(first, false) ? "" : "\n", trace.title(subgroup));
    if (options.events) {
      for (const Event& event : subgroup.events) fmt::print("{}\n", to_string(event));
    } else {
      fmt::print("{}\n{}", draw(timeline, look), draw_legend(timeline, look));
    }
    fmt::print("\n{}\n", draw_summary(timeline, look));
  }
}

/// Modules without OpLine show what lanes do, but not where.
void note_missing_lines(const trace::Trace& trace) {
  const auto has_line = [](const Event& event) { return event.where.line > 0; };
  for (const trace::SubgroupTrace& subgroup : trace.subgroups())
    if (subgroup.events.empty() || std::ranges::any_of(subgroup.events, has_line)) return;
  fmt::print(stderr,
             "note: the module has no lines of its source (OpLine); compile it with debug "
             "information, as with glslangValidator -g\n");
}

/// Of the drawing in a .txt file: plain and 100 columns wide, unless the options say otherwise.
trace::Look look_of_file(const TraceOptions& options) {
  return {.columns = options.width != 0 ? options.width : 100,
          .colour = options.colour == "always",
          .stack = options.stack};
}

ExitCode run(const TraceOptions& options) {
  if (!options.output.empty()) check_trace_file(options.output, "-o");
  const PageRun first(traced(options));
  std::unique_ptr<PageRun> beside;
  if (options.beside) beside = std::make_unique<PageRun>(traced(beside_options(options)));
  const TracedRun& run = first.run();
  const trace::Trace& trace = run.trace;
  // The events of a run that ends early are still worth showing.
  if (options.output.empty()) {
    print_run(options, trace);
    if (beside != nullptr) {
      fmt::print("\nbeside:\n");
      print_run(options, beside->run().trace);
      fmt::print("\n{}", differences_of(trace, beside->run().trace));
    }
  } else {
    write_trace(first, beside.get(), options.output, look_of_file(options));
    fmt::print("wrote {}\n", options.output);
    if (beside != nullptr) fmt::print("{}", differences_of(trace, beside->run().trace));
  }
  flush_output();
  note_missing_lines(trace);
  write_findings(first.findings(), options.run);
  if (trace.error() && !first.findings().any()) std::rethrow_exception(trace.error());
  for (const BoundBuffer& buffer : run.written) print_summary(buffer);
  if (run.has_expectation)
    fmt::print("result   {}\n", run.wrong.empty() ? "right" : "WRONG: " + run.wrong);
  print_choices(options, trace);
  return run.wrong.empty() && !first.findings().any_error() ? exit_fine : exit_failed;
}

}  // namespace

trace::Request request_of(const TraceOptions& options) {
  using Which = trace::Request::Which;
  trace::Request request;
  request.variables = variables_of(options);
  request.rule = rule_named(options.run.convergence);
  request.choose = options.run.choose;
  check_chooser(request.choose);
  if (options.workgroup == std::vector<std::string>{"all"}) {
    if (options.subgroup != "0" && options.subgroup != "all")
      throw UsageError("--workgroup all records all subgroups; remove --subgroup");
    request.which = Which::all;
    return request;
  }
  for (std::size_t k = 0; k < options.workgroup.size(); ++k)
    request.workgroup[k] = number_of(options.workgroup[k], "--workgroup");
  if (options.subgroup == "all")
    request.which = Which::workgroup;
  else
    request.subgroup = number_of(options.subgroup, "--subgroup");
  return request;
}

trace::Look look_of_output(int columns, const std::string& colour) {
  trace::Look look = trace::look_of_terminal();
  if (columns != 0) look.columns = columns;
  if (colour != "auto") look.colour = colour == "always";
  return look;
}

Command trace_command(CLI::App& program) {
  auto options = std::make_shared<TraceOptions>();
  options->run.convergence = "maximal";
  options->run.choose = "rejoin-all";
  CLI::App* app = program.add_subcommand(
      "trace", "Show which lanes are active on which line of a shader or kernel");
  app->add_option(
         "WHAT", options->run.files,
         "A shader (.comp, .glsl, .hlsl, .spvasm, .spv), a script (.amber), a job\nthat lockstep "
         "capture wrote, or one of the kernels below")
      ->required()
      ->expected(1)
      ->option_text(" ");
  add_trace_run_options(*app, *options);
  app->add_option(
         "--beside", options->beside,
         "A second run, shown with the first difference: the options in which it\ndiffers, "
         "or another file with its own, in quotes")
      ->option_text("OPTIONS");
  app->add_option("-o,--output", options->output,
                  "Write the trace instead: .html for a browser, .svg for slides, .txt,\n.json for "
                  "Perfetto, .ndjson for programs")
      ->option_text("FILE");
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
  std::string footer = "Kernels, and all others that lockstep kernels lists:\n";
  for (const TraceKernel& kernel : trace_kernels())
    footer += fmt::format("  {:<20}{}\n", kernel.name, kernel.what);
  app->footer(
      footer +
      "\n"
      "A row is a line that lanes execute; of kernels, lines that only compute are not "
      "shown.\n"
      "Options for inputs are those of lockstep run.\n"
      "Exit status: 0 the result is right or not known, 1 it is wrong or a check found an "
      "error,\n2 wrong usage.\n"
      "\n"
      "Examples:\n"
      "  lockstep trace collatz\n"
      "  lockstep trace allocate_broken --convergence core --choose rejoin-none\n"
      "  lockstep trace allocate_broken --beside \"--convergence core --choose rejoin-none\"\n"
      "  lockstep trace prefix_sum --subgroup-size 128 --subgroup 7 --stack\n"
      "  lockstep trace scan.comp --groups 1 --buffer 0=iota:u32:64 --buffer 1=zeros:u32:64\n"
      "  lockstep trace tests/my.amber --workgroup all -o trace.html");
  return {app, [options] {
            options->run = with_job(options->run);
            return run(*options);
          }};
}

}  // namespace lockstep::cli
