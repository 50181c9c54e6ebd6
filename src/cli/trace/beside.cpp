#include "cli/trace/beside.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/limits.hpp"
#include "cli/share.hpp"
#include "cli/words.hpp"

namespace lockstep::cli {

void add_trace_run_options(CLI::App& app, TraceOptions& options) {
  add_input_options(app, options.run);
  add_compile_options(app, options.run);
  app.add_option("--subgroup-size", options.run.subgroup_size,
                 "Lanes in a subgroup, 1 to 128 (default: the device's, else 8)")
      ->option_text("N")
      ->type_name("N")
      ->check(CLI::Range(1, max_lanes).description(""));
  app.add_option("--device", options.run.device, "A profile listed by lockstep devices")
      ->option_text("PROFILE")
      ->check(offering(device_names()));
  add_choice_options(app, options.run);
  add_order_option(app, options.run);
  app.add_flag(
      "--check{all}", options.run.check,
      "Check the rules of docs/reference/rules.md in a shader or script, or\nsome: --check=RULES");
  add_lenient_option(app, options.run);
  app.add_option("--workgroup", options.workgroup,
                 "The workgroup to watch: X or X,Y,Z (default: 0), or all")
      ->option_text("G")
      ->delimiter(',')
      ->expected(1, 3)
      ->allow_extra_args(false);
  app.add_option("--subgroup", options.subgroup, "The subgroup to watch (default: 0), or all")
      ->option_text("S");
  app.add_option("--variables", options.variables,
                 "Record the shader's variables in each lane: NAME,..., all or none\n(default: "
                 "all in .html, else none)")
      ->option_text("NAMES");
  app.add_option("--max-events", options.max_events,
                 "The run ends after this many recorded events (default: 1000000)")
      ->option_text("N")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 62).description(""));
  app.add_option("--max-steps", options.run.max_steps,
                 "Loop iterations before a loop counts as endless (default: 67108864)")
      ->option_text("N")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 62).description(""));
}

TraceOptions beside_options(const TraceOptions& first) {
  TraceOptions second = first;
  second.beside.reset();
  second.run.saves.clear();
  second.run.files.clear();
  CLI::App app("", "--beside");
  app.set_help_flag();
  app.add_option("WHAT", second.run.files)->expected(0, 1)->transform(or_shared_file());
  add_trace_run_options(app, second);
  std::vector<std::string> words = CLI::detail::split_up(*first.beside);
  std::ranges::reverse(words);
  try {
    app.parse(words);
  } catch (const CLI::Error& error) {
    throw UsageError(
        fmt::format("--beside: {}; it takes a file and options of a run, as "
                    "--beside \"--convergence core --choose rejoin-none\"",
                    error.what()));
  }
  if (second.run.files.empty()) second.run.files = first.run.files;
  return second;
}

}  // namespace lockstep::cli
