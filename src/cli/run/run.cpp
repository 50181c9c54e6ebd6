#include "cli/run/run.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string_view>

#include <lockstep/exec/error.hpp>

#include "cli/job_options.hpp"
#include "cli/limits.hpp"
#include "cli/run_options.hpp"
#include "cli/share.hpp"
#include "cli/words.hpp"
#include "io/choices.hpp"
#include "io/error.hpp"

namespace lockstep::cli {
namespace {

ExitCode run(const RunOptions& options) {
  for (const std::string& file : options.files)
    if (!is_amber(file) && !is_shader(file) && !job::is_job(file))
      throw UsageError(
          fmt::format("{}: has an unknown file extension; give a .comp, .glsl, .hlsl, .slang, "
                      ".wgsl, .cl, .spvasm, .spv or .amber "
                      "file",
                      file));
  if (std::ranges::all_of(options.files, is_amber)) {
    require_no_shader_options(options);
    if (!options.trace.empty())
      throw UsageError("--trace is for shaders; a script is traced by lockstep trace, with -o");
    return run_amber(options);
  }
  if (options.files.size() > 1)
    throw UsageError("one shader runs at a time; give one, or several .amber files");
  if (!options.junit.empty())
    throw UsageError("--junit is for Amber scripts; remove it, or use --json");
  const RunOptions with_contents = with_job(options);
  require_grid(with_contents);
  return run_shader(with_contents);
}

ExitCode run_and_explain(const RunOptions& options) {
  try {
    return run(options);
  } catch (const lockstep::io::InputError& error) {
    throw UsageError(error.what());
  }
}

// An option with an argument of a form, which the help shows.
template <class Value>
CLI::Option* add_formed(CLI::App& app, const char* name, Value& value, const char* form,
                        const char* help) {
  return app.add_option(name, value, help)->option_text(form);
}

template <class Value, class Limit>
void add_number(CLI::App& app, const char* name, Value& value, Limit least, Limit most,
                const char* help) {
  app.add_option(name, value, help)
      ->option_text("N")
      ->type_name("N")
      ->check(CLI::Range(least, most).description(""));
}

// An option that may be repeated, with one argument each time.
void add_repeatable(CLI::App& app, const char* name, std::vector<std::string>& values,
                    const char* form, const char* help) {
  app.add_option(name, values, help)->option_text(form)->allow_extra_args(false);
}

void add_shader_options(CLI::App& app, RunOptions& options) {
  add_input_options(app, options);
  add_save_option(app, options);
  add_repeatable(app, "--against", options.against, "[SET:]BINDING=SPEC",
                 "Judge whether Vulkan allows a dump of a buffer, or given values, repeatable");
  app.add_flag("--strict", options.strict,
               "Also fail where --against finds undefined, racy or open elements");
  add_formed(app, "--strict-order", options.strict_order, "ORDER",
             "The order in which devices add floats between lanes: tree, left_fold,\nhillis_steele "
             "or butterfly")
      ->check(offering({"tree", "left_fold", "hillis_steele", "butterfly"}));
  add_formed(app, "--explain", options.explain, "[SET:]BINDING:INDEX",
             "Explain how an element of a buffer was computed, and which values are allowed");
  add_compile_options(app, options);
  app.add_option(
         "--trace", options.trace,
         "Write the trace of the first subgroup: .html, .svg, .txt, .json or .ndjson\n(more: "
         "lockstep trace)")
      ->option_text("FILE");
  app.add_flag("--stats", options.stats, "Count steps, divergences and the work of each line");
}

void add_device_options(CLI::App& app, RunOptions& options) {
  add_formed(app, "--subgroup-size", options.subgroup_sizes, "N",
             "Lanes in a subgroup, 1 to 128 (default: the device's, else 32), or several sizes,\n"
             "such as 8,16,32, to run one after another")
      ->type_name("N")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Range(1, max_lanes).description(""));
  add_formed(app, "--device", options.device, "PROFILE", "A profile listed by lockstep devices")
      ->check(offering(device_names()));
  add_choice_options(app, options);
  add_order_option(app, options);
  app.add_flag("--check{all}", options.check,
               "Check the rules of docs/reference/rules.md, or some: --check=RULES, such "
               "as\ndata-race,out-of-bounds, or -data-race for all but that one");
  add_lenient_option(app, options);
  add_number(app, "--threads", options.threads, 1, max_threads,
             "Threads that run workgroups (default: one per processor)");
  add_number(app, "--max-steps", options.max_steps, std::uint64_t{1}, std::uint64_t{1} << 62,
             "Loop iterations before a loop counts as endless (default: 67108864)");
}

}  // namespace

