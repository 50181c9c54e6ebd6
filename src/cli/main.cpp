#ifdef __linux__
#include <malloc.h>
#endif

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <exception>
#include <new>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "cli/capture/capture.hpp"
#include "cli/check/check.hpp"
#include "cli/command.hpp"
#include "cli/demo/demo.hpp"
#include "cli/demo/divergence.hpp"
#include "cli/devices.hpp"
#include "cli/explain.hpp"
#include "cli/explore/explore.hpp"
#include "cli/generate.hpp"
#include "cli/help/help.hpp"
#include "cli/inspect/inspect.hpp"
#include "cli/kernels.hpp"
#include "cli/lesson.hpp"
#include "cli/outcome_json.hpp"
#include "cli/run/run.hpp"
#include "cli/serve/serve.hpp"
#include "cli/share.hpp"
#include "cli/suite/suite.hpp"
#include "cli/survey/survey.hpp"
#include "cli/trace/trace.hpp"
#include "cli/verify/verify.hpp"
#include "cli/vulkan.hpp"
#include "io/error.hpp"
#include "io/npy.hpp"
#include "io/similar.hpp"
#include "lockstep/config.hpp"
#include "runtime/dispatch/instruction_set.hpp"
#include "runtime/trace/open_source.hpp"

namespace lockstep::cli {
namespace {

struct Subcommand {
  std::string_view name;  ///< empty if it is about all others
  Command (*declare)(CLI::App&);
};

// Every subcommand of the program, in the order of --help.
constexpr std::array<Subcommand, 18> subcommands{{{"run", run_command},
                                                  {"capture", capture_command},
                                                  {"check", check_command},
                                                  {"explore", explore_command},
                                                  {"verify", verify_command},
                                                  {"inspect", inspect_command},
                                                  {"survey", survey_command},
                                                  {"demo", demo_command},
                                                  {"demo", demo_divergence_command},
                                                  {"trace", trace_command},
                                                  {"serve", serve_command},
                                                  {"kernels", kernels_command},
                                                  {"run-kernel", run_kernel_command},
                                                  {"devices", devices_command},
                                                  {"explain", explain_command},
                                                  {"lesson", lesson_command},
                                                  {"vulkan", vulkan_command},
                                                  {"", generate_command}}};

// Declares the subcommand that the first word names, or all, which takes a millisecond.
std::vector<Command> declare(CLI::App& program, std::string_view first) {
  const auto is_first = [first](const Subcommand& one) { return one.name == first; };
  const bool names_one = !first.empty() && std::ranges::any_of(subcommands, is_first);
  std::vector<Command> commands;
  for (const Subcommand& one : subcommands)
    if (!names_one || is_first(one)) commands.push_back(one.declare(program));
  return commands;
}

#define LOCKSTEP_TEXT_OF(name) #name
#define LOCKSTEP_TEXT(macro) LOCKSTEP_TEXT_OF(macro)

/// What the program computes on lanes with.
std::string instruction_set_text() {
#ifdef LOCKSTEP_HAS_PARTS
  return fmt::format("{}, of baseline, avx2 and avx512", name_of(instruction_set()));
#else
  return LOCKSTEP_TEXT(LOCKSTEP_ABI);
#endif
}

std::string version() {
  return fmt::format("lockstep {}.{}.{} ({})", LOCKSTEP_VERSION_MAJOR, LOCKSTEP_VERSION_MINOR,
                     LOCKSTEP_VERSION_PATCH, instruction_set_text());
}

/// Whether every outcome of the command is an object on standard output, wrong command lines included.
bool wants_json(int argc, const char* const* argv) {
  const auto is_json = [](std::string_view word) { return word == "--json"; };
  if (argc < 2) return false;
  const std::string_view command = argv[1];
  return (command == "run" || command == "explore" || command == "inspect" || command == "check" ||
          command == "survey" || command == "capture" || command == "verify") &&
         std::any_of(argv, argv + argc, is_json);
}

ExitCode report(std::string message, ExitCode code, bool json) {
  // File names and arguments may contain anything; the report must stay one line.
  const auto is_control = [](unsigned char c) { return std::iscntrl(c) != 0; };
  std::ranges::replace_if(message, is_control, '?');
  // Unlike fmt::print, this does not throw if stderr itself cannot be written.
  std::fputs(fmt::format("lockstep: {}\n", message).c_str(), stderr);
  if (!json) return code;
  print_failure(message, code);
  std::fflush(stdout);
  return code;
}

// The subcommand that the user named, the innermost if they nest; else the program itself.
const CLI::App& named_command(const CLI::App& program) {
  const CLI::App* named = &program;
  while (!named->get_subcommands().empty()) named = named->get_subcommands().back();
  return *named;
}

std::string help_hint(const CLI::App& program) {
  std::string words = "--help";
  for (const CLI::App* app = &named_command(program); app != nullptr; app = app->get_parent()) {
    words.insert(0, app->get_name() + " ");
  }
  return "see " + words;
}

// "did you mean --groups? " for the first word that is nearly a subcommand or an option.
std::string suggestion(const CLI::App& named, int argc, const char* const* argv) {
  std::vector<std::string> known;
  for (const CLI::App* one : named.get_subcommands({})) known.push_back(one->get_name());
  for (const CLI::Option* option : named.get_options({})) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  }
  const bool takes_words = named.get_subcommands({}).empty();
  for (int k = 1; k < argc; ++k) {
    const std::string_view word =
        std::string_view(argv[k]).substr(0, std::string_view(argv[k]).find('='));
    const bool is_option = word.starts_with("--");
    if ((!is_option && takes_words) || std::ranges::find(known, word) != known.end()) continue;
    if (const std::string meant = io::most_similar(word, known); !meant.empty())
      return fmt::format("did you mean {}? ", meant);
  }
  return "";
}

ExitCode run_named(const CLI::App& program, const std::vector<Command>& commands) {
  const CLI::App& named = named_command(program);
  if (&named == &program) throw UsageError("no subcommand given; " + help_hint(program));
  const auto is_named = [&named](const Command& command) { return command.options == &named; };
  return std::ranges::find_if(commands, is_named)->run();
}

/// The words of the command line, with the name of a suite's entry replaced by what the entry says.
std::vector<std::string> words_of(int argc, const char* const* argv) {
  try {
    return with_entry({argv, argv + argc});
  } catch (const io::InputError& error) {
    throw UsageError(error.what());
  }
}

ExitCode run(int argc, const char* const* argv) {
  CLI::App program("Runs compute kernels on a CPU the way a GPU subgroup does.", "lockstep");
  program.set_version_flag("--version", version(), "Print the version and the instruction set");
  program.formatter(help_formatter());
  program.footer("Example:\n  lockstep demo --subgroup-size 32");
  const std::vector<Command> commands = declare(program, argc > 1 ? argv[1] : "");
  const std::vector<std::string> words = words_of(argc, argv);
  std::vector<const char*> pointers;
  for (const std::string& word : words) pointers.push_back(word.c_str());
  try {
    program.parse(static_cast<int>(pointers.size()), pointers.data());
  } catch (const CLI::Success& request) {  // --help or --version
    std::ostringstream answer;
    program.exit(request, answer, answer);
    fmt::print("{}", answer.str());
    return exit_fine;
  } catch (const CLI::ParseError& error) {
    const std::string meant = suggestion(named_command(program), argc, argv);
    throw UsageError(fmt::format("{}; {}{}", error.what(), meant, help_hint(program)));
  }
  return run_named(program, commands);
}

ExitCode run_and_report(int argc, const char* const* argv) {
  const bool json = wants_json(argc, argv);
  trace::set_source_folder(share_folder());
  try {
    const ExitCode code = run(argc, argv);
    flush_output();
    return code;
  } catch (const UsageError& error) {
    return report(error.what(), exit_usage, json);
  } catch (const npy::Error& error) {
    return report(error.what(), exit_usage, json);
  } catch (const std::bad_alloc&) {
    return report("not enough memory for this job; make it smaller", exit_usage, json);
  } catch (const std::system_error& error) {
    return report(
        fmt::format("system error: {}; use fewer threads or check the output", error.what()),
        exit_usage, json);
  } catch (const std::exception& error) {
    return report(error.what(), exit_failed, json);
  }
}

}  // namespace
}  // namespace lockstep::cli

int main(int argc, char** argv) {
#ifdef __GLIBC__
  // Each pass over a large shader makes lists of many megabytes. The next one takes their memory, which would otherwise
  // be given back and cleared in between.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
#endif
  return lockstep::cli::run_and_report(argc, argv);
}
