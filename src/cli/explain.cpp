#include "cli/explain.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <lockstep/exec/error.hpp>

#include "cli/trace/trace.hpp"
#include "cli/words.hpp"
#include "explain/experiment.hpp"
#include "explain/names.hpp"
#include "explain/picture.hpp"
#include "explain/topics.hpp"
#include "io/error.hpp"
#include "io/files.hpp"
#include "io/npy.hpp"

namespace lockstep::cli {
namespace {

struct ExplainOptions {
  std::string name;
  int subgroup_size = 8;
  std::string active;
  explain::Arguments arguments;
  std::string output;
  int width = 0;
  std::string colour = "auto";
  bool json = false, glsl = false, brief = false;

  trace::Look look() const { return look_of_output(width, colour); }
};

// ---- Names ----

std::vector<std::pair<std::string, std::string>> topic_names() {
  std::vector<std::pair<std::string, std::string>> names;
  for (const explain::Topic& topic : explain::topics()) names.emplace_back(topic.name, topic.what);
  return names;
}

std::string listed(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

/// The row of that name, also in another language.
const explain::Row* row_of(const std::string& name) {
  try {
    return &explain::row_named(name);
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
}

// ---- The job ----

ExitCode list(const ExplainOptions& options) {
  if (!options.json) {
    fmt::print("{}", explain::draw_index(options.look(), topic_names()));
    return exit_fine;
  }
  fmt::print("{}\n", explain::index_json().dump(2));
  return exit_fine;
}

/// What would have no effect is an error.
void require_no_run_options(const ExplainOptions& options, std::string_view what) {
  std::vector<std::string> words;
  if (!options.active.empty()) words.emplace_back("--active");
  if (!options.arguments.values.empty()) words.emplace_back("--values");
  if (!options.arguments.second.empty()) words.emplace_back("--with");
  if (options.arguments.cluster) words.emplace_back("--cluster");
  if (options.glsl) words.emplace_back("--glsl");
  if (options.brief) words.emplace_back("--brief");
  if (!words.empty())
    throw UsageError(fmt::format("{} does not apply to {}; remove it", listed(words), what));
}

void require_no_output(const ExplainOptions& options, std::string_view what) {
  if (!options.output.empty())
    throw UsageError(fmt::format("-o does not apply to {}; remove it", what));
}

void check_brief(const ExplainOptions& options) {
  if (options.brief && (options.json || options.glsl || !options.output.empty()))
    throw UsageError("--brief is for text: remove it, or --json, --glsl and -o");
}

void check_output(const std::string& path) {
  if (path.empty()) return;
  if (!path.ends_with(".svg"))
    throw UsageError(
        fmt::format("-o {}: figures are written as SVG; choose a name that ends with .svg", path));
  npy::check_writable(path);
}

ExitCode wrote(const std::string& path, const std::string& figure) {
  try {
    lockstep::io::write_text(path, figure);
  } catch (const lockstep::io::InputError& error) {
    throw UsageError(error.what());
  }
  fmt::print("wrote {}\n", path);
  return exit_fine;
}

ExitCode tell(const explain::Topic& topic, const ExplainOptions& options) {
  require_no_run_options(options, "a topic");
  check_output(options.output);
  const std::vector<explain::Block> blocks = topic.tell();
  if (!options.output.empty()) return wrote(options.output, explain::to_svg(topic, blocks));
  if (options.json)
    fmt::print("{}\n", explain::to_json(topic, blocks).dump(2));
  else
    fmt::print("{}", explain::draw(blocks, options.look()));
  return exit_fine;
}

/// The run, if there is anything to see.
std::optional<explain::Answer> answer_of(const explain::Row& row, const ExplainOptions& options) {
  if (row.kind == explain::Row::Kind::barrier) {
    const std::string what = fmt::format("{}, which gives no values", row.name());
    require_no_run_options(options, what);
    require_no_output(options, what);
    return std::nullopt;
  }
  const LaneSet active = options.active.empty()
                             ? explain::usual_lanes(options.subgroup_size)
                             : explain::parse_lanes(options.active, options.subgroup_size);
  return explain::Experiment(row, options.subgroup_size, options.arguments).run(active);
}

ExitCode explain_row(const explain::Row& row, const ExplainOptions& options) {
  check_brief(options);
  check_output(options.output);
  std::optional<explain::Answer> answer;
  try {
    answer = answer_of(row, options);
    if (!options.output.empty()) return wrote(options.output, explain::to_svg(*answer));
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
  if (options.json) {
    fmt::print("{}\n", explain::to_json(row, answer ? &*answer : nullptr).dump(2));
    return exit_fine;
  }
  if (options.glsl) {
    fmt::print("{}", answer->shader);
    return exit_fine;
  }
  if (options.brief) {
    fmt::print("{}", explain::describe_run(row, *answer, options.look()));
    return exit_fine;
  }
  if (row.name() != options.name) fmt::print("{} in GLSL: {}\n\n", options.name, row.name());
  fmt::print("{}", explain::describe(row, answer ? &*answer : nullptr, options.look()));
  return exit_fine;
}

ExitCode run(const ExplainOptions& options) {
  if (options.name.empty()) {
    require_no_run_options(options, "the list");
    require_no_output(options, "the list");
    return list(options);
  }
  if (const explain::Topic* topic = explain::find_topic(options.name)) return tell(*topic, options);
  return explain_row(*row_of(options.name), options);
}

void add_options(CLI::App& app, ExplainOptions& options) {
  app.add_option("NAME", options.name,
                 "A built-in, by its name in GLSL, HLSL, CUDA, WGSL or Metal,\nor a topic "
                 "(default: list all)")
      ->check(offering(explain::known_names()))
      ->option_text(" ");
  app.add_option("--size,--subgroup-size", options.subgroup_size,
                 "Lanes in the subgroup (default: 8)")
      ->option_text("N")
      ->type_name("N")
      ->check(CLI::Range(1, 128).description(""));
  app.add_option(
         "--active", options.active,
         "The active lanes: all, even, odd, first:N, 0-3,6 or 0x4f\n(default: all but 2 and 5 of "
         "every 8)")
      ->option_text("LANES");
  app.add_option("--values", options.arguments.values,
                 "The first argument: a value for each lane, repeated: 3,1,4")
      ->option_text("LIST")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--with", options.arguments.second,
                 "The second argument (id, mask, delta, index or ballot), in the same\nformat; "
                 "ballots as 0x4f")
      ->option_text("LIST")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--cluster", options.arguments.cluster, "The cluster size (default: 4)")
      ->option_text("N")
      ->type_name("N");
  app.add_option("-o,--output", options.output, "Write the picture to this .svg instead")
      ->option_text("FILE");
  app.add_flag("--brief", options.brief, "Print only the lanes, and which results are undefined");
  app.add_flag("--glsl", options.glsl, "Print the shader that runs");
  app.add_flag("--json", options.json, "Print JSON");
  app.add_option("--width", options.width, "Width in columns (default: the terminal's, or 80)")
      ->option_text("COLUMNS")
      ->type_name("COLUMNS")
      ->check(CLI::Range(40, 1000).description(""));
  app.add_option("--color", options.colour,
                 "auto (default), always or never; the variable NO_COLOR works too")
      ->option_text("WHEN")
      ->check(one_of({"auto", "always", "never"}));
}

}  // namespace

Command explain_command(CLI::App& program) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* app = program.add_subcommand(
      "explain", "Show what each lane gets from a subgroup built-in, and why");
  add_options(*app, *options);
  app->footer(
      "The values come from running a shader.\n"
      "Exit status: 0 success, 2 wrong usage.\n"
      "\n"
      "Examples:\n"
      "  lockstep explain\n"
      "  lockstep explain subgroupInclusiveAdd\n"
      "  lockstep explain subgroupShuffleUp --size 16 --active 0-3,8-11 --with 2\n"
      "  lockstep explain WaveActiveBallot --size 64 --active odd\n"
      "  lockstep explain reconvergence");
  return {app, [options] { return run(*options); }};
}

}  // namespace lockstep::cli