bool is_amber(std::string_view file) { return file.ends_with(".amber"); }

bool is_shader(std::string_view file) {
  for (const std::string_view ending :
       {".comp", ".glsl", ".hlsl", ".slang", ".wgsl", ".cl", ".spvasm", ".spv"}) {
    if (file.ends_with(ending)) return true;
  }
  return false;
}

void add_choice_options(CLI::App& app, RunOptions& options) {
  app.add_option("--convergence", options.convergence,
                 "Reconvergence rule: maximal (default), subgroup-uniform, core")
      ->option_text("RULE")
      ->check(one_of({"maximal", "subgroup-uniform", "core"}));
  add_formed(app, "--choose", options.choose, "HOW",
             "Choices where the rule leaves them open: rejoin-all (default), rejoin-none, "
             "rejoin-none:LINES,\n"
             "random:SEED, replay:LIST; other choices may precede it, as in\natomic-order=random:1")
      ->check(offering({"rejoin-all", "rejoin-none", "random:1"}));
  add_formed(app, "--mapping", options.mapping, "HOW",
             "The assignment of invocations to lanes: linear (default), reversed,\n"
             "shuffled:SEED, quads")
      ->check(offering({"linear", "reversed", "shuffled:1", "quads"}));
  add_formed(app, "--partial-subgroups", options.partial, "HOW",
             "Spread invocations over one more subgroup than needed: even, random:SEED")
      ->check(offering({"even", "random:1"}));
}

void add_order_option(CLI::App& app, RunOptions& options) {
  add_formed(app, "--workgroup-order", options.order, "HOW",
             "The order in which workgroups start: linear (default), reversed, shuffled:SEED,\n"
             "permutation:NUMBER; exact with --threads 1")
      ->check(offering({"linear", "reversed", "shuffled:1", "permutation:1"}));
}

void add_lenient_option(CLI::App& app, RunOptions& options) {
  app.add_option("--lenient", options.lenient,
                 "barriers: count invocations that do not reach a barrier as arrived")
      ->option_text("WHAT")
      ->check(one_of({"barriers"}));
}

void add_save_option(CLI::App& app, RunOptions& options) {
  add_repeatable(app, "--save", options.saves, "[SET:]BINDING=FILE.npy",
                 "Write a buffer, or an image (also .png), after the run, repeatable");
}

