#include "cli/demo/divergence.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/trace/recorder.hpp>
#include <lockstep/trace/terminal.hpp>
#include <lockstep/trace/timeline.hpp>

#include "allocate/allocate.hpp"
#include "allocate_broken/allocate_broken.hpp"
#include "allocate_nonuniform/allocate_nonuniform.hpp"
#include "cli/trace/trace.hpp"
#include "cli/words.hpp"

namespace lockstep::cli {
namespace {

struct DivergenceOptions {
  int width = 0;
  std::string colour = "auto";
};

constexpr int lanes = 8;
constexpr std::uint32_t in_use = 4;
using Numbers = std::vector<std::uint32_t>;

// ---- Running ----

/// One run of an allocation on one subgroup.
struct Run {
  Numbers expected, got;  ///< the slots
  std::vector<Event> events;

  bool right() const { return expected == got; }
};

/// Lanes have the values 1 to n. The first slots hold earlier values, the next are free.
template <template <class> class K>
Run allocate(Rule rule, Chooser chooser, std::uint32_t n = lanes) {
  Numbers in(n), free_slot{in_use};
  std::iota(in.begin(), in.end(), 1u);
  Run run;
  for (std::uint32_t i = 0; i < in_use; ++i) run.expected.push_back(101 + i);
  run.got = run.expected;
  for (std::uint32_t value = 2; value <= n; value += 2) run.expected.push_back(value);
  run.got.resize(run.expected.size());
  trace::Recorder recorder({0, 0, 0}, 0);
  const Convergence convergence{.rule = rule, .chooser = &chooser, .observer = &recorder};
  Device{.subgroup_size = lanes}.dispatch<K, lanes>(convergence, {1}, in, free_slot, run.got);
  run.events = recorder.events();
  return run;
}

// ---- Telling ----

class Teller {
 public:
  explicit Teller(trace::Look look) : look_(look) {}

  void title(std::string_view text) const { fmt::print("\n{}\n\n", painted(text, "1")); }

  /// The timeline, from where lanes first diverge.
  void timeline(const Run& run) const {
    trace::Timeline timeline = trace::make_timeline(run.events, lanes);
    const auto first = std::ranges::find_if(timeline.steps, &trace::Step::diverges);
    timeline.steps.erase(timeline.steps.begin(), first);
    fmt::print("{}\n", trace::draw(timeline, look_));
  }

  void slots(const Run& run) const {
    std::string slot = "  slot    ", expected = "  expected", got = "  got     ";
    for (std::size_t i = 0; i < run.got.size(); ++i) {
      slot += fmt::format("{:>5}", i);
      expected += fmt::format("{:>5}", run.expected[i]);
      const bool wrong = run.got[i] != run.expected[i];
      const std::string text = run.got[i] == 0 ? "-" : fmt::format("{}", run.got[i]);
      got += wrong ? painted(fmt::format("{:>5}", "!" + text), "1;38;5;203")
                   : fmt::format("{:>5}", text);
    }
    fmt::print("{}\n{}\n{}   {}\n", painted(slot, "38;5;244"), expected, got,
               run.right() ? painted("right", "38;5;71") : painted("WRONG", "1;38;5;203"));
  }

  /// Which lanes got which broadcast value from which lane.
  void broadcasts(const Run& run) const {
    for (const Event& e : run.events) {
      if (e.name != "subgroupBroadcastFirst") continue;
      const LaneSet hearing = e.tangles[0].lanes;
      fmt::print("  line {}: lane{} {:<7} hear{} lane {}: base = {}\n", e.where.line,
                 hearing.count() == 1 ? " " : "s", to_string(hearing),
                 hearing.count() == 1 ? "s" : " ", hearing.first(),
                 to_string(e.result, hearing.first()));
    }
  }

  /// The place of the first merge without reconvergence.
  std::string missed_merge(const Run& run) const {
    const trace::Timeline timeline = trace::make_timeline(run.events, lanes);
    const trace::Summary summary = trace::summarize(timeline);
    if (summary.apart.empty()) return "nowhere";
    const trace::Step& step = timeline.steps[summary.apart[0]];
    return fmt::format("{}:{}", trace::short_name(step.where.file), step.where.line);
  }

  void verdict(std::string_view what, bool right) const {
    fmt::print("  {:<44}{}\n", what,
               right ? painted("right", "38;5;71") : painted("WRONG", "1;38;5;203"));
  }

 private:
  std::string painted(std::string_view text, std::string_view codes) const {
    return look_.colour ? fmt::format("\x1b[{}m{}\x1b[0m", codes, text) : std::string(text);
  }

