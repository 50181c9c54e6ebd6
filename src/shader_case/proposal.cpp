#include "shader_case/proposal.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "io/layouts.hpp"
#include "io/spec_constants.hpp"
#include "io/types.hpp"
#include "shader_case/inspection.hpp"

namespace lockstep::shader_case {
namespace {

using Binding = Reflection::Binding;

std::string groups_text(const std::array<std::uint32_t, 3>& groups) {
  const auto& [x, y, z] = groups;
  if (z != 1) return fmt::format("{},{},{}", x, y, z);
  return y == 1 ? fmt::format("{}", x) : fmt::format("{},{}", x, y);
}

Proposal::Contents contents_of(const Proposal& proposal, const std::string& slot) {
  const auto found = proposal.contents.find(slot);
  return found == proposal.contents.end() ? Proposal::Contents() : found->second;
}

/// A generator for a block: numbers of its type if it has one, enough for so many elements of an array without a size.
std::string contents_for(const LayoutType& block, const Proposal::Contents& wanted) {
  const std::uint64_t bytes = lockstep::io::bytes_with(block, wanted.elements);
  const std::vector<NumberType> numbers = numbers_of(block);
  const bool of_one_type = numbers.size() == 1;
  const NumberType number = of_one_type ? numbers[0] : NumberType::uint8;
  const std::uint64_t size = size_of(number);
  const std::string what =
      fmt::format("{}:{}", lockstep::io::name_of(lockstep::io::dtype_of(number)),
                  std::max<std::uint64_t>((bytes + size - 1) / size, 1));
  using Kind = Proposal::Contents::Kind;
  if (!of_one_type || wanted.kind == Kind::zeros) return "zeros:" + what;
  if (wanted.kind == Kind::iota) return "iota:" + what;
  if (wanted.kind == Kind::same) return fmt::format("fill:{}:{}", what, wanted.near);
  if (wanted.kind == Kind::around)
    return fmt::format("random:{}:1:{}:{}", what, wanted.near - 1, wanted.near + 1);
  return fmt::format("random:{}:1:{}", what, is_float(number) ? "-1:1" : "0:8");
}

/// Zeros for an image of the binding's kind.
std::string image_for(const Binding& binding) {
  const std::string_view type = binding.type;
  std::string format = binding.format;
  if (format.empty())
    format = type.starts_with("u")                                 ? "rgba32ui"
             : type.starts_with("i") && !type.starts_with("image") ? "rgba32i"
                                                                   : "rgba8";
  const char* size = "64x64";
  if (type.find("Buffer") != std::string_view::npos)
    size = "1024";
  else if (type.find("Cube") != std::string_view::npos)
    size = "16x16x6";
  else if (type.find("1D") != std::string_view::npos)
    size = "64";
  else if (type.find("3D") != std::string_view::npos)
    size = "16x16x16";
  else if (type.find("MSArray") != std::string_view::npos)
    size = "64x64x8,samples=4";
  else if (type.find("Array") != std::string_view::npos ||
           type.find("MS") != std::string_view::npos)
    size = "64x64x4";  // layers, or samples
  return fmt::format("{}:{}:zeros", format, size);
}

/// Memory of zeros for the addresses of blocks. A few addresses are enough to see what a shader does.
class Memories {
 public:
  Memories(std::vector<std::string>& words, bool numbers) : words_(words), numbers_(numbers) {}

  /// Calls f(address, name of the memory) for each.
  template <class F>
  void for_each(const LayoutType& block, F f) {
    constexpr std::size_t most = 8;
    for (const auto& address : lockstep::io::addresses_of(block, most, numbers_)) {
      const std::string name = fmt::format("memory{}", ++count_);
      words_.insert(words_.end(), {"--buffer", name + "=zeros:u8:65536"});
      f(address, name);
    }
  }

