#include "cli/trace/trace.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

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

#include "cli/job_options.hpp"
#include "cli/refused_options.hpp"
#include "cli/run/report.hpp"
#include "cli/shader_case.hpp"
#include "cli/share.hpp"
#include "cli/trace/beside.hpp"
#include "cli/trace/files.hpp"
#include "cli/trace/kernels.hpp"
#include "cli/trace/options.hpp"
#include "cli/words.hpp"
#include "io/error.hpp"
#include "io/files.hpp"
#include "io/npy.hpp"
#include "io/numbers.hpp"
#include "io/text.hpp"
#include "report/findings.hpp"

namespace lockstep::cli {
namespace {

constexpr RefusedOption refused_by_trace[] = {
    {"--against", "only lockstep run judges results"},
    {"--strict", "only lockstep run judges results", false},
    {"--strict-order", "only lockstep run judges results"},
    {"--explain", "only lockstep run and lockstep check explain results"},
    {"--trace", "give the file with -o"},
    {"--stats", "a trace always has the work of each line", false},
    {"--threads", "a recorded run has one thread"},
    {"--json", "write events with -o FILE.ndjson, or slices for Perfetto with -o FILE.json", false},
    {"--junit", "lockstep run writes the outcomes of scripts"},
};

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
  const auto number = lockstep::io::parse_unsigned(text);
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
  for (const std::string_view name : lockstep::io::parts_of(options.variables, ',')) {
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
  } catch (const lockstep::io::InputError& error) {
    throw UsageError(error.what());
  }
}

trace::StepRange steps_of(const TraceOptions& options) {
  const std::string& text = options.steps;
  if (text.empty()) return {};
  const std::size_t dash = text.find('-');
  const auto first = lockstep::io::parse_unsigned(text.substr(0, dash));
  const bool open = dash != std::string::npos && dash + 1 == text.size();
  const auto last = dash == std::string::npos ? first
                    : open                    ? trace::StepRange::end
                                              : lockstep::io::parse_unsigned(text.substr(dash + 1));
  if (!first || !last || *first == 0 || *last < *first)
    throw UsageError(
        fmt::format("--steps {}: write 10, 10-20, or 10- for all from the 10th", text));
  return {*first, *last};
}

/// UsageError where --steps says nothing that the output could follow.
void check_steps(const TraceOptions& options) {
  if (options.steps.empty()) return;
  static_cast<void>(steps_of(options));
  if (options.events)
    throw UsageError("--steps is for drawings, but --events lists everything; remove one");
  const std::string& file = options.output;
  if (!file.empty() && !file.ends_with(".svg") && !file.ends_with(".txt"))
    throw UsageError(fmt::format(
        "--steps is for the terminal, .txt and .svg, but {} has all steps; remove it", file));
}

/// UsageError if no subgroup of the run came as far.
void check_reached(const TraceOptions& options, const trace::Trace& trace) {
  std::size_t most = 0;
  for (const trace::SubgroupTrace& subgroup : trace.subgroups())
    most = std::max(most, trace.timeline(subgroup).steps.size());
  if (steps_of(options).first > most)
    throw UsageError(fmt::format("--steps {}: the run has {} steps", options.steps, most));
}

void print_choices(const TraceOptions& options, const trace::Trace& trace) {
  if (trace.choices().empty()) {
    fmt::print("choices  none: the rule left nothing open in this run\n");
    return;
  }
  fmt::print("choices  {}; to see this run again:\n", std::ranges::count(trace.choices(), ',') + 1);
  std::vector<std::string> words{"lockstep", "trace", options.subject()};
  std::ranges::copy(input_options(options.run), std::back_inserter(words));
  const auto add = [&](const char* name, const std::string& value, const std::string& otherwise) {
    if (value != otherwise) words.insert(words.end(), {name, value});
  };
  add("--mapping", options.run.mapping, "");
  add("--partial-subgroups", options.run.partial, "");
  add("--workgroup-order", options.run.order, "");
  add("--workgroup", fmt::format("{}", fmt::join(options.workgroup, ",")), "0");
  add("--subgroup", options.subgroup, "0");
  add("--max-steps", std::to_string(options.run.max_steps), std::to_string(default_max_trips));
  if (options.run.check)
    words.push_back(options.run.check->empty() ? "--check" : "--check=" + *options.run.check);
  words.insert(words.end(), {"--subgroup-size", std::to_string(trace.subgroup_size()),
                             "--convergence", options.run.convergence, "--choose", trace.replay()});
  fmt::print("  {}\n", as_command(words));
}

void print_run(const TraceOptions& options, const trace::Trace& trace) {
  trace::Look look = look_of_output(options.width, options.colour);
  look.stack = options.stack;
  look.steps = steps_of(options);
  bool first = true;
  for (const trace::SubgroupTrace& subgroup : trace.subgroups()) {
    const trace::Timeline timeline = trace.timeline(subgroup);
    const bool is_first = std::exchange(first, false);
    if (!options.brief || trace.subgroups().size() > 1)
      fmt::print("{}{}\n\n", is_first ? "" : "\n", trace.title(subgroup));
    if (options.events) {
      for (const Event& event : subgroup.events) fmt::print("{}\n", to_string(event));
    } else {
      fmt::print("{}\n{}", draw(timeline, look), draw_legend(timeline, look));
    }
    if (!options.brief) fmt::print("\n{}\n", draw_summary(timeline, look));
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
          .stack = options.stack,
          .steps = steps_of(options)};
}

ExitCode run(const TraceOptions& options) {
  if (!options.output.empty()) check_trace_file(options.output, "-o");
  if (!options.run.sarif.empty()) npy::check_writable(options.run.sarif);
  check_steps(options);
  const PageRun first(traced(options));
  std::unique_ptr<PageRun> beside;
  if (options.beside) beside = std::make_unique<PageRun>(traced(beside_options(options)));
  const TracedRun& run = first.run();
  const trace::Trace& trace = run.trace;
  if (!options.steps.empty()) check_reached(options, trace);
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
  save(run.saved);
  const ExitCode code =
      run.wrong.empty() && !first.findings().any_error() ? exit_fine : exit_failed;
  if (options.brief) return code;
  for (const BoundBuffer& buffer : run.written)
    if (buffer.save.empty()) print_summary(buffer);
  if (run.has_expectation)
    fmt::print("result   {}\n", run.wrong.empty() ? "right" : "WRONG: " + run.wrong);
  print_choices(options, trace);
  return code;
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

/// Long, as it lists every option with its help.
Command trace_command(CLI::App& program) {
  auto options = std::make_shared<TraceOptions>();
  options->run.convergence = "maximal";
  options->run.choose = "rejoin-all";
  CLI::App* app = program.add_subcommand(
      "trace", "Show which lanes are active on which line of a shader or kernel");
  app->add_option("WHAT", options->run.files,
                  "A shader (.comp, .glsl, .hlsl, .slang, .wgsl, .cl, .spvasm, .spv), a script "
                  "(.amber), a job\nthat lockstep "
                  "capture wrote, or one of the kernels below")
      ->required()
      ->expected(1)
      ->transform(or_shared_file())
      ->check(offering(kernel_names()))
      ->option_text(" ");
  add_trace_run_options(*app, *options);
  app->add_option("--beside", options->beside,
                  "A second run, shown with the first difference: the options that\ndiffer, or "
                  "another file with its options, in quotes")
      ->option_text("OPTIONS");
  app->add_option("-o,--output", options->output,
                  "Write the trace to a file instead: .html for a browser, .svg for slides, "
                  ".txt,\n.json for "
                  "Perfetto, .ndjson for programs")
      ->option_text("FILE");
  app->add_option("--steps", options->steps,
                  "Draw only these steps: 10, 10-20, or 10- for all from the 10th")
      ->option_text("RANGE");
  app->add_flag("--stack", options->stack,
                "Show the reconvergence stack below rows that change it");
  app->add_flag("--brief", options->brief,
                "Print only the drawing, or with -o the file's name, without counts and\nresults");
  app->add_flag("--events", options->events, "List each event instead of drawing steps");
  app->add_option("--width", options->width, "Width in columns (default: the terminal's, or 80)")
      ->option_text("COLUMNS")
      ->type_name("COLUMNS")
      ->check(CLI::Range(40, 1000).description(""));
  app->add_option("--color", options->colour,
                  "auto (default), always or never; the variable NO_COLOR works too")
      ->option_text("WHEN")
      ->check(one_of({"auto", "always", "never"}));
  add_save_option(*app, options->run);
  app->add_option("--sarif", options->run.sarif, "Write the findings in SARIF 2.1.0")
      ->option_text("FILE");
  refuse(*app, refused_by_trace);
  std::string footer = "Some of the kernels that lockstep kernels lists:\n";
  for (const TraceKernel& kernel : trace_kernels())
    footer += fmt::format("  {:<20}{}\n", kernel.name, kernel.what);
  app->footer(
      footer +
      "\nA row is a line that lanes execute. Lines of C++ kernels that only compute are not "
      "shown.\nInputs take the same options as in lockstep run.\n"
      "Exit status: 0 the result is right or not known, 1 it is wrong or a check found an error, 2 "
      "wrong usage.\n"
      "\n"
      "Examples:\n"
      "  lockstep trace collatz\n"
      "  lockstep trace allocate_broken --convergence core --choose rejoin-none\n"
      "  lockstep trace allocate_broken \\\n"
      "      --beside \"--convergence core --choose rejoin-none\"\n"
      "  lockstep trace prefix_sum --subgroup-size 128 --subgroup 7 --stack\n"
      "  lockstep trace scan.comp --groups 1 --buffer 0=iota:u32:64 \\\n"
      "      --buffer 1=zeros:u32:64 --steps 8-14 -o slide.svg\n"
      "  lockstep trace tests/my.amber --workgroup all -o trace.html");
  return {app, [options] {
            options->run = with_job(options->run);
            return run(*options);
          }};
}

}  // namespace lockstep::cli