void require_no_shader_options(const RunOptions& options, const char* what) {
  const std::pair<bool, const char*> given[] = {
      {!options.groups.empty(), "--groups"},
      {!options.invocations.empty(), "--invocations"},
      {!options.buffers.empty(), "--buffer"},
      {!options.saves.empty(), "--save"},
      {!options.against.empty(), "--against"},
      {!options.push.empty(), "--push"},
      {!options.uniforms.empty(), "--uniform"},
      {!options.specs.empty(), "--spec"},
      {!options.defines.empty(), "-D"},
      {!options.include_dirs.empty(), "-I"},
      {options.entry.has_value(), "--entry"},
      {options.stats, "--stats"},
      {options.bits, "--bits"},
      {!options.images.empty(), "--image"},
      {!options.samplers.empty(), "--sampler"},
      {!options.target_env.empty(), "--target-env"},
      {!options.compiler.empty(), "--compiler"},
      {options.no_validate, "--no-validate"},
      {options.mutant > 0, "--mutant"},
  };
  for (const auto& [is_given, name] : given)
    if (is_given)
      throw UsageError(fmt::format("{} is for shaders, not for {}, which sets it itself; remove it",
                                   name, what));
  const std::pair<bool, const char*> not_taken[] = {
      {!options.mapping.empty(), "--mapping"},
      {!options.partial.empty(), "--partial-subgroups"},
      {!options.order.empty(), "--workgroup-order"},
      {options.strict, "--strict"},
      {!options.strict_order.empty(), "--strict-order"},
      {!options.explain.empty(), "--explain"},
  };
  for (const auto& [is_given, name] : not_taken)
    if (is_given)
      throw UsageError(fmt::format("{} is for shaders, not for {}; remove it", name, what));
}

void add_input_options(CLI::App& app, RunOptions& options) {
  add_formed(app, "--groups", options.groups, "G", "Workgroups in each dimension: X, X,Y or X,Y,Z");
  add_formed(app, "--invocations", options.invocations, "N",
             "Instead of --groups: invocations, rounded up to whole workgroups");
  add_repeatable(app, "--buffer", options.buffers, "[SET:]BINDING=SPEC",
                 "Initial contents of a buffer, repeatable");
  add_repeatable(app, "--image", options.images, "BINDING=FORMAT:WxH:SPEC",
                 "Initial texels of an image, or BINDING=FORMAT:FILE.png, repeatable");
  add_repeatable(app, "--sampler", options.samplers, "BINDING=WORDS",
                 "A sampler, as linear,mipmap_linear,clamp_to_edge, repeatable");
  app.add_flag("--bits", options.bits,
               "Copy the bytes that --buffer and --push give, whatever their type");
  add_repeatable(app, "--address", options.addresses, "WHERE=TARGET",
                 "Write a buffer's address into another buffer, repeatable");
  add_repeatable(app, "--uniform", options.uniforms, "NAME=VALUE",
                 "Set a plain uniform (--target-env opengl; default: zero), repeatable");
  add_formed(app, "--push", options.push, "SPEC",
             "The push constants: SPEC, values such as 'addr:0 u32:5', or members such as 'count=5 "
             "scale=1.5'")
      ->delimiter(' ')
      ->multi_option_policy(CLI::MultiOptionPolicy::Join);
}

void require_grid(const RunOptions& options) {
  if (!options.groups.empty() && !options.invocations.empty())
    throw UsageError("--groups and --invocations exclude each other; remove one");
  if (options.groups.empty() && options.invocations.empty())
    throw UsageError(
        "--groups is missing; give the number of workgroups as X, X,Y or X,Y,Z, or of invocations "
        "with --invocations");
}

void add_compile_options(CLI::App& app, RunOptions& options) {
  add_repeatable(app, "--spec", options.specs, "ID=VALUE",
                 "Set a specialization constant by its id or name, repeatable");
  add_repeatable(app, "-D", options.defines, "NAME[(X)][=V]", "Define a macro, repeatable");
  add_repeatable(app, "-I", options.include_dirs, "DIR", "Search #include files there, repeatable");
  add_formed(app, "--entry", options.entry, "NAME",
             "The entry point (default: main, or the only one)");
  add_formed(app, "--target-env", options.target_env, "ENV",
             "The target environment: vulkan1.0 to vulkan1.3, spv1.0 to spv1.6\n"
             "or opengl, whose GLSL has plain uniforms and needs no bindings\n"
             "(default: vulkan1.3; assembly: the version in its comment, else the lowest)");
  add_formed(
      app, "--compiler", options.compiler, "PATH",
      "Compile with this glslangValidator, glslang, glslc, dxc, slangc, naga, tint or clspv");
  add_formed(app, "--shift", options.shift, "b=N,t=N,s=N,u=N",
             "The first bindings of HLSL's registers (default: b=0,t=1000,s=2000,u=3000)");
  app.add_flag("--no-validate", options.no_validate,
               "Skip SPIRV-Tools' validation, for modules that are newer than it");
  add_formed(app, "--mutant", options.mutant, "N",
             "Plant fault N from the list of lockstep inspect --mutants");
  app.add_flag("--robust", options.robust,
               "Let accesses outside of buffers and images read zeros or write nothing, without an "
               "error,\nfor shaders that rely on robustBufferAccess2 or on Direct3D");
}

