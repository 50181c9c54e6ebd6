#include "cli/serve/experiment.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/dispatch/profile.hpp>
#include <lockstep/exec/error.hpp>

#include "cli/load_module.hpp"
#include "cli/serve/examples.hpp"
#include "cli/serve/inputs.hpp"
#include "cli/trace/options.hpp"
#include "cli/trace/page.hpp"
#include "io/addresses.hpp"
#include "io/arguments.hpp"
#include "io/buffer_spec.hpp"
#include "io/error.hpp"
#include "io/images.hpp"
#include "io/types.hpp"
#include "render/data.hpp"

namespace lockstep::cli {
namespace {

using Json = nlohmann::ordered_json;

/// The name that the shader has in messages.
constexpr const char* shader_name = "shader.comp";

// ---- From JSON to options ----

template <class T>
T field(const Json& json, const char* name, T otherwise) {
  if (!json.contains(name)) return otherwise;
  const Json& value = json.at(name);
  try {
    if (!std::is_same_v<T, int> || value.is_number_integer()) return value.get<T>();
  } catch (const nlohmann::json::exception&) {
  }
  throw UsageError(fmt::format("the experiment's '{}' has another type", name));
}

void check_fields(const Json& json, std::initializer_list<std::string_view> known) {
  if (!json.is_object()) throw UsageError("the experiment is not a JSON object");
  for (const auto& [name, value] : json.items()) {
    if (std::ranges::find(known, name) == known.end())
      throw UsageError(fmt::format("the experiment has an unknown field '{}'", name));
  }
}

void check_rule(const std::string& rule) {
  for (const std::string_view known : {"maximal", "subgroup-uniform", "core"})
    if (rule == known) return;
  throw UsageError(fmt::format("there is no rule '{}'", rule));
}

/// What may differ between the two runs.
void read_machine(const Json& json, TraceOptions& options) {
  const int size = field(json, "size", 0);
  if (size != 0) {
    if (size < 1 || size > 128) throw UsageError("lanes: write 1 to 128");
    options.run.subgroup_size = size;
  }
  options.run.convergence = field(json, "rule", options.run.convergence);
  check_rule(options.run.convergence);
  options.run.choose = field(json, "choose", options.run.choose);
  options.run.device = field(json, "device", options.run.device);
  // Without a size it is the device's.
  if (size == 0 && !options.run.device.empty()) options.run.subgroup_size.reset();
}

/// The bytes of a buffer, which must come from a generator: a server reads no files.
std::uint64_t generated_bytes(const std::string& spec) {
  using Kind = lockstep::io::BufferSpec::Kind;
  const lockstep::io::BufferSpec parsed = lockstep::io::parse_buffer_spec(spec);
  if (parsed.kind == Kind::npy_file || parsed.kind == Kind::bytes_file)
    throw UsageError(
        fmt::format("{}: files cannot be read here; write zeros:TYPE:N, fill:TYPE:N:VALUE, "
                    "iota:TYPE:N or random:TYPE:N:SEED",
                    spec));
  return parsed.count * lockstep::io::bytes_of(parsed.type);
}

void check_buffers(const std::vector<std::string>& buffers) {
  std::uint64_t bytes = 0;
  for (const std::string& text : buffers) {
    bytes += generated_bytes(lockstep::io::parse_slot_argument("buffers", text).rest);
    if (bytes > serve_limits::buffer_bytes)
      throw UsageError(fmt::format("the buffers have more than {} MiB; make them smaller",
                                   serve_limits::buffer_bytes >> 20));
  }
}

/// Images, whose texels must be generated, and samplers, whose words have no colon.
void read_images(const Json& json, RunOptions& run) {
  for (const std::string& text : field<std::vector<std::string>>(json, "images", {})) {
    const std::string rest = lockstep::io::parse_slot_argument("images", text).rest;
    const std::size_t format = rest.find(':');
    if (format == std::string::npos && !lockstep::io::is_png(rest)) {
      run.samplers.push_back(text);
      continue;
    }
    run.images.push_back(text);
    if (rest.starts_with("level:")) continue;
    const std::size_t size = rest.find(':', format + 1);
    const std::string texels = size == std::string::npos ? "" : rest.substr(size + 1);
    if (lockstep::io::is_png(rest))
      throw UsageError(fmt::format(
          "{}: files cannot be read here; write FORMAT:WxH:zeros or another generator", text));
    if (!texels.empty() && texels != "zeros" && texels != "zeros*") generated_bytes(texels);
  }
}

TraceOptions options_of(const Json& json) {
  TraceOptions options;
  options.run.files = {shader_name};
  options.run.convergence = "maximal";
  options.run.choose = "rejoin-all";
  options.run.threads = 1;
  options.run.max_steps = serve_limits::loop_iterations;
  options.max_events = serve_limits::events;
  options.variables = "all";
  read_machine(json, options);
  options.run.groups = field<std::string>(json, "groups", "1");
  options.subgroup = field<std::string>(json, "subgroup", "0");
  options.run.buffers = field<std::vector<std::string>>(json, "buffers", {});
  check_buffers(options.run.buffers);
  read_images(json, options.run);
  options.run.push = field<std::string>(json, "push", "");
  if (!options.run.push.empty() && !lockstep::io::is_values(options.run.push))
    generated_bytes(options.run.push);
  if (field(json, "check", false)) options.run.check = "all";
  return options;
}

// ---- Errors ----

struct Problem {
  std::string message;
  int line = 0;  ///< of the shader
};

/// Messages of the command line, in words of the page.
std::string in_words_of_page(std::string message) {
  using Words = std::pair<std::string_view, std::string_view>;
  for (const auto& [option, field] :
       {Words{"--groups", "Workgroups"}, Words{"--choose", "Chooser"}, Words{"--device", "Device"},
        Words{"--push", "Push constants"}, Words{"--buffer", "Buffers"}, Words{"--image", "Images"},
        Words{"--sampler", "Images"}, Words{"images", "Images"},
        Words{"--subgroup", "Watch subgroup"}}) {
    if (message.starts_with(option)) return message.replace(0, option.size(), field);
  }
  for (const std::string_view option : {"--image ", "--sampler ", "--buffer "}) {
    if (const std::size_t at = message.find(option); at != std::string::npos)
      return message.erase(at, option.size());
  }
  return message;
}

/// A compiler's message starts with the place: "shader.comp:7: ...".
Problem problem_of(std::string message) {
  const std::string prefix = std::string(shader_name) + ":";
  Problem problem{std::move(message), 0};
  const std::size_t at = problem.message.find(prefix);
  if (at == std::string::npos) return problem;
  const char* const digits = problem.message.data() + at + prefix.size();
  std::from_chars(digits, problem.message.data() + problem.message.size(), problem.line);
  return problem;
}

std::string error_answer(const Problem& problem) {
  return Json{{"error", {{"message", problem.message}, {"line", problem.line}}}}.dump(
      -1, ' ', false, Json::error_handler_t::replace);
}

// ---- Running ----

/// Invocations of the dispatch; what is too many to be of use is refused.
std::uint64_t invocations_of(const TraceOptions& options, const Size3& local) {
  constexpr std::uint64_t most = 1u << 16;
  const Size3 groups = lockstep::io::parse_groups(options.run.groups);
  std::uint64_t count = std::uint64_t{local.x} * local.y * local.z;
  for (const std::uint32_t n : {groups.x, groups.y, groups.z}) {
    count *= n;
    if (count > most)
      throw UsageError(fmt::format("{} workgroups are too many here: at most {} invocations",
                                   options.run.groups, most));
  }
  return count;
}

/// In each dimension; invocations_of has refused what is too many.
Size3 all_invocations(const TraceOptions& options, const Size3& local) {
  const Size3 groups = lockstep::io::parse_groups(options.run.groups);
  return {groups.x * local.x, groups.y * local.y, groups.z * local.z};
}

std::unique_ptr<PageRun> run_of(const Module& module, const TraceOptions& options) {
  return std::make_unique<PageRun>(trace_module(module, options, request_of(options)));
}

std::string run(const std::string& request) {
  const Json json = Json::parse(request);
  check_fields(json, {"source", "size", "rule", "choose", "device", "groups", "subgroup", "buffers",
                      "images", "push", "check", "beside"});
  const auto source = field<std::string>(json, "source", "");
  TraceOptions options = options_of(json);
  const Module module = Module::from_glsl(source, {}, shader_name);
  const Reflection reflection = reflect(module);
  const std::uint64_t invocations = invocations_of(options, reflection.local_size);
  drop_foreign_inputs(reflection, options.run);
  const std::vector<std::string> made = default_buffers(reflection, options.run, invocations);
  options.run.buffers.insert(options.run.buffers.end(), made.begin(), made.end());
  check_buffers(options.run.buffers);
  add_default_images(reflection, options.run, all_invocations(options, reflection.local_size));

  const std::unique_ptr<PageRun> first = run_of(module, options);
  std::unique_ptr<PageRun> second;
  if (json.contains("beside") && !json.at("beside").is_null()) {
    check_fields(json.at("beside"), {"size", "rule", "choose", "device"});
    TraceOptions other = options;
    read_machine(json.at("beside"), other);
    second = run_of(module, other);
  }
  const std::map<std::string, std::string> sources{{shader_name, source}};
  const render::Shown shown = first->shown(&sources);
  const render::Shown beside = (second != nullptr ? *second : *first).shown(&sources);
  Json answer{{"run", render::data_of(shown, second != nullptr ? &beside : nullptr)},
              {"inputs", options.run.buffers},
              {"images", options.run.images}};
  for (const std::string& sampler : options.run.samplers) answer["images"].push_back(sampler);
  return answer.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string answer_to(const std::string& request) {
  try {
    return run(request);
  } catch (const nlohmann::json::exception&) {
    return error_answer({"the experiment is not JSON"});
  } catch (const std::bad_alloc&) {
    return error_answer({fmt::format("the run needs more than {} MiB of memory; make it smaller",
                                     serve_limits::memory_bytes >> 20)});
  } catch (const std::exception& error) {
    return error_answer(problem_of(in_words_of_page(error.what())));
  }
}

std::string serve_choices() {
  Json examples = Json::array(), devices = Json::array();
  for (const Example& example : serve_examples()) {
    Json experiment = Json::parse(example.experiment);
    experiment["source"] = example.source;
    examples.push_back({{"name", example.name}, {"experiment", std::move(experiment)}});
  }
  for (const Profile* profile : profile::all()) devices.push_back(profile->name);
  return Json{{"examples", examples},
              {"devices", devices},
              {"rules", {"maximal", "subgroup-uniform", "core"}}}
      .dump();
}

}  // namespace lockstep::cli
