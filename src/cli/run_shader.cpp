#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/exec/error.hpp>
#include <lockstep/spirv/shader.hpp>

#include "cli/run_options.hpp"
#include "npy/npy.hpp"
#include "run/arguments.hpp"
#include "run/buffer_spec.hpp"
#include "run/compare.hpp"
#include "run/error.hpp"
#include "run/findings.hpp"
#include "run/statistics.hpp"
#include "run/summary.hpp"
#include "run/types.hpp"

namespace lockstep::cli {
namespace {

using Json = nlohmann::ordered_json;
using lockstep::run::Slot;

/// A buffer of the shader, or one element of an array of buffers.
struct BoundBuffer {
  Slot slot;
  std::uint32_t element = 0;
  std::string name;
  bool writable = false;
  npy::Array array;
  std::string save;     ///< a file; empty if none
  std::string against;  ///< a file; empty if none

  std::string title() const {
    std::string text = "buffer " + to_string(slot);
    if (element > 0) text += fmt::format("[{}]", element);
    return name.empty() ? text : fmt::format("{} ({})", text, name);
  }
};

/// The options for each slot. Several for one slot are for consecutive elements of its array.
using BySlot = std::map<Slot, std::vector<std::string>>;

BySlot by_slot(const char* option, const std::vector<std::string>& texts) {
  BySlot result;
  for (const std::string& text : texts) {
    auto argument = lockstep::run::parse_slot_argument(option, text);
    result[argument.slot].push_back(std::move(argument.rest));
  }
  return result;
}

// ---- Before the run ----

ShaderOptions shader_options(const RunOptions& options) {
  ShaderOptions result;
  result.include_dirs = options.include_dirs;
  result.entry = options.entry.value_or("main");
  for (const std::string& text : options.defines)
    result.defines.push_back(lockstep::run::parse_define(text));
  for (const std::string& text : options.specs)
    result.spec.push_back(lockstep::run::parse_spec_constant(text));
  return result;
}

Shader load_shader(const RunOptions& options) {
  try {
    return Shader::load(options.files.front(), shader_options(options));
  } catch (const Error& error) {
    throw UsageError(first_line(error.what()));
  }
}

/// The shader's bindings. Blocks that share a binding are one buffer, which is writable if any of them is.
std::vector<ShaderInterface::Buffer> bindings_of(const ShaderInterface& interface) {
  std::vector<ShaderInterface::Buffer> bindings;
  for (const auto& declared : interface.buffers) {
    const auto same = std::ranges::find_if(bindings, [&](const auto& b) {
      return b.set == declared.set && b.binding == declared.binding;
    });
    if (same == bindings.end()) {
      bindings.push_back(declared);
      continue;
    }
    if (declared.writable && !same->writable) same->name = declared.name;
    same->writable = same->writable || declared.writable;
    same->elements = std::max(same->elements, declared.elements);
    same->at_most = same->at_most && declared.at_most;
  }
  return bindings;
}

/// Throws UsageError for an option whose buffer the shader lacks, and for one given more often than the buffer has elements.
void check_slots(const BySlot& given, const char* option,
                 const std::vector<ShaderInterface::Buffer>& bindings) {
  for (const auto& [slot, texts] : given) {
    const auto declares = [&, at = slot](const auto& b) {
      return b.set == at.set && b.binding == at.binding;
    };
    const auto found = std::ranges::find_if(bindings, declares);
    std::string known;
    for (const auto& b : bindings)
      known += fmt::format("{}{} ({})", known.empty() ? "" : ", ",
                           to_string(Slot{b.set, b.binding}), b.name);
    if (found == bindings.end())
      throw UsageError(fmt::format("{} {}: the shader has no such buffer; it has {}", option,
                                   to_string(slot), known.empty() ? "none" : known));
    if (texts.size() > found->elements)
      throw UsageError(fmt::format("{} {} is given {} times, but the shader accepts at most {}",
                                   option, to_string(slot), texts.size(), found->elements));
  }
}

std::string element_at(const BySlot& given, Slot slot, std::uint32_t element) {
  const auto found = given.find(slot);
  if (found == given.end() || element >= found->second.size()) return {};
  return found->second[element];
}

npy::Array array_of(const std::string& text, Slot slot) {
  try {
    return make_array(lockstep::run::parse_buffer_spec(text));
  } catch (const lockstep::run::InputError& error) {
    throw UsageError(fmt::format("--buffer {}={}", to_string(slot), error.what()));
  }
}

std::vector<BoundBuffer> make_buffers(const ShaderInterface& interface, const RunOptions& options) {
  const BySlot specs = by_slot("--buffer", options.buffers);
  const BySlot saves = by_slot("--save", options.saves);
  const BySlot against = by_slot("--against", options.against);
  const auto bindings = bindings_of(interface);
  check_slots(specs, "--buffer", bindings);
  check_slots(saves, "--save", bindings);
  check_slots(against, "--against", bindings);
  std::vector<BoundBuffer> buffers;
  for (const auto& declared : bindings) {
    const Slot slot{declared.set, declared.binding};
    // An unsized array has one element per option.
    const auto given = specs.find(slot);
    const auto count = declared.at_most && given != specs.end()
                           ? static_cast<std::uint32_t>(given->second.size())
                       : declared.at_most ? 1
                                          : declared.elements;
    for (std::uint32_t element = 0; element < count; ++element) {
      BoundBuffer buffer{slot, element, declared.name, declared.writable, {}, {}, {}};
      const std::string spec = element_at(specs, slot, element);
      if (spec.empty())
        throw UsageError(fmt::format("{} has no contents; give --buffer {}=SPEC", buffer.title(),
                                     to_string(slot)));
      buffer.save = element_at(saves, slot, element);
      buffer.against = element_at(against, slot, element);
      if (!buffer.save.empty()) npy::check_writable(buffer.save);
      buffer.array = array_of(spec, slot);
      buffers.push_back(std::move(buffer));
    }
  }
  return buffers;
}

/// Reads the dump for --against, which must have the buffer's type and size. A buffer of bytes takes any type.
npy::Array read_dump(const BoundBuffer& buffer) {
  npy::Array dump = npy::read(buffer.against);
  const bool raw = buffer.array.dtype == npy::Dtype::uint8;
  if (dump.dtype != buffer.array.dtype && !raw)
    throw UsageError(fmt::format("{}: holds {}, but {} holds {}; save it as {}", buffer.against,
                                 lockstep::run::name_of(dump.dtype), buffer.title(),
                                 lockstep::run::name_of(buffer.array.dtype),
                                 lockstep::run::name_of(buffer.array.dtype)));
  if (dump.bytes.size() != buffer.array.bytes.size())
    throw UsageError(fmt::format("{}: has {} bytes of values, but {} has {}; dump the whole buffer",
                                 buffer.against, dump.bytes.size(), buffer.title(),
                                 buffer.array.bytes.size()));
  return dump;
}

// ---- After the run ----

std::string text_of(const lockstep::run::Place& place) {
  return fmt::format("workgroup ({}, {}, {}), subgroup {}, lane {}", place.workgroup.x,
                     place.workgroup.y, place.workgroup.z, place.subgroup, place.lane);
}

void print_summary(const BoundBuffer& buffer) {
  const auto summary = lockstep::run::summarise(buffer.array);
  std::string text = fmt::format("{}: {} x {}", buffer.title(),
                                 lockstep::run::name_of(buffer.array.dtype), summary.elements);
  if (!summary.smallest.empty())
    text += fmt::format(", {} to {}", summary.smallest, summary.largest);
  if (summary.nans > 0) text += fmt::format(", {} NaN", summary.nans);
  text += ": ";
  for (std::size_t k = 0; k < summary.first.size(); ++k)
    text += fmt::format("{}{}", k == 0 ? "" : " ", summary.first[k]);
  fmt::print("{}{}\n", text, summary.elements > summary.first.size() ? " ..." : "");
}

Json json_of_summary(const BoundBuffer& buffer) {
  const auto summary = lockstep::run::summarise(buffer.array);
  Json json{{"set", buffer.slot.set},
            {"binding", buffer.slot.binding},
            {"element", buffer.element},
            {"name", buffer.name},
            {"type", lockstep::run::name_of(buffer.array.dtype)},
            {"elements", summary.elements},
            {"smallest", summary.smallest},
            {"largest", summary.largest},
            {"nan", summary.nans},
            {"first", summary.first}};
  if (!buffer.save.empty()) json["saved"] = buffer.save;
  return json;
}

/// Reports the results of a run.
class Report {
 public:
  Report(const RunOptions& options, const Shader& shader, Size3 groups, int subgroup_size)
      : options_(options),
        local_size_(shader.interface().local_size),
        groups_(groups),
        subgroup_size_(subgroup_size) {
    json_ = {{"file", options.files.front()},
             {"subgroup_size", subgroup_size},
             {"groups", {groups.x, groups.y, groups.z}},
             {"local_size", {local_size_.x, local_size_.y, local_size_.z}}};
  }