 private:
  std::vector<std::string>& words_;
  bool numbers_;  ///< also become addresses
  int count_ = 0;
};

/// The words of a sampler that the shader's accesses take.
std::string sampler_for(const Binding& binding, const std::optional<ShaderInterface>& needed) {
  if (!needed) return "linear,repeat";
  const auto use = std::ranges::find_if(needed->samplers, [&](const auto& sampler) {
    return sampler.set == binding.set && sampler.binding == binding.binding;
  });
  if (use == needed->samplers.end()) return "linear,repeat";
  return fmt::format("{},repeat{}", use->filters ? "linear" : "nearest",
                     use->compares ? ",less_or_equal" : "");
}

}  // namespace

bool is_float(NumberType type) {
  return type == NumberType::float16 || type == NumberType::float32 || type == NumberType::float64;
}

std::vector<std::string> arguments_of(const RunOptions& options, const Inspection& shader,
                                      const Proposal& proposal) {
  std::vector<std::string> words{options.files.front(), "--groups", groups_text(proposal.groups)};
  const auto add = [&](const char* option, const std::string& value) {
    words.emplace_back(option);
    words.push_back(value);
  };
  for (const std::string& define : options.defines) add("-D", define);
  for (const std::string& directory : options.include_dirs) add("-I", directory);
  for (const std::string& spec : options.specs) add("--spec", spec);
  for (const auto& [id, value] : proposal.specs) add("--spec", fmt::format("{}={}", id, value));
  if (options.entry) add("--entry", *options.entry);
  if (!options.target_env.empty()) add("--target-env", options.target_env);
  if (!options.shift.empty()) add("--shift", options.shift);
  if (!options.compiler.empty()) add("--compiler", options.compiler);
  if (options.no_validate) words.emplace_back("--no-validate");
  if (options.robust) words.emplace_back("--robust");
  Memories memories(words, shader.makes_addresses);
  std::vector<std::string> given;
  for (const Binding& binding : shader.declared.bindings) {
    // Declarations may share a binding.
    if (!binding.used || std::ranges::find(given, slot_of(binding)) != given.end()) continue;
    given.push_back(slot_of(binding));
    const std::string times = binding.elements == 1 ? "" : binding.elements == 0 ? "*1" : "*";
    const std::string& hlsl = binding.hlsl_register;
    const std::string slot = (hlsl.empty()       ? slot_of(binding)
                              : binding.set == 0 ? hlsl
                                                 : fmt::format("{}:{}", binding.set, hlsl)) +
                             "=";
    const bool combined = binding.kind == Binding::Kind::combined_image_sampler;
    const bool sampler = binding.kind == Binding::Kind::sampler;
    if (is_buffer(binding)) {
      add("--buffer",
          slot + contents_for(binding.block, contents_of(proposal, slot_of(binding))) + times);
      if (binding.elements == 1)
        memories.for_each(binding.block, [&](const auto& address, const std::string& name) {
          add("--address", fmt::format("{}+{}={}", slot_of(binding), address.offset, name));
        });
    } else if (!sampler)
      add("--image", slot + image_for(binding) + times);
    if (sampler || combined) add("--sampler", slot + sampler_for(binding, shader.needed) + times);
  }
  for (const auto& [member, value] : proposal.members)
    add("--buffer", fmt::format("{}={}", member, value));
  std::string push;
  const auto add_to_push = [&](const std::string& member, const std::string& value) {
    push += fmt::format("{}{}={}", push.empty() ? "" : " ", member, value);
  };
  for (const auto& [member, value] : proposal.push) add_to_push(member, value);
  if (shader.declared.push_constants) {
    memories.for_each(*shader.declared.push_constants,
                      [&](const auto& address, const std::string& name) {
                        add_to_push(address.path, "addr:" + name);
                      });
    add("--push", push.empty() ? contents_for(*shader.declared.push_constants, {}) : push);
  }
  return words;
}

RunOptions with_arguments(const RunOptions& options, const std::vector<std::string>& words) {
  RunOptions run = options;
  run.buffers.clear();
  run.images.clear();
  run.samplers.clear();
  run.specs.clear();
  run.addresses.clear();
  for (std::size_t k = 1; k + 1 < words.size(); ++k) {
    const std::string& value = words[k + 1];
    if (words[k] == "--groups") run.groups = value;
    if (words[k] == "--buffer") run.buffers.push_back(value);
    if (words[k] == "--image") run.images.push_back(value);
    if (words[k] == "--sampler") run.samplers.push_back(value);
    if (words[k] == "--address") run.addresses.push_back(value);
    if (words[k] == "--spec") run.specs.push_back(value);
    if (words[k] == "--push") run.push = value;
  }
  return run;
}

}  // namespace lockstep::shader_case