Command run_command(CLI::App& program) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* app = program.add_subcommand("run", "Run a shader, or Amber scripts");
  app->add_option("FILE", options->files,
                  "A shader (.comp, .glsl, .hlsl, .slang, .wgsl, .cl, .spvasm, .spv), scripts "
                  "(.amber), or a job\n"
                  "that lockstep capture wrote")
      ->required()
      ->transform(or_shared_file())
      ->option_text(" ");
  add_shader_options(*app, *options);
  add_device_options(*app, *options);
  app->add_flag("--json", options->json, "Print the outcome as JSON");
  app->add_option("--sarif", options->sarif, "Write the findings in SARIF 2.1.0")
      ->option_text("FILE");
  app->add_option("--junit", options->junit, "Scripts: write the outcomes as JUnit XML")
      ->option_text("FILE");
  app->footer(
      "SPEC is file.npy, file.bin, zeros:TYPE:N, fill:TYPE:N:VALUE, iota:TYPE:N or "
      "random:TYPE:N:SEED[:LOW:HIGH]; TYPE is u8 to u64, i8 to i64, f16, f32, f64, or NumPy's "
      "name.\n"
      "Without SET a buffer is in set 0. The name in the shader works instead of the numbers.\n"
      "An array of buffers takes one --buffer for each element, BINDING[ELEMENT]=SPEC for one of "
      "them, BINDING=SPEC* for all or SPEC*N for the first N; others stay unbound.\n"
      "FORMAT is one of GLSL's. A third size is the depth, or the number of slices: layers, six "
      "faces of each cube, or samples. WxH[xD],levels=N has N levels of detail, one after another. "
      "WxH,samples=N has N samples for each texel, and WxHxD,samples=N has layers of N slices "
      "each. SPEC "
      "may be zeros alone, or a .png with the slices of each level one below the other. An image "
      "can be level N of another: --image BINDING=level:N:OTHER.\n"
      "A member of a block is set by --buffer BINDING.MEMBER=VALUE, such as "
      "0.particles[3].mass=2.5.\n"
      "Memory without a binding, which has only an address, gets a name: --buffer NAME=SPEC. WHERE "
      "and TARGET are BINDING+OFFSET or NAME+OFFSET, as is what follows addr: in --push.\n"
      "Written buffers that are not saved are summarised. --against accepts what Vulkan allows: "
      "integers must be equal, floats must lie within the precision of the operations that "
      "computed them.\n"
      "Exit status: 0 success, 1 the shader or an expectation failed, 2 wrong usage or input, 3 no "
      "script can run on this device, 130 interrupted by Ctrl-C.\n"
      "\n"
      "Examples:\n"
      "  lockstep run scan.comp --groups 4 --subgroup-size 24 \\\n"
      "      --buffer 0=iota:u32:512 --buffer 1=zeros:u32:512 --save 1=sums.npy\n"
      "  lockstep run scan.comp --groups 4 --buffer 0=in.npy \\\n"
      "      --buffer 1=zeros:f32:512 --against 1=gpu.npy\n"
      "  lockstep run tests/*.amber --device amd_wave64 --junit report.xml");
  return {app, [options] {
            if (options->subgroup_sizes.size() == 1)
              options->subgroup_size = options->subgroup_sizes.front();
            return run_and_explain(*options);
          }};
}

}  // namespace lockstep::cli
