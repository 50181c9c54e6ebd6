#include "cli/explore/explore.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "amber/runner.hpp"
#include "cli/explore/kernel.hpp"
#include "cli/explore/progress.hpp"
#include "cli/explore/report.hpp"
#include "cli/explore/trace.hpp"
#include "cli/job_options.hpp"
#include "cli/load_module.hpp"
#include "cli/ranks.hpp"
#include "cli/refused_options.hpp"
#include "cli/run_options.hpp"
#include "cli/shader_case.hpp"
#include "cli/share.hpp"
#include "cli/trace/files.hpp"
#include "cli/words.hpp"
#include "explore/explorer.hpp"
#include "explore/shader_subject.hpp"
#include "explore/size_rules.hpp"
#include "io/arguments.hpp"
#include "io/error.hpp"
#include "io/files.hpp"
#include "io/npy.hpp"
#include "io/numbers.hpp"
#include "io/types.hpp"
#include "judgement/allowance.hpp"
#include "judgement/races.hpp"
#include "judgement/rerun.hpp"
#include "registry/registry.hpp"
#include "report/last_writers.hpp"
#include "shader_case/exploration.hpp"
#include "shader_case/shader_rerun.hpp"

namespace lockstep::cli {
namespace {

namespace ex = lockstep::explore;

/// Of the first run: enough for work, and quickly over for loops that wait in vain.
constexpr std::uint64_t default_first_steps = 1u << 22;

constexpr const char* varied_here = "explore varies it; choose with --vary and --same";
constexpr RefusedOption refused_by_explore[] = {
    {"--choose", varied_here},
    {"--mapping", varied_here},
    {"--partial-subgroups", varied_here},
    {"--workgroup-order", varied_here},
    {"--check", "add it to the command that explore prints", false},
    {"--save", "add it to the command that explore prints"},
    {"--against", "add it to the command that explore prints"},
    {"--stats", "add it to the command that explore prints", false},
};

/// Those of mpirun, if it has started this process.
std::unique_ptr<ex::Ranks> ranks_of_this_run() {
  auto ranks = cli::ranks([] { return exploring_interrupted.load(); });
  if (ranks != nullptr) std::signal(SIGTERM, interrupt_exploring);  // mpirun's, when a rank is lost
  return ranks;
}

ex::Dimensions dimensions_of(const char* option, const std::string& text) {
  try {
    return ex::Dimensions::parse(text);
  } catch (const Error& error) {
    throw UsageError(fmt::format("{}: {}", option, error.what()));
  }
}

ex::Dimensions named_dimensions(const ExploreOptions& options) {
  if (!options.vary.empty() && !options.same.empty())
    throw UsageError("--vary and --same exclude each other; remove one");
  if (!options.vary.empty()) return dimensions_of("--vary", options.vary);
  ex::Dimensions all = ex::Dimensions::all();
  if (options.same.empty()) return all;
  for (const ex::Dimension d : dimensions_of("--same", options.same).list()) all.remove(d);
  return all;
}
/// What the options leave to vary. In a workgroup that has begun all go on if progress is bound to occupancy.
ex::Dimensions varied(const ExploreOptions& options) {
  ex::Dimensions dimensions = named_dimensions(options);
  if (options.full_subgroups) dimensions.remove(ex::Dimension::partial_subgroups);
  if (options.progress == "occupancy-bound") dimensions.remove(ex::Dimension::progress);
  return dimensions;
}

/// The sizes of --sizes; else what the profile allows, which without a profile is a power of two from 4 to 128.
std::vector<int> sizes_of(const ExploreOptions& options, const Profile& profile) {
  if (options.sizes.empty())
    return shader_case::usual_sizes(profile, options.run.device.empty() ? 4 : 1);
  std::vector<int> sizes;
  for (const std::string& word : options.sizes) {
    const auto size = lockstep::io::parse_unsigned(word);
    if (!size || *size < 1 || *size > 128)
      throw UsageError(fmt::format("--sizes: '{}' is not a subgroup size: write 1 to 128", word));
    sizes.push_back(static_cast<int>(*size));
  }
  return sizes;
}

/// "500" runs or "10s".
void set_budget(const std::string& text, ex::Request& request) {
  if (text.empty()) return;
  const bool seconds = text.ends_with('s');
  const auto number = lockstep::io::parse_unsigned(
      std::string_view(text).substr(0, text.size() - (seconds ? 1 : 0)));
  if (!number || *number == 0)
    throw UsageError(
        fmt::format("--budget {}: write a number of runs, or of seconds, such as 10s", text));
  if (!seconds) {
    request.most_runs = *number;
    return;
  }
  request.most_runs = no_most_runs;
  request.most_time = std::chrono::seconds(*number);
}

/// What the shader declares, unless --convergence says something else.
Rule rule_of(const ExploreOptions& options, const ShaderInterface& interface) {
  for (const Rule rule : {Rule::maximal, Rule::subgroup_uniform, Rule::core}) {
    if (to_string(rule) == options.run.convergence) return rule;
  }
  return ex::declared_rule(interface);
}

/// What a shader is asked for after its exploration.
struct Afterwards {
  std::function<std::string(const ex::Verdict&)> cause;  ///< of a difference; empty if not known
  std::function<FaultLog(const ex::Verdict&)> judge;     ///< findings that need the verdict
  WriterOf writer_of;
  std::function<lockstep::report::Coverage()> coverage;
};

/// Explores with progress until Ctrl-C, together with the other ranks under mpirun; the first of them reports.
ExitCode explore_and_report(const ExploreOptions& options, const std::vector<BoundBuffer>& buffers,
                            const ex::Subject& subject, ex::Request& request,
                            const std::string& assumed, const Afterwards& afterwards = {}) {
  const std::unique_ptr<ex::Ranks> ranks = ranks_of_this_run();
  request.ranks = ranks.get();
  const bool reports = ranks == nullptr || ranks->rank() == 0;
  if (ranks != nullptr && reports) {
    // A killed run keeps what it has said.
    request.found = [&](const ex::Counterexample& found) {
      fmt::print(stderr, "found: {}\n", replay_command(options, found));
    };
  }
  std::optional<ex::Verdict> verdict;
  {
    ExploreProgress progress(request, options.run, reports);
    request.is_stopped = [] { return exploring_interrupted.load(); };
    request.progress = [&](std::uint64_t runs) { return progress.on(runs); };
    verdict = ex::explore(subject, request);
  }
  if (!reports) return exit_fine;
  if (exploring_interrupted)
    fmt::print(stderr, "lockstep: interrupted after {} runs; what they have shown:\n",
               verdict->runs);
  const std::string cause = afterwards.cause ? afterwards.cause(*verdict) : std::string();
  const FaultLog found =
      cause.empty() && afterwards.judge ? afterwards.judge(*verdict) : FaultLog();
  std::string differences, untraced;
  if (!options.run.trace.empty() && verdict->smallest) {
    try {
      differences =
          write_counterexample(options, buffers, subject, request.first, *verdict->smallest);
    } catch (const std::exception& error) {  // also a full disk, which takes no result with it
      untraced = first_line(error.what());
    }
  }
  ExploreReport report(options, buffers, request, *verdict, subject, assumed, found,
                       afterwards.writer_of, cause);
  if (afterwards.coverage) report.add(afterwards.coverage());
  const ExitCode code = report.print(untraced);
  if (!untraced.empty()) fmt::print(stderr, "lockstep: --trace: {}\n", untraced);
  if (options.run.trace.empty() || options.run.json || !untraced.empty()) return code;
  if (verdict->smallest)
    fmt::print("wrote {}, with the first run beside it\n{}", options.run.trace, differences);
  else
    fmt::print("{} is not written: no choice changes the result\n", options.run.trace);
  return code;
}

/// Who wrote some bytes of a result last; nothing if that takes too long.
std::optional<lockstep::report::Writer> writer_of(const ShaderCase& shader,
                                                  const Pipeline& pipeline,
                                                  const Dispatch& dispatch,
                                                  const ex::Setting& setting, std::size_t number,
                                                  std::uint64_t byte, std::size_t bytes) {
  lockstep::report::LastWriters writers(std::chrono::seconds(10));
  ex::ShaderSubject watched(pipeline, dispatch,
                            [&](const Pipeline& one, const Dispatch& how, auto&) {
                              std::vector<BoundBuffer> buffers = shader.buffers;
                              std::size_t left = number;
                              for (BoundBuffer& buffer : buffers) {
                                if (buffer.writable && left-- == 0)
                                  writers.watch(texels_of(buffer, buffers).data() + byte, bytes);
                              }
                              return shader_case::run(shader, one, buffers, how);
                            });
  watched.add_size(setting.subgroup_size);
  Chooser chooser = Chooser::start_with(setting.answers).only(setting.asked);
  try {
    watched(setting, chooser, &writers);
  } catch (const lockstep::report::LastWriters::TooLong&) {
    return std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
  return writers.writer(0);
}

/// The coverage of one run at each size.
lockstep::report::Coverage coverage_of(const ShaderCase& shader, const Pipeline& pipeline,
                                       const Dispatch& dispatch, const ex::Request& request) {
  lockstep::report::Coverage coverage;
  ex::ShaderSubject watched(pipeline, dispatch,
                            [&](const Pipeline& one, const Dispatch& how, auto&) {
                              std::vector<BoundBuffer> buffers = shader.buffers;
                              ShaderRun run = shader_case::run(shader, one, buffers, how);
                              coverage.add(run);
                              return run;
                            });
  std::vector<int> sizes{request.first.subgroup_size};
  if (request.vary.has(ex::Dimension::subgroup_size))
    sizes.insert(sizes.end(), request.sizes.begin(), request.sizes.end());
  for (const int size : sizes) {
    if (exploring_interrupted) break;
    ex::Setting setting = request.first;
    setting.subgroup_size = size;
    watched.add_size(size);
    Chooser chooser = Chooser::start_with({}).only({});
    try {
      watched(setting, chooser, &coverage);
    } catch (const Error&) {
      continue;  // its coverage still counts; the verdict says how it ended
    }
  }
  return coverage;
}

ShaderCase with_module(ShaderCase shader, const Module& module) {
  shader.module = module;
  return shader;
}

/// Another module on the data of a case.
struct OtherShader {
  OtherShader(const ShaderCase& like, const Module& module, const Profile& profile,
              const Dispatch& dispatch)
      : shader(with_module(like, module)),
        subject(
            shader_case::subject_of(shader, make_pipeline(shader, profile, dispatch), dispatch)) {}
  OtherShader(const OtherShader&) = delete;
  OtherShader& operator=(const OtherShader&) = delete;

  ShaderCase shader;
  ex::ShaderSubject subject;
};

/// Says of a number that depends on how invocations are distributed that a race is behind it, which the first run has as
/// well; empty if none is. `written` are the buffers that the shader writes, by their numbers in the results.
std::string race_behind(const shader_case::ShaderRerun& rerun,
                        const std::vector<std::size_t>& written, const ex::Counterexample& found) {
  ex::Dimensions others = found.on;
  for (const ex::Dimension d :
       {ex::Dimension::subgroup_size, ex::Dimension::mapping, ex::Dimension::partial_subgroups})
    others.remove(d);
  if (others.any() || !found.difference.error.empty() || found.difference.only_order) return {};
  std::vector<judgement::Place> places;
  judgement::for_each_place(
      rerun.parts(), written[found.difference.buffer], [&](const judgement::Place& place) {
        const std::size_t end = place.byte + lockstep::io::bytes_of(place.type);
        if (place.byte <= found.difference.byte && found.difference.byte < end)
          places.push_back(place);
      });
  if (places.empty()) return {};
  try {
    const auto there = rerun.at_subgroup_size(found.setting.subgroup_size);
    const auto race = judgement::Races(*there).reach(places).front();
    if (!race || !judgement::Races(rerun).any()) return {};
    return fmt::format(
        "a race: {}; put a barrier() between the accesses, or make both atomic where their order "
        "does not matter",
        *race);
  } catch (const Error&) {
    return {};
  }
}

/// Whether a device's rounding allows a difference whose choices do not say so themselves.
bool is_rounding(const judgement::Allowance& allowance, const std::vector<std::size_t>& written,
                 const ex::Counterexample& found) {
  const std::size_t buffer = found.difference.buffer;
  return !found.on.has(ex::Dimension::reduction_order) &&
         !found.on.has(ex::Dimension::atomic_order) && found.difference.error.empty() &&
         !allowance.first_difference(written[buffer], found.result.buffers[buffer]);
}

std::vector<bool> unordered_of(const ExploreOptions& options, const ShaderCase& shader) {
  std::vector<bool> unordered;
  std::vector<lockstep::io::Slot> slots;
  for (const std::string& text : options.unordered) {
    const auto slot = lockstep::io::parse_slot(text);
    if (!slot) throw UsageError(fmt::format("--unordered {}: write [SET:]BINDING or a name", text));
    slots.push_back(resolved(*slot, shader.reflection));
    if (std::ranges::none_of(shader.buffers, [&](const BoundBuffer& buffer) {
          return buffer.writable && buffer.slot == slots.back();
        }))
      throw UsageError(fmt::format("--unordered {}: the shader writes no such buffer", text));
  }
  for (const BoundBuffer& buffer : shader.buffers) {
    if (buffer.writable) unordered.push_back(std::ranges::find(slots, buffer.slot) != slots.end());
  }
  return unordered;
}

// ---- Amber ----

/// The result of a script under a setting is what its run fails with, if it does.
class ScriptSubject {
 public:
  ScriptSubject(const std::string& path, const RunOptions& options, const Profile& profile)
      : path_(path), text_(lockstep::io::read_text(path)) {
    settings_.profile = profile;
    settings_.threads = 1;
    settings_.max_steps = options.max_steps;
    settings_.lenient = lenient_of(options);
    settings_.limits = CompileLimits{};
  }

  ex::Result operator()(const ex::Setting& setting, Chooser& chooser, Observer* observer) const {
    Convergence convergence{.rule = setting.rule,
                            .chooser = &chooser,
                            .observer = observer,
                            .max_trips = settings_.max_steps};
    amber::RunSettings settings = settings_;
    settings.profile.subgroup_size = setting.subgroup_size;
    if (setting.max_steps != 0) settings.max_steps = convergence.max_trips = setting.max_steps;
    if (needs_tangles(setting, observer)) settings.convergence = &convergence;
    const amber::Outcome outcome = amber::run_text(path_, text_, settings, [&](const auto& file) {
      return lockstep::io::read_text((std::filesystem::path(path_).parent_path() / file).string());
    });
    if (outcome.verdict == amber::Verdict::passed) return {};
    return {{}, fmt::format("{}: {}", to_string(outcome.verdict), outcome.message)};
  }

 private:
  std::string path_, text_;
  amber::RunSettings settings_;
};

/// What is varied without the dimensions that are not possible. UsageError if one of them was asked for.
ex::Dimensions possible(const ExploreOptions& options, const char* in_what) {
  ex::Dimensions dimensions = varied(options);
  for (const ex::Dimension d : options.not_possible.list()) {
    if (!options.vary.empty() && dimensions.has(d))
      throw UsageError(fmt::format("--vary: {} is not varied in {}: {}", to_string(d), in_what,
                                   options.why_not));
    dimensions.remove(d);
  }
  return dimensions;
}

ExitCode explore_script(ExploreOptions& options) {
  require_no_shader_options(options.run);
  if (!options.unordered.empty())
    throw UsageError(
        "--unordered is for shaders, not for scripts, which state what they expect; remove it");
  const Profile profile = profile_of(options.run);
  ex::Request request;
  for (const ex::Dimension d :
       {ex::Dimension::mapping, ex::Dimension::partial_subgroups, ex::Dimension::workgroup_order})
    options.not_possible.add(d);
  options.why_not = "a script's pipelines set it; explore the shader instead";
  request.vary = possible(options, "Amber scripts");
  request.sizes = sizes_of(options, profile);
  request.first.subgroup_size = profile.subgroup_size;
  request.first.rule = rule_of(options, {});
  if (options.has_max_steps) request.first.max_steps = options.run.max_steps;
  request.threads =
      1;  // compilers run in child processes, which a process with threads cannot fork
  set_budget(options.budget, request);
  const ScriptSubject script(options.run.files.front(), options.run, profile);
  const ex::Subject subject = std::ref(script);
  return explore_and_report(options, {}, subject, request, "subgroups are full");
}

// ---- Shaders ----

ExitCode explore_shader(const ExploreOptions& options) {
  require_grid(options.run);
  const Profile profile = profile_of(options.run);
  ShaderCase shader = make_case(load_module(options.run), options.run, profile.subgroup_size);
  const Dispatch dispatch = dispatch_of(shader, options.run);
  const Pipeline pipeline = make_pipeline(shader, profile, dispatch);

  ex::Request request;
  request.vary = varied(options);
  request.sizes = sizes_of(options, profile);
  request.first.subgroup_size = profile.subgroup_size;
  request.first.rule = rule_of(options, pipeline.interface());
  if (options.has_max_steps) request.first.max_steps = options.run.max_steps;
  const Size3& local = shader.reflection.local_size;
  const std::string assumed = shader_case::set_shape(request, shader, options.full_subgroups);
  request.threads = options.run.threads;
  request.unordered = unordered_of(options, shader);
  set_budget(options.budget, request);

  ex::ShaderSubject varied = shader_case::subject_of(shader, pipeline, dispatch);
  if (request.vary.has(ex::Dimension::subgroup_size)) {
    for (const int size : request.sizes) varied.add_size(size);
  }
  const ex::Subject subject = std::ref(varied);
  const auto judge = [&](const ex::Verdict& verdict) {
    const std::uint64_t invocations = std::uint64_t{local.x} * local.y * local.z;
    return ex::size_findings(
        shader.module, invocations, subject, request, verdict, [&](const Module& module) {
          const auto other = std::make_shared<const OtherShader>(shader, module, profile, dispatch);
          return ex::Subject(
              [other](const ex::Setting& setting, Chooser& chooser, Observer* observer) {
                return other->subject(setting, chooser, observer);
              });
        });
  };
  // Floats are compared as a device's results are judged.
  const shader_case::ShaderRerun rerun(shader, pipeline, options.run, shader.buffers);
  const judgement::Allowance allowance(rerun);
  std::vector<std::size_t> written;
  for (std::size_t k = 0; k < shader.buffers.size(); ++k) {
    if (shader.buffers[k].writable) written.push_back(k);
  }
  if (!options.bitwise)
    request.differs = [&](std::size_t buffer, std::span<const std::byte> now) {
      return allowance.first_difference(written[buffer], now);
    };
  const auto cause = [&](const ex::Verdict& verdict) -> std::string {
    if (!verdict.smallest) return {};
    if (options.bitwise && is_rounding(allowance, written, *verdict.smallest))
      return "only roundings or the order of sums differ, as Vulkan allows: compare without "
             "--bitwise";
    return race_behind(rerun, written, *verdict.smallest);
  };
  return explore_and_report(
      options, shader.buffers, subject, request, assumed,
      {cause, judge,
       [&](const auto&... what) { return writer_of(shader, pipeline, dispatch, what...); },
       [&] { return coverage_of(shader, pipeline, dispatch, request); }});
}

// ---- Kernels in C++ ----

ExitCode explore_kernel(ExploreOptions& options, const kernels::Entry& entry) {
  require_no_shader_options(options.run, "a kernel");
  if (!options.run.lenient.empty())
    throw UsageError("--lenient is for shaders and scripts, not for kernels; remove it");
  if (!options.unordered.empty())
    throw UsageError(
        "--unordered is for shaders, not for kernels, which check their own results; remove it");
  const Profile profile = profile_of(options.run);
  if (const std::string reason = entry.undefined_at(profile.subgroup_size); !reason.empty())
    throw UsageError(fmt::format("{} does not support subgroup size {}: {}", entry.name,
                                 profile.subgroup_size, reason));
  ex::Request request;
  options.not_possible = not_of_kernels();
  options.why_not = fmt::format(
      "compiled C++ has one fixed order; explore the shader in kernels/{} instead", entry.name);
  request.vary = possible(options, "kernels in C++");
  for (const int size : sizes_of(options, profile)) {
    if (entry.undefined_at(size).empty()) request.sizes.push_back(size);
  }
  request.first.subgroup_size = profile.subgroup_size;
  request.first.rule = rule_of(options, {});
  request.first.max_steps = options.run.max_steps;
  request.threads = options.run.threads;
  set_budget(options.budget, request);
  const KernelSubject kernel(entry, options.elements, options.seed);
  const ex::Subject subject = std::ref(kernel);
  return explore_and_report(options, {}, subject, request, "subgroups need not be full");
}

ExitCode explore_and_explain(ExploreOptions& options) {
  if (!options.run.trace.empty()) check_trace_file(options.run.trace, "--trace");
  if (!options.run.sarif.empty()) npy::check_writable(options.run.sarif);
  if (const kernels::Entry* entry = kernels::find_kernel(options.run.files.front())) {
    options.is_kernel = true;
    return explore_kernel(options, *entry);
  }
  try {
    if (options.run.files.front().ends_with(".amber")) return explore_script(options);
    options.run = with_job(options.run);
    return explore_shader(options);
  } catch (const lockstep::io::InputError& error) {
    throw UsageError(error.what());
  }
}

}  // namespace

/// Long, as it lists every option with its help.
Command explore_command(CLI::App& program) {
  auto options = std::make_shared<ExploreOptions>();
  CLI::App* app = program.add_subcommand(
      "explore", "Run a shader, script or kernel in every way that Vulkan allows");
  app->add_option(
         "FILE", options->run.files,
         "A shader (.comp, .glsl, .hlsl, .slang, .wgsl, .cl, .spvasm, .spv), a script (.amber), a "
         "job that\n"
         "lockstep capture wrote, or a kernel in C++ that lockstep kernels lists")
      ->required()
      ->expected(1)
      ->transform(or_shared_file())
      ->check(offering(kernel_names()))
      ->option_text(" ");
  add_input_options(*app, options->run);
  add_compile_options(*app, options->run);
  app->add_option("--subgroup-size", options->run.subgroup_size,
                  "Lanes in a subgroup in the first run (default: the device's, else 32)")
      ->option_text("N")
      ->check(CLI::Range(1, 128).description(""));
  app->add_option("--sizes", options->sizes,
                  "Other sizes to try (default: the device's, else powers of two from 4 to 128)")
      ->delimiter(',')
      ->option_text("LIST");
  app->add_option("--device", options->run.device, "A profile listed by lockstep devices")
      ->option_text("PROFILE")
      ->check(offering(device_names()));
  app->add_option("--convergence", options->run.convergence,
                  "Reconvergence rule: maximal, subgroup-uniform, core (default: what the "
                  "shader\ndeclares, else core)")
      ->option_text("RULE")
      ->check(one_of({"maximal", "subgroup-uniform", "core"}));
  app->add_flag("--full-subgroups", options->full_subgroups,
                "Full subgroups, as with "
                "VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT\n(default: where "
                "SPIR-V 1.6 promises them)");
  app->add_option("--progress", options->progress,
                  "Forward progress: promised (default), or occupancy-bound, where every "
                  "workgroup\nthat has begun makes progress, as on most devices")
      ->option_text("WHAT")
      ->check(one_of({"promised", "occupancy-bound"}));
  app->add_option("--vary", options->vary, "Vary only these dimensions")->option_text("DIM,...");
  app->add_option("--same", options->same, "Vary all dimensions except these")
      ->option_text("DIM,...");
  app->add_option("--budget", options->budget, "Runs, or seconds, such as 10s (default: 2000 runs)")
      ->option_text("RUNS");
  app->add_option("--unordered", options->unordered,
                  "Compare a buffer without regard to the order of its words, repeatable")
      ->option_text("[SET:]BINDING")
      ->allow_extra_args(false);
  app->add_flag("--bitwise", options->bitwise,
                "Compare floats bit by bit: differences that rounding or the order of sums allows "
                "count, too");
  app->add_option("--threads", options->run.threads,
                  "Threads that run it (default: one per processor)")
      ->option_text("N")
      ->check(CLI::Range(1, 1024).description(""));
  app->add_option("--max-steps", options->run.max_steps,
                  "Loop iterations before a loop counts as endless (default: 4194304 in the first\n"
                  "run, then 131072 and 16 times the first run's)")
      ->option_text("N")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 62).description(""));
  app->add_option("--size", options->elements, "For kernels: the number of elements (default: 256)")
      ->option_text("N")
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1} << 20).description(""));
  app->add_option("--seed", options->seed,
                  "For kernels: the seed of the generated inputs (default: 1)")
      ->option_text("N");
  add_lenient_option(*app, options->run);
  app->add_option(
         "--trace", options->run.trace,
         "Write the trace of the smallest choice that changes the result, beside the first "
         "run: .html, .svg, .txt, .json or .ndjson")
      ->option_text("FILE");
  app->add_option("--sarif", options->run.sarif, "Write the findings in SARIF 2.1.0")
      ->option_text("FILE");
  app->add_flag("--json", options->run.json, "Print JSON");
  refuse(*app, refused_by_explore);
  app->footer(
      "Dimensions: convergence, switch-grouping, fallthrough, late-break, subgroup-size, mapping, "
      "partial-subgroups, workgroup-order, subgroup-order, side-order, atomic-order, "
      "reduction-order, progress. Each is varied by itself, then all together. If a result differs "
      "from the first run's, the smallest choice that changes it is printed, as a command that "
      "repeats it.\nInputs take the same options as in lockstep run.\n"
      "Exit status: 0 the result was always the same, 1 it depends on a choice, 2 wrong usage.\n"
      "\n"
      "Example:\n"
      "  lockstep explore kernels/allocate_broken/allocate_broken.comp --groups 1 \\\n"
      "      --buffer 0=iota:u32:128 --buffer 1=zeros:u32:1 --buffer 2=zeros:u32:128 \\\n"
      "      --trace page.html");
  return {app, [options, app] {
            options->has_max_steps = app->count("--max-steps") != 0;
            if (!options->has_max_steps) options->run.max_steps = default_first_steps;
            return explore_and_explain(*options);
          }};
}

}  // namespace lockstep::cli
