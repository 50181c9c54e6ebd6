#include "cli/serve_inputs.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "cli/run_buffers.hpp"
#include "run/arguments.hpp"

namespace lockstep::cli {
namespace {

using Binding = Reflection::Binding;

std::string_view generator_type(NumberType type) {
  switch (type) {
    case NumberType::int8:
      return "i8";
    case NumberType::int16:
      return "i16";
    case NumberType::int32:
      return "i32";
    case NumberType::int64:
      return "i64";
    case NumberType::uint8:
      return "u8";
    case NumberType::uint16:
      return "u16";
    case NumberType::uint64:
      return "u64";
    case NumberType::float16:
      return "f16";
    case NumberType::float32:
      return "f32";
    case NumberType::float64:
      return "f64";
    default:
      return "u32";
  }
}

/// The block's bytes when its last array, if it has no size, has so many elements.
std::uint64_t bytes_of_block(const LayoutType& block, std::uint64_t elements) {
  std::uint64_t bytes = block.size;
  if (block.members.empty()) return bytes;
  const LayoutMember& last = block.members.back();
  if (last.type.kind == LayoutType::Kind::array && last.type.count == 0)
    bytes = std::max(bytes, last.offset + elements * last.type.stride);
  return bytes;
}

std::string contents(const Binding& binding, std::uint64_t invocations) {
  const std::vector<NumberType> numbers = numbers_of(binding.block);
  const std::uint64_t bytes =
      std::max<std::uint64_t>(bytes_of_block(binding.block, invocations), 4);
  if (numbers.size() != 1) return fmt::format("zeros:u8:{}", bytes);
  const std::uint64_t count = std::max<std::uint64_t>(bytes / size_of(numbers[0]), 1);
  return fmt::format("{}:{}:{}", binding.writable ? "zeros" : "iota", generator_type(numbers[0]),
                     count);
}

}  // namespace

void drop_foreign_inputs(const Reflection& shader, RunOptions& options) {
  if (!shader.push_constants) options.push.clear();
  std::erase_if(options.buffers, [&](const std::string& text) {
    const lockstep::run::Slot slot =
        resolved(lockstep::run::parse_slot_argument("--buffer", text).slot, shader);
    return std::ranges::none_of(shader.bindings, [&](const Binding& binding) {
      return slot.memory.empty() && slot.set == binding.set && slot.binding == binding.binding;
    });
  });
}

std::vector<std::string> default_buffers(const Reflection& shader, const RunOptions& options,
                                         std::uint64_t invocations) {
  std::vector<lockstep::run::Slot> given;
  for (const std::string& text : options.buffers) {
    given.push_back(resolved(lockstep::run::parse_slot_argument("--buffer", text).slot, shader));
  }
  std::vector<std::string> specs;
  for (const Binding& binding : shader.bindings) {
    const bool is_buffer = binding.kind == Binding::Kind::storage_buffer ||
                           binding.kind == Binding::Kind::uniform_buffer;
    const bool is_given = std::ranges::any_of(given, [&](const lockstep::run::Slot& slot) {
      return slot.memory.empty() && slot.set == binding.set && slot.binding == binding.binding;
    });
    if (!is_buffer || is_given || binding.elements != 1) continue;
    given.push_back({.set = binding.set, .binding = binding.binding});
    specs.push_back(fmt::format("{}{}={}", binding.set == 0 ? "" : fmt::format("{}:", binding.set),
                                binding.binding, contents(binding, invocations)));
  }
  return specs;
}

}  // namespace lockstep::cli