  void run(const ShaderRun& run) {
    json_["steps"] = run.steps;
    json_["machine_code"] = run.machine_code;
    json_["printed"] = run.printed;
    json_["faults"] = run.faults;
    Json first = Json::array();
    for (const auto& finding : run.findings.findings()) first.push_back(to_string(finding));
    json_["first_faults"] = first;
    const LenientNotes& notes = run.findings.notes();
    json_["notes"] = Json::array();
    if (notes.count > 0) json_["notes"].push_back(to_string(notes));
    json_["findings"] = lockstep::run::to_json(run.findings);
    if (run.faults > 0) failed_ = true;
    if (notes.count > 0)
      std::fputs(fmt::format("lockstep: note: {}\n", to_string(notes)).c_str(), stderr);
    if (options_.json) return;
    if (options_.stats) fmt::print("machine code: {}\n", run.machine_code);
    for (const std::string& line : run.printed) fmt::print("{}\n", line);
    if (run.faults == 0) return;
    fmt::print("{} accesses outside memory:\n", run.faults);
    for (const auto& finding : run.findings.findings()) fmt::print("  {}\n", to_string(finding));
  }

  void buffers(const std::vector<BoundBuffer>& buffers) {
    Json list = Json::array();
    for (const BoundBuffer& buffer : buffers) {
      if (!buffer.writable && buffer.save.empty()) continue;
      list.push_back(json_of_summary(buffer));
      if (!options_.json && buffer.save.empty()) print_summary(buffer);
    }
    json_["buffers"] = std::move(list);
  }