  trace::Look look_;
};

// ---- The story ----

void tell_beginning(const Teller& tell) {
  tell.title("What if lanes do not rejoin?");
  fmt::print(
      "A subgroup is a group of lanes, here 8, that execute a kernel together, line by\n"
      "line. Where an If holds for only some of them, the others wait: the lanes\n"
      "diverge. After it, all continue together: they reconverge. Unless they do not.\n"
      "\n"
      "The kernel allocates slots. Lane i holds the number i + 1, and each lane with an\n"
      "even number stores it in a slot of its own. Slots 0 to 3 are in use, 4 to 7 are\n"
      "free. One elected lane allocates slots for all with a single atomicAdd, then\n"
      "broadcasts the first; each lane adds its rank.\n");
}

bool tell_rejoining(const Teller& tell) {
  tell.title("1. Lanes rejoin (rule: maximal)");
  const Run run = allocate<kernels::AllocateBroken>(Rule::maximal, Chooser::rejoin_none());
  tell.timeline(run);
  fmt::print("Letters execute the line, lower-case ones with a false condition; dots wait.\n\n");
  tell.broadcasts(run);
  fmt::print("\n");
  tell.slots(run);
  return run.right();
}

bool tell_apart(const Teller& tell) {
  tell.title("2. The same kernel, but the elected lane does not rejoin (rule: core)");
  const Run run = allocate<kernels::AllocateBroken>(Rule::core, Chooser::rejoin_none());
  tell.timeline(run);
  fmt::print(
      "Lane 1 did not rejoin the others at the end of the election:\n"
      "  {}\n"
      "From there on they are two tangles, A and B. They execute the same lines, but a\n"
      "built-in of one does not see the lanes of the other:\n",
      tell.missed_merge(run));
  tell.broadcasts(run);
  fmt::print(
      "Lane 3 never got a base: its variable still holds 0. So B stores from slot 0 on,\n"
      "over earlier values, and the slots allocated for it stay empty:\n"
      "\n");
  tell.slots(run);
  fmt::print(
      "\n"
      "Is that allowed? Yes. Plain Vulkan promises to rejoin lanes only if the whole\n"
      "workgroup entered a construct together, and here half of the lanes did. Most\n"
      "devices rejoin them anyway, so tests pass, until a compiler thinks otherwise.\n");
  return !run.right();
}

bool tell_repair(const Teller& tell) {
  tell.title("3. The repair (kernel allocate, rule: subgroup-uniform)");
  fmt::print(
      "VK_KHR_shader_subgroup_uniform_control_flow promises more: if the whole subgroup\n"
      "enters a construct, the whole subgroup rejoins at its end. So the repaired kernel\n"
      "sends all lanes in, with a vote, whether they have something to store or not:\n"
      "\n"
      "  before   If (needs_space) {{\n"
      "  after    If (subgroupAny(needs_space)) {{\n"
      "\n"
      "Where nothing is promised, a chooser decides: kindly, unkindly or at random:\n");
  const Rule rule = Rule::subgroup_uniform;
  const bool kind = allocate<kernels::Allocate>(rule, Chooser::rejoin_all()).right();
  const bool unkind = allocate<kernels::Allocate>(rule, Chooser::rejoin_none()).right();
  constexpr std::uint64_t seeds = 100;
  std::uint64_t right = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed)
    right += allocate<kernels::Allocate>(rule, Chooser::random(seed)).right() ? 1 : 0;
  tell.verdict("rejoin-all: lanes that may rejoin do", kind);
  tell.verdict("rejoin-none: only lanes that must rejoin do", unkind);
  tell.verdict(fmt::format("random: {} of {} seeds", right, seeds), right == seeds);
  return kind && unkind && right == seeds;
}

bool tell_caveat(const Teller& tell) {
  tell.title("4. Its small print (kernel allocate_nonuniform, rule: subgroup-uniform)");
  fmt::print(
      "The whole subgroup has to be there. Inside another If, which only lanes with an\n"
      "input enter, it is not: here the input ends after 5 values.\n"
      "\n");
  const std::uint32_t values = 5;
  const Run run =
      allocate<kernels::AllocateNonuniform>(Rule::subgroup_uniform, Chooser::rejoin_none(), values);
  tell.timeline(run);
  tell.broadcasts(run);
  fmt::print("\n");
  tell.slots(run);
  const Run maximal =
      allocate<kernels::AllocateNonuniform>(Rule::maximal, Chooser::rejoin_none(), values);
  fmt::print("\nOnly VK_KHR_shader_maximal_reconvergence promises that all of them rejoin:\n");
  tell.verdict("the same kernel and input, rule maximal", maximal.right());
  return !run.right() && maximal.right();
}

void tell_end(const Teller& tell) {
  tell.title("Look further");
  fmt::print(
      "  lockstep trace allocate_broken --convergence core --choose rejoin-none --stack\n"
      "  lockstep trace allocate_broken --convergence core --choose random:1\n"
      "  lockstep trace collatz --subgroup-size 32\n"
      "  lockstep trace --help\n");
}

/// All other options of `demo` are for its table.
void require_no_options(const CLI::App& demo) {
  for (const CLI::Option* option : demo.get_options()) {
    if (option->count() == 0) continue;
    throw UsageError(
        fmt::format("{} does not apply to demo divergence; remove it", option->get_name()));
  }
}

ExitCode run(const DivergenceOptions& options) {
  const Teller tell(look_of_output(options.width, options.colour));
  tell_beginning(tell);
  bool as_told = tell_rejoining(tell);
  as_told = tell_apart(tell) && as_told;
  as_told = tell_repair(tell) && as_told;
  as_told = tell_caveat(tell) && as_told;
  tell_end(tell);
  return as_told ? exit_fine : exit_failed;
}

}  // namespace

Command demo_divergence_command(CLI::App& program) {
  auto options = std::make_shared<DivergenceOptions>();
  CLI::App* demo = program.get_subcommand("demo");
  CLI::App* app =
      demo->add_subcommand("divergence", "Show what happens when diverged lanes do not rejoin");
  app->add_option("--width", options->width, "Width in columns (default: the terminal's, or 80)")
      ->option_text("COLUMNS")
      ->type_name("COLUMNS")
      ->check(CLI::Range(40, 1000).description(""));
  app->add_option("--color", options->colour, "auto (default), always or never")
      ->option_text("WHEN")
      ->check(one_of({"auto", "always", "never"}));
  app->footer(
      "Exit status: 0 everything happened as described, 1 it did not, 2 wrong usage.\n"
      "\n"
      "Example:\n"
      "  lockstep demo divergence");
  return {app, [options, demo] {
            require_no_options(*demo);
            return run(*options);
          }};
}

}  // namespace lockstep::cli
