#include "playground/inputs.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "io/arguments.hpp"
#include "io/images.hpp"
#include "io/layouts.hpp"
#include "io/spec_constants.hpp"
#include "io/types.hpp"
#include "shader_case/buffers.hpp"

namespace lockstep::playground {
namespace {

using Binding = Reflection::Binding;

std::string contents(const Binding& binding, std::uint64_t invocations) {
  const std::vector<NumberType> numbers = numbers_of(binding.block);
  const std::uint64_t bytes =
      std::max<std::uint64_t>(lockstep::io::bytes_with(binding.block, invocations), 4);
  if (numbers.size() != 1) return fmt::format("zeros:u8:{}", bytes);
  const std::uint64_t count = std::max<std::uint64_t>(bytes / size_of(numbers[0]), 1);
  return fmt::format("{}:{}:{}", binding.writable ? "zeros" : "iota",
                     lockstep::io::name_of(lockstep::io::dtype_of(numbers[0])), count);
}

bool is_image(const Binding& binding) {
  using enum Binding::Kind;
  return binding.kind == sampled_image || binding.kind == storage_image ||
         binding.kind == uniform_texel_buffer || binding.kind == storage_texel_buffer ||
         binding.kind == combined_image_sampler;
}

bool takes_sampler(const Binding& binding) {
  return binding.kind == Binding::Kind::sampler ||
         binding.kind == Binding::Kind::combined_image_sampler;
}

/// Extents of an image of the binding's type that an invocation of the grid can stand for a texel of.
std::string extents_for(const Binding& binding, const Size3& invocations) {
  const std::string_view type = binding.type;
  const auto has = [&](std::string_view part) { return type.find(part) != std::string_view::npos; };
  const auto clamped = [](std::uint32_t extent, std::uint32_t most) {
    return std::clamp(extent, std::uint32_t{16}, most);
  };
  const std::uint32_t x = clamped(invocations.x, 256), y = clamped(invocations.y, 256);
  if (has("Buffer")) return std::to_string(std::clamp(invocations.x, 16u, 65536u));
  if (has("Cube")) return fmt::format("{0}x{0}x{1}", std::max(x, y), has("Array") ? 12 : 6);
  if (has("3D")) return fmt::format("{}x{}x{}", x, y, clamped(invocations.z, 32));
  if (has("1DArray")) return fmt::format("{}x4", x);
  if (has("1D")) return std::to_string(x);
  if (has("MSArray")) return fmt::format("{}x{}x8,samples=4", x, y);
  if (has("MS")) return fmt::format("{}x{},samples=4", x, y);
  if (has("Array")) return fmt::format("{}x{}x4", x, y);
  return fmt::format("{}x{}", x, y);
}

/// Zeros if the shader writes to the image, else random numbers.
std::string texels_for(const Binding& binding, const Size3& invocations) {
  const std::string_view type = binding.type;
  const std::string format = !binding.format.empty()                             ? binding.format
                             : type.starts_with("u")                             ? "rgba32ui"
                             : type.starts_with("i") && !type.starts_with("ima") ? "rgba32i"
                                                                                 : "rgba8";
  const std::string shape = format + ":" + extents_for(binding, invocations);
  if (binding.writable) return shape + ":zeros";
  const npy::Array zeros = lockstep::io::make_image(shape + ":zeros").array;
  return fmt::format("{}:random:{}:{}:1", shape, lockstep::io::name_of(zeros.dtype),
                     zeros.bytes.size() / lockstep::io::bytes_of(zeros.dtype));
}

std::string text_of(const lockstep::io::Slot& slot) { return lockstep::io::to_string(slot); }

/// The bindings that options are for.
std::vector<lockstep::io::Slot> slots_of(const std::vector<std::string>& texts, const char* option,
                                         const Reflection& shader) {
  std::vector<lockstep::io::Slot> slots;
  for (const std::string& text : texts)
    slots.push_back(
        shader_case::resolved(lockstep::io::parse_slot_argument(option, text).slot, shader));
  return slots;
}

/// Removes options for bindings that are not of the kind.
template <class IsKind>
void drop_others(std::vector<std::string>& texts, const char* option, const Reflection& shader,
                 IsKind is_kind) {
  std::erase_if(texts, [&](const std::string& text) {
    const lockstep::io::Slot slot =
        shader_case::resolved(lockstep::io::parse_slot_argument(option, text).slot, shader);
    return std::ranges::none_of(shader.bindings, [&](const Binding& binding) {
      return slot.memory.empty() && slot.set == binding.set && slot.binding == binding.binding &&
             is_kind(binding);
    });
  });
}

}  // namespace

void drop_foreign_constants(const Module& module, RunOptions& options) {
  const auto declared = constants_of(module);
  std::erase_if(options.specs, [&](const std::string& text) {
    return std::ranges::none_of(declared, [&](const DeclaredConstant& constant) {
      return text.starts_with(fmt::format("{}=", constant.id));
    });
  });
}

void drop_foreign_inputs(const Reflection& shader, RunOptions& options) {
  if (!shader.push_constants) options.push.clear();
  drop_others(options.buffers, "--buffer", shader,
              [](const Binding& binding) { return !is_image(binding) && !takes_sampler(binding); });
  drop_others(options.images, "--image", shader, is_image);
  drop_others(options.samplers, "--sampler", shader, takes_sampler);
}

std::vector<std::string> default_buffers(const Reflection& shader, const RunOptions& options,
                                         std::uint64_t invocations) {
  std::vector<lockstep::io::Slot> given;
  for (const std::string& text : options.buffers) {
    const auto argument = lockstep::io::parse_slot_argument("--buffer", text);
    if (argument.member.empty()) given.push_back(shader_case::resolved(argument.slot, shader));
  }
  std::vector<std::string> specs;
  for (const Binding& binding : shader.bindings) {
    const bool is_buffer = binding.kind == Binding::Kind::storage_buffer ||
                           binding.kind == Binding::Kind::uniform_buffer;
    const bool is_given = std::ranges::any_of(given, [&](const lockstep::io::Slot& slot) {
      return slot.memory.empty() && slot.set == binding.set && slot.binding == binding.binding;
    });
    if (!is_buffer || is_given || binding.elements != 1) continue;
    given.push_back({.set = binding.set, .binding = binding.binding});
    specs.push_back(fmt::format("{}{}={}", binding.set == 0 ? "" : fmt::format("{}:", binding.set),
                                binding.binding, contents(binding, invocations)));
  }
  return specs;
}

void add_default_images(const Reflection& shader, RunOptions& options, const Size3& invocations) {
  auto images = slots_of(options.images, "--image", shader);
  auto samplers = slots_of(options.samplers, "--sampler", shader);
  for (const Binding& binding : shader.bindings) {
    const lockstep::io::Slot slot{.set = binding.set, .binding = binding.binding};
    const auto is_new = [&](std::vector<lockstep::io::Slot>& given) {
      if (std::ranges::find(given, slot) != given.end()) return false;
      given.push_back(slot);
      return true;
    };
    const std::string times = binding.elements == 1 ? "" : binding.elements == 0 ? "*1" : "*";
    if (is_image(binding) && is_new(images))
      options.images.push_back(
          fmt::format("{}={}{}", text_of(slot), texels_for(binding, invocations), times));
    if (takes_sampler(binding) && is_new(samplers))
      options.samplers.push_back(fmt::format("{}=linear,repeat{}", text_of(slot), times));
  }
}

}  // namespace lockstep::playground