  void comparison(const BoundBuffer& buffer, const npy::Array& dump) {
    npy::Array got = buffer.array;
    got.dtype = dump.dtype;
    const auto result = lockstep::run::compare(got, dump, subgroup_size_);
    if (result.differing > 0) failed_ = true;
    Json differences = Json::array();
    std::string text;
    for (const auto& difference : result.first) {
      const auto place = lockstep::run::place_of(difference.index, result.elements, groups_,
                                                 local_size_, subgroup_size_);
      text += fmt::format("  [{}] got {}, expected {}{}\n", difference.index, difference.got,
                          difference.expected, place ? "  " + text_of(*place) : "");
      Json entry{
          {"index", difference.index}, {"got", difference.got}, {"expected", difference.expected}};
      if (place) entry["place"] = text_of(*place);
      differences.push_back(std::move(entry));
    }
    json_["against"].push_back({{"set", buffer.slot.set},
                                {"binding", buffer.slot.binding},
                                {"element", buffer.element},
                                {"file", buffer.against},
                                {"elements", result.elements},
                                {"differing", result.differing},
                                {"first", differences}});
    if (options_.json) return;
    if (result.differing == 0)
      fmt::print("{}: {} elements agree with {}\n", buffer.title(), result.elements,
                 buffer.against);
    else
      fmt::print("{}: {} of {} elements differ from {}:\n{}", buffer.title(), result.differing,
                 result.elements, buffer.against, text);
  }

