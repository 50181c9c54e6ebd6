#include "amber/runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include <lockstep/dispatch/image.hpp>
#include <lockstep/dispatch/mip_levels.hpp>
#include <lockstep/exec/checks.hpp>
#include <lockstep/exec/finding_error.hpp>
#include <lockstep/spirv/descriptor_set.hpp>
#include <lockstep/spirv/shader.hpp>

#include "amber/error.hpp"
#include "amber/expect.hpp"
#include "amber/features.hpp"
#include "amber/script.hpp"

namespace lockstep::amber {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// An unmet expectation, or a shader's misbehaviour.
struct Failure : std::runtime_error {
  Failure(std::uint32_t at, const std::string& what) : std::runtime_error(what), line(at) {}
  std::uint32_t line;
};

bool wants(const Script& script, std::string_view requirement) {
  return std::ranges::find(script.requirements, requirement, &Requirement::name) !=
         script.requirements.end();
}

// The Vulkan environment of TARGET_ENV. Without it, assembly is SPIR-V 1.0, or 1.4 if the script
// requires it, and GLSL may use everything.
std::string target_of(const Shader& shader, const Script& script) {
  struct Environment {
    std::string_view name;
    std::string_view target;
  };
  constexpr Environment environments[] = {
      {"", ""},
      {"spv1.0", "vulkan1.0"},
      {"spv1.1", "vulkan1.1"},
      {"spv1.2", "vulkan1.1"},
      {"spv1.3", "vulkan1.1"},
      {"spv1.4", "vulkan1.2"},
      {"spv1.5", "vulkan1.2"},
      {"spv1.6", "vulkan1.3"},
      {"vulkan1.0", "vulkan1.0"},
      {"vulkan1.1", "vulkan1.1"},
      {"vulkan1.1spv1.4", "vulkan1.2"},
      {"vulkan1.2", "vulkan1.2"},
      {"vulkan1.3", "vulkan1.3"},
  };
  if (shader.target.empty() && shader.format == Shader::Format::spirv_asm)
    return wants(script, "VK_KHR_spirv_1_4") ? "vulkan1.2" : "vulkan1.0";
  const auto* found = std::ranges::find(environments, shader.target, &Environment::name);
  if (found == std::end(environments))
    throw ScriptError(shader.line, fmt::format("TARGET_ENV {} is not a Vulkan environment; write "
                                               "spv1.0 to spv1.6 or vulkan1.0 to vulkan1.3",
                                               shader.target));
  return std::string(found->target);
}

// Whether the first line declares a version of GLSL ES.
bool starts_with_es(std::string_view source) {
  const std::string_view line = source.substr(0, source.find('\n'));
  const std::size_t hash = line.find_first_not_of(" \t");
  if (hash == std::string_view::npos || line[hash] != '#') return false;
  const std::size_t version = line.find("version", hash);
  return version != std::string_view::npos && line.find(" es", version) != std::string_view::npos;
}

// Prepends empty lines, so that messages have the script's line numbers. They follow the version
// line of GLSL ES, which must come first.
std::string at_line(std::string source, std::uint32_t line) {
  const std::size_t at = starts_with_es(source) ? source.find('\n') : 0;
  source.insert(std::min(at, source.size()), line - 1, '\n');
  return source;
}

// Words in hexadecimal, with or without 0x.
std::vector<std::uint32_t> words_of_hex(const Shader& shader, const std::string& text) {
  std::vector<std::uint32_t> words;
  std::size_t at = 0;
  while ((at = text.find_first_not_of(" \t\r\n,", at)) != std::string::npos) {
    const std::size_t end = std::min(text.find_first_of(" \t\r\n,", at), text.size());
    std::string word = text.substr(at, end - at);
    if (!word.starts_with("0x")) word.insert(0, "0x");
    const auto value = parse_literal(word);
    if (!value || value->magnitude > 0xffffffff)
      throw ScriptError(
          shader.line, fmt::format("SHADER {}: '{}' is not a 32-bit word; write hexadecimal digits",
                                   shader.name, text.substr(at, end - at)));
    words.push_back(static_cast<std::uint32_t>(value->magnitude));
    at = end;
  }
  return words;
}

std::vector<std::uint32_t> words_of_bytes(const Shader& shader, const std::string& bytes) {
  if (bytes.size() % 4 != 0)
    throw ScriptError(shader.line,
                      fmt::format("{} has {} bytes, which is not a multiple of 4; give a .spv file",
                                  shader.file, bytes.size()));
  std::vector<std::uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

bool is_image(const Binding& binding) {
  using Kind = Binding::Kind;
  return binding.kind == Kind::storage_image || binding.kind == Kind::sampled_image ||
         binding.kind == Kind::combined_image_sampler;
}

// The levels that a shader sees: of a storage image one.
MipLevels levels_of(const Buffer& buffer, const Binding& binding) {
  const MipLevels all{
      {std::max(buffer.width, 1U), buffer.height, buffer.depth}, buffer.dimensions, buffer.levels};
  const bool storage = binding.kind == Binding::Kind::storage_image;
  return {all.extent(binding.base_level), all.axes, storage ? 1 : all.count - binding.base_level};
}

bool is_texels(const Binding& binding) {
  return binding.kind != Binding::Kind::storage && binding.kind != Binding::Kind::uniform;
}

// Vulkan's name of a format, without VK_FORMAT_.
std::string vulkan_name(const ImageFormatInfo& format) {
  if (format.coding == TexelCoding::floating && format.packed()) return "B10G11R11_UFLOAT_PACK32";
  // In the order of TexelCoding.
  constexpr std::string_view codings[] = {"SFLOAT", "UNORM", "SNORM", "SINT", "UINT"};
  const std::string_view coding = codings[static_cast<int>(format.coding)];
  if (format.packed()) return fmt::format("A2B10G10R10_{}_PACK32", coding);
  std::string name;
  for (std::size_t k = 0; k < format.components; ++k)
    name += fmt::format("{}{}", std::string_view("RGBA")[k], format.bits[k]);
  return fmt::format("{}_{}", name, coding);
}

// Whether a format's texels have the numbers of the buffer.
bool holds(const ImageFormatInfo& format, const Buffer& buffer) {
  const auto& components = buffer.layout.components;
  const Number number = components.front().number;
  const auto coding = number.encoding == Encoding::floating     ? TexelCoding::floating
                      : number.encoding == Encoding::signed_int ? TexelCoding::sint
                                                                : TexelCoding::uint;
  return format.coding == coding && format.bits[0] == number.bits &&
         format.components == components.size() && format.bytes == buffer.layout.stride;
}

// The engine's format that matches the buffer's texels.
lockstep::ImageFormat image_format_of(const Buffer& buffer, std::uint32_t line) {
  for (std::size_t k = 0; k < std::size(image_formats); ++k) {
    const ImageFormatInfo& format = image_formats[k];
    if (buffer.type.format ? buffer.type.name == vulkan_name(format) : holds(format, buffer))
      return static_cast<lockstep::ImageFormat>(k);
  }
  throw ScriptError(line,
                    fmt::format("{} has texels of {}, which is not supported; use a format that "
                                "GLSL has a name for, such as R32_UINT or R8G8B8A8_UNORM",
                                buffer.name, buffer.type.name));
}

/// Runs one script, command by command. Long, as it has a function for each command.
class Runner {
 public:
  Runner(const std::string& path, Script script, const RunSettings& settings, const ReadFile& read)
      : path_(path), script_(std::move(script)), settings_(settings), read_(read) {
    robust_ = wants(script_, "robustBufferAccess");
  }

  void run() {
    for (Buffer& buffer : script_.buffers) fill(buffer);
    shaders_.resize(script_.pipelines.size());
    for (const Pipeline& pipeline : script_.pipelines) check_bindings(pipeline);
    for (const Command& command : script_.commands)
      for (std::uint32_t time = 0; time < command.times; ++time)
        for (const auto& [line, action] : command.actions)
          std::visit([&, at = line](const auto& a) { act(a, at); }, action);
  }

  std::vector<std::string> take_notes() { return std::move(notes_); }
  const FaultLog& findings() const { return findings_; }

 private:
  // ---- Buffers ----

  void fill(Buffer& buffer) {
    memory_.push_back(initial_bytes(buffer, read_));
    const auto* file = std::get_if<FileData>(&buffer.data);
    const std::size_t count = memory_.back().size() / buffer.layout.stride;
    if (file != nullptr && count != buffer.count)
      notes_.push_back(
          fmt::format("{}:{}: {} has {} elements, and so has {}, although its SIZE is {}", path_,
                      buffer.line, file->path, count, buffer.name, buffer.count));
    buffer.count = static_cast<std::uint32_t>(count);
  }

  void check_same_size(std::size_t a, std::size_t b, std::uint32_t line) const {
    const Buffer& one = script_.buffers[a];
    const Buffer& other = script_.buffers[b];
    if (one.count != other.count)
      throw ScriptError(
          line, fmt::format("{} has {} elements, {} has {}; give both the same number", one.name,
                            one.count, other.name, other.count));
  }

  // ---- Pipelines ----

  void check_bindings(const Pipeline& pipeline) const {
    for (const Binding& binding : pipeline.bindings) {
      if (binding.kind == Binding::Kind::sampler) continue;
      check_levels(pipeline, binding);
      if (is_texels(binding)) image_format_of(script_.buffers[binding.buffer], binding.line);
      const std::size_t size = memory_[binding.buffer].size();
      if (binding.offset >= size)
        throw ScriptError(
            binding.line,
            fmt::format(
                "the offset {} is beyond the end of {}, which has {} bytes; make it smaller",
                binding.offset, script_.buffers[binding.buffer].name, size));
    }
  }

  // All levels of an image share the bytes of its buffer, so a pipeline must see them in one way.
  void check_levels(const Pipeline& pipeline, const Binding& binding) const {
    const Buffer& buffer = script_.buffers[binding.buffer];
    if (buffer.levels == 1 || !is_image(binding)) return;
    const auto is_storage = [](const Binding& b) { return b.kind == Binding::Kind::storage_image; };
    for (const Binding& other : pipeline.bindings) {
      if (!is_image(other) || other.buffer != binding.buffer) continue;
      if (other.base_level != binding.base_level || is_storage(other) != is_storage(binding))
        throw ScriptError(
            binding.line,
            fmt::format(
                "{} has MIP_LEVELS, and PIPELINE {} binds it with a different BASE_MIP_LEVEL, or "
                "both as a storage and as a sampled image, which is not supported; bind two images",
                buffer.name, pipeline.name));
    }
  }

  // The texels that a shader sees, level by level.
  std::span<std::byte> texels_of(const Binding& binding, const MipLevels& levels) {
    std::vector<std::byte>& memory = memory_[binding.buffer];
    const Buffer& buffer = script_.buffers[binding.buffer];
    if (buffer.levels == 1) return memory;
    const std::size_t size = levels.texels() * buffer.layout.stride;
    if (levels.count == 1) return std::span(memory).first(size);
    std::vector<std::byte>& texels = levelled_[&binding];
    texels.resize(size);
    return texels;
  }

  // As in Amber, each level has the first texels of the buffer.
  void fill_levels(const Pipeline& pipeline) {
    for (const Binding& binding : pipeline.bindings) {
      const auto found = levelled_.find(&binding);
      if (found == levelled_.end()) continue;
      const Buffer& buffer = script_.buffers[binding.buffer];
      const MipLevels levels = levels_of(buffer, binding);
      const std::size_t stride = buffer.layout.stride;
      for (std::uint32_t k = 0; k < levels.count; ++k) {
        const std::uint64_t start = levels.before(k);
        std::memcpy(found->second.data() + start * stride, memory_[binding.buffer].data(),
                    (levels.before(k + 1) - start) * stride);
      }
    }
  }

  void bind_image(lockstep::Shader& shader, const Binding& binding, const Buffer& buffer) {
    const MipLevels levels = levels_of(buffer, binding);
    const lockstep::ImageFormat format = image_format_of(buffer, binding.line);
    const std::span<std::byte> texels = texels_of(binding, levels);
    if (levels.count == 1) {
      images_.emplace_back(format, buffer.dimensions == 3 ? ImageKind::three_d : ImageKind::two_d,
                           levels.size, texels);
      shader.bind_image(binding.set, binding.binding, images_.back(), binding.element);
      return;
    }
    lockstep::Descriptor descriptor{.kind = lockstep::Descriptor::Kind::texels,
                                    .bytes = texels,
                                    .format = format,
                                    .extent = levels.size,
                                    .levels = levels.count};
    if (binding.kind == Binding::Kind::combined_image_sampler)
      descriptor.sampler = script_.samplers[binding.sampler];
    shader.bind_descriptor(binding.set, binding.binding, descriptor, binding.element);
  }

  std::span<std::byte> bytes_of(const Binding& binding) {
    const std::span<std::byte> all(memory_[binding.buffer]);
    const std::size_t left = all.size() - binding.offset;
    return all.subspan(binding.offset, std::min<std::uint64_t>(left, binding.range));
  }

  void bind(lockstep::Shader& shader, const Binding& binding) {
    using Kind = Binding::Kind;
    if (binding.kind == Kind::sampler || binding.kind == Kind::combined_image_sampler)
      shader.bind_sampler(binding.set, binding.binding, script_.samplers[binding.sampler],
                          binding.element);
    if (binding.kind == Kind::sampler) return;
    const Buffer& buffer = script_.buffers[binding.buffer];
    if (!is_texels(binding)) {
      shader.bind_bytes(binding.set, binding.binding, binding.element, bytes_of(binding));
    } else if (is_image(binding)) {
      bind_image(shader, binding, buffer);
    } else {
      shader.bind_texels(binding.set, binding.binding, image_format_of(buffer, binding.line),
                         memory_[binding.buffer], binding.element);
    }
  }

  lockstep::Shader compile(const Pipeline& pipeline) const {
    ShaderOptions options;
    options.entry = pipeline.entry;
    options.spec.assign(pipeline.spec.begin(), pipeline.spec.end());
    return lockstep::Shader::from_module(module_of(pipeline), options);
  }

  Module module_of(const Pipeline& pipeline) const {
    const Shader& shader = script_.shaders[*pipeline.shader];
    const bool in_file = !shader.file.empty();
    const std::string name = in_file ? shader.file : path_;
    std::string source = in_file ? read_(shader.file) : shader.source;
    if (!in_file && shader.format != Shader::Format::spirv_hex)
      source = at_line(std::move(source), shader.first_line);
    return module_of(shader, source, name, pipeline.entry);
  }

  Module module_of(const Shader& shader, const std::string& source, const std::string& name,
                   const std::string& entry) const {
    ModuleOptions options;
    options.entry = entry;
    options.target = target_of(shader, script_);
    options.limits = settings_.limits;
    switch (shader.format) {
      case Shader::Format::glsl:
        return Module::from_glsl(source, options, name);
      case Shader::Format::spirv_asm:
        return Module::from_assembly(source, options, name);
      case Shader::Format::spirv_hex:
        return Module::from_words(words_of_hex(shader, source), options, name);
      case Shader::Format::spirv_bin:
        break;
    }
    return Module::from_words(words_of_bytes(shader, source), options, name);
  }

  // The pipeline's shader, compiled on first use.
  lockstep::Shader& shader_of(std::size_t index, std::uint32_t line) {
    std::optional<lockstep::Shader>& shader = shaders_[index];
    if (shader) return *shader;
    const Pipeline& pipeline = script_.pipelines[index];
    try {
      shader.emplace(compile(pipeline));
      for (const Binding& binding : pipeline.bindings) bind(*shader, binding);
      if (pipeline.push_constants) shader->push_bytes(memory_[*pipeline.push_constants]);
      // A dispatch without workgroups only checks.
      shader->dispatch({0, 0, 0}, dispatch_settings(subgroup_size(pipeline)));
    } catch (const Error& error) {
      throw ScriptError(line, fmt::format("PIPELINE {}: {}", pipeline.name, error.what()));
    }
    return *shader;
  }

  int subgroup_size(const Pipeline& pipeline) const {
    switch (pipeline.size) {
      case Pipeline::Size::any:
        return settings_.profile.subgroup_size;
      case Pipeline::Size::smallest:
        return settings_.profile.min_subgroup_size;
      case Pipeline::Size::largest:
        return settings_.profile.max_subgroup_size;
      case Pipeline::Size::number:
        break;
    }
    return static_cast<int>(pipeline.required_size);
  }

  DispatchSettings dispatch_settings(int subgroup_size) const {
    DispatchSettings result;
    result.subgroup_size = subgroup_size;
    result.threads = settings_.threads;
    result.max_steps = settings_.max_steps;
    result.convergence = settings_.convergence;
    result.lenient = settings_.lenient;
    result.checks = settings_.checks;
    return result;
  }

  void check_device(const Pipeline& pipeline, const lockstep::Shader& shader, const Run& run,
                    std::uint32_t line) const {
    const Size3 local = shader.interface().local_size;
    const int size = subgroup_size(pipeline);
    if (pipeline.full_subgroups && local.x % static_cast<std::uint32_t>(size) != 0)
      throw ScriptError(line, fmt::format("PIPELINE {} asks for full subgroups of {}, but its "
                                          "local size is {} in x; use a multiple",
                                          pipeline.name, size, local.x));
    try {
      shader.check(settings_.profile, size, run.groups);
    } catch (const Error& error) {
      throw ScriptError(line, fmt::format("PIPELINE {}: {}", pipeline.name, error.what()));
    }
  }

  ScriptRun described(const Pipeline& pipeline, const Run& run) {
    ScriptRun told{
        pipeline.name, module_of(pipeline), pipeline.entry, pipeline.spec, run.groups, {}, 0, {}};
    if (pipeline.push_constants) told.push_constants = memory_[*pipeline.push_constants];
    if (pipeline.size != Pipeline::Size::any)
      told.required_size = static_cast<std::uint32_t>(subgroup_size(pipeline));
    for (const Binding& binding : pipeline.bindings) {
      ScriptRun::Resource& made = told.resources.emplace_back();
      made.kind = binding.kind;
      made.set = binding.set;
      made.binding = binding.binding;
      made.element = binding.element;
      if (binding.kind == Binding::Kind::sampler) continue;
      made.bytes = bytes_of(binding);
      if (!is_texels(binding)) continue;
      const Buffer& buffer = script_.buffers[binding.buffer];
      made.format = image_format_of(buffer, binding.line);
      made.levels = levels_of(buffer, binding);
      if (is_image(binding)) made.bytes = texels_of(binding, made.levels);
    }
    return told;
  }

  // ---- Commands ----

  void act(const Run& run, std::uint32_t line) {
    const Pipeline& pipeline = script_.pipelines[run.pipeline];
    lockstep::Shader& shader = shader_of(run.pipeline, line);
    if (run.groups.x == 0 || run.groups.y == 0 || run.groups.z == 0) return;
    check_device(pipeline, shader, run, line);
    if (pipeline.push_constants) shader.push_bytes(memory_[*pipeline.push_constants]);
    fill_levels(pipeline);
    if (settings_.before_run) settings_.before_run(described(pipeline, run));
    const Clock::time_point start = Clock::now();
    ShaderRun result;
    try {
      result = shader.dispatch(run.groups, dispatch_settings(subgroup_size(pipeline)));
    } catch (const FindingError& error) {
      findings_.merge(error.earlier());
      findings_.record(error.finding());
      throw Failure(line, fmt::format("PIPELINE {}: {}", pipeline.name, error.what()));
    } catch (const Error& error) {
      throw Failure(line, fmt::format("PIPELINE {}: {}", pipeline.name, error.what()));
    }
    if (run.timed)
      notes_.push_back(fmt::format("{}:{}: PIPELINE {} took {:.3f} ms", path_, line, pipeline.name,
                                   seconds_since(start) * 1000));
    const LenientNotes& tolerated = result.findings.notes();
    if (tolerated.count > 0) notes_.push_back("note: " + to_string(tolerated));
    notes_.insert(notes_.end(), result.printed.begin(), result.printed.end());
    const bool outside = result.faults > 0 && !robust_ && !are_discarded(result);
    for (const Finding& finding : result.findings.findings())
      if (outside || !is_outside(finding)) findings_.record(finding);
    if (outside) fail_fault(pipeline, result, line);
  }

  static bool is_outside(const Finding& finding) {
    return finding.rule == to_string(Check::out_of_bounds);
  }

  /// Whether all faults are stores to texels or samples that images lack: Vulkan discards these.
  static bool are_discarded(const ShaderRun& result) {
    std::uint64_t discarded = 0;
    for (const Finding& finding : result.findings.findings()) {
      const LaneAccess& access = finding.access;
      if (is_outside(finding) && access.kind == AccessKind::write &&
          access.object.kind == MemoryObject::Kind::image)
        discarded += finding.count;
    }
    return discarded == result.faults;
  }

  [[noreturn]] static void fail_fault(const Pipeline& pipeline, const ShaderRun& result,
                                      std::uint32_t line) {
    const auto& all = result.findings.findings();
    std::string message = fmt::format("PIPELINE {}: {}", pipeline.name,
                                      to_string(*std::ranges::find_if(all, is_outside)));
    if (std::ranges::count_if(all, is_outside) > 1)
      message += fmt::format("; {} accesses outside memory in total", result.faults);
    throw Failure(line, message);
  }

  // Shaders keep the addresses of buffers, so those must not change.
  void act(const Copy& copy, std::uint32_t line) {
    check_same_size(copy.from, copy.to, line);
    std::ranges::copy(memory_[copy.from], memory_[copy.to].begin());
  }

  template <class Expectation>
  void act(const Expectation& expectation, std::uint32_t line) {
    if (const auto failure = check(expectation, script_.buffers[expectation.buffer],
                                   std::span<const std::byte>(memory_[expectation.buffer])))
      throw Failure(line, *failure);
  }
  void act(const ExpectBuffers& expectation, std::uint32_t line) {
    check_same_size(expectation.buffer, expectation.other, line);
    if (const auto failure = check(expectation, script_.buffers[expectation.buffer],
                                   script_.buffers[expectation.other], memory_[expectation.buffer],
                                   memory_[expectation.other]))
      throw Failure(line, *failure);
  }

  const std::string& path_;
  Script script_;
  const RunSettings& settings_;
  const ReadFile& read_;
  bool robust_ = false;
  std::vector<std::vector<std::byte>> memory_;
  std::deque<Image> images_;  // views of memory_, which shaders keep
  std::map<const Binding*, std::vector<std::byte>> levelled_;  // images with several levels
  std::vector<std::optional<lockstep::Shader>> shaders_;
  std::vector<std::string> notes_;
  FaultLog findings_;
};

// Why the script cannot run on the device; empty if it can.
std::string why_skip(const Script& script, const Profile& profile) {
  if (!script.skip.empty()) return script.skip;
  for (const Requirement& requirement : script.requirements)
    if (std::string lacking = unmet(requirement, profile); !lacking.empty()) return lacking;
  return {};
}

void judge(Outcome& outcome, const std::string& text, const RunSettings& settings,
           const ReadFile& read) {
  const auto end = [&](Verdict verdict, std::uint32_t line, std::string_view what) {
    outcome.verdict = verdict;
    outcome.message = fmt::format("{}:{}: {}", outcome.path, line, what);
  };
  try {
    Script script = parse(text);
    if (std::string skip = why_skip(script, settings.profile); !skip.empty()) {
      outcome.verdict = Verdict::skipped;
      outcome.message = fmt::format("{}: {}", outcome.path, skip);
      return;
    }
    Runner runner(outcome.path, std::move(script), settings, read);
    try {
      runner.run();
    } catch (const Failure& failure) {
      end(Verdict::failed, failure.line, failure.what());
    }
    outcome.notes = runner.take_notes();
    outcome.findings = runner.findings();
  } catch (const ScriptError& error) {
    end(Verdict::error, error.line, error.what());
  } catch (const std::bad_alloc&) {
    end(Verdict::error, 1, "its buffers need more than the machine's memory; make them smaller");
  } catch (const std::exception& error) {  // a file that cannot be read
    outcome.verdict = Verdict::error;
    outcome.message = fmt::format("{}: {}", outcome.path, error.what());
  }
}

}  // namespace

Outcome run_text(const std::string& path, const std::string& text, const RunSettings& settings,
                 const ReadFile& read) {
  const Clock::time_point start = Clock::now();
  Outcome outcome;
  outcome.path = path;
  judge(outcome, text, settings, read);
  outcome.seconds = seconds_since(start);
  return outcome;
}

}  // namespace lockstep::amber