  void statistics(const lockstep::run::Statistics& stats) {
    Json lines = Json::array();
    for (const auto& line : stats.lines())
      lines.push_back(
          {{"file", line.file}, {"line", line.line}, {"times", line.times}, {"lanes", line.lanes}});
    json_["stats"] = {{"subgroups", stats.subgroups()},     {"lines_executed", stats.times()},
                      {"utilisation", stats.utilisation()}, {"divergences", stats.divergences()},
                      {"merges_apart", stats.apart()},      {"lines", lines}};
    if (options_.json) return;
    fmt::print(
        "{} subgroups, {} steps, {:.1f} % of lanes active, {} divergences, {} merges that "
        "did not rejoin\n",
        stats.subgroups(), stats.times(), stats.utilisation() * 100, stats.divergences(),
        stats.apart());
    fmt::print("   line      times       lanes   busy\n");
    for (const auto& line : stats.lines())
      fmt::print("{:>7} {:>10} {:>11} {:>4.0f} %  {}\n", line.line, line.times, line.lanes,
                 100.0 * static_cast<double>(line.lanes) /
                     (static_cast<double>(line.times) * subgroup_size_),
                 line.file);
  }

  ExitCode finish() {
    json_["failed"] = failed_;
    if (options_.json)
      fmt::print("{}\n", json_.dump(2, ' ', false, Json::error_handler_t::replace));
    return failed_ ? exit_failed : exit_fine;
  }

 private:
  const RunOptions& options_;
  Size3 local_size_, groups_;
  int subgroup_size_;
  Json json_;
  bool failed_ = false;
};

void bind(Shader& shader, std::vector<BoundBuffer>& buffers, const RunOptions& options) {
  for (BoundBuffer& buffer : buffers)
    shader.bind_bytes(buffer.slot.set, buffer.slot.binding, buffer.element,
                      std::span<std::byte>(buffer.array.bytes));
  const bool has_push = shader.interface().uses_push_constants;
  if (!options.push.empty() && !has_push)
    throw UsageError("--push: the shader has no push constants; remove it");
  if (options.push.empty() && has_push)
    throw UsageError("the shader has push constants; give --push SPEC");
  if (!options.push.empty()) {
    try {
      shader.push_bytes(make_array(lockstep::run::parse_buffer_spec(options.push)).bytes);
    } catch (const lockstep::run::InputError& error) {
      throw UsageError(fmt::format("--push {}", error.what()));
    }
  }
}

/// Throws UsageError for anything that the device or the engine does not support, before the shader runs.
void prepare(Shader& shader, Size3 groups, const Profile& profile,
             const DispatchSettings& settings) {
  try {
    shader.check(profile, settings.subgroup_size, groups);
    shader.dispatch({0, 0, 0}, settings);
  } catch (const Error& error) {
    throw UsageError(first_line(error.what()));
  }
}

}  // namespace

ExitCode run_shader(const RunOptions& options) {
  const Size3 groups = lockstep::run::parse_groups(options.groups);
  const Profile profile = profile_of(options);
  RunConvergence convergence(options);
  Shader shader = load_shader(options);
  std::vector<BoundBuffer> buffers = make_buffers(shader.interface(), options);
  std::vector<std::optional<npy::Array>> dumps;
  dumps.reserve(buffers.size());
  for (const BoundBuffer& buffer : buffers)
    dumps.push_back(buffer.against.empty() ? std::nullopt : std::optional(read_dump(buffer)));
  bind(shader, buffers, options);

  lockstep::run::Statistics statistics(profile.subgroup_size);
  DispatchSettings settings;
  settings.subgroup_size = profile.subgroup_size;
  settings.threads = options.threads;
  settings.max_steps = options.max_steps;
  settings.lenient = lenient_of(options);
  settings.convergence = convergence.get(options.stats ? &statistics : nullptr);
  prepare(shader, groups, profile, settings);
  const ShaderRun result = shader.dispatch(groups, settings);

  for (const BoundBuffer& buffer : buffers)
    if (!buffer.save.empty()) npy::write(buffer.save, buffer.array);
  Report report(options, shader, groups, profile.subgroup_size);
  report.run(result);
  report.buffers(buffers);
  for (std::size_t k = 0; k < buffers.size(); ++k)
    if (dumps[k]) report.comparison(buffers[k], *dumps[k]);
  if (options.stats) report.statistics(statistics);
  return report.finish();
}

}  // namespace lockstep::cli
