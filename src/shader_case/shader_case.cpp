#include "shader_case/shader_case.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <lockstep/exec/error.hpp>

#include "io/addresses.hpp"
#include "io/arguments.hpp"
#include "io/buffer_spec.hpp"
#include "io/columns.hpp"
#include "io/error.hpp"
#include "io/layouts.hpp"
#include "io/npy.hpp"
#include "io/spec_constants.hpp"
#include "io/types.hpp"
#include "shader_case/usage_error.hpp"

namespace lockstep::shader_case {
namespace {

/// Throws UsageError for a float where the block has an integer, or the like. A zero is a zero in every type.
void check_types(const lockstep::io::Values& values, const LayoutType& block) {
  const auto is_zero = [](std::byte byte) { return byte == std::byte{0}; };
  for (const auto& number : values.numbers) {
    const auto bytes =
        std::span(values.bytes).subspan(number.at, lockstep::io::bytes_of(number.type));
    if (std::ranges::all_of(bytes, is_zero)) continue;
    for (const lockstep::io::Column& column : lockstep::io::columns_of(block, block.size)) {
      for (std::uint64_t k = 0; k < column.size(); ++k) {
        if (column.place(k) == number.at && !lockstep::io::are_alike(column.type, number.type))
          throw UsageError(fmt::format(
              "--push: {} is for {}, which is {}; write {}:VALUE, or give --bits to copy its bytes",
              number.text, column.path(k), lockstep::io::name_of(column.type),
              lockstep::io::name_of(column.type)));
      }
    }
  }
}

/// The values that --push lists.
lockstep::io::Values listed(const RunOptions& options, const LayoutType& block) {
  auto values = lockstep::io::parse_values(options.push);
  if (values.bytes.size() > block.size)
    throw UsageError(fmt::format("--push: has {} bytes, but the push constants have {}: {}",
                                 values.bytes.size(), block.size, lockstep::io::members_of(block)));
  if (!options.bits) check_types(values, block);
  return values;
}

/// The path of a member in its block, which may be named as in the source: pc.count.
std::string_view path_in_block(std::string_view path, const Reflection& reflection) {
  const std::string& variable = reflection.push_constants_name;
  const bool is_member =
      std::ranges::find(reflection.push_constants->members, variable, &LayoutMember::name) !=
      reflection.push_constants->members.end();
  if (variable.empty() || is_member || !path.starts_with(variable + ".")) return path;
  return path.substr(variable.size() + 1);
}

/// Where the member is in its block. Throws InputError if it is not an address.
std::size_t address_at(const LayoutType& block, std::string_view path) {
  constexpr std::size_t most = 32;  // push constants have room for
  const auto all = lockstep::io::addresses_of(block, most, true);
  const auto found = std::ranges::find(all, path, &lockstep::io::AddressMember::path);
  if (found != all.end()) return static_cast<std::size_t>(found->offset);
  throw lockstep::io::InputError(fmt::format("'{}' is not an address; the push constants are {}",
                                             path, lockstep::io::members_of(block)));
}

/// Zeros but for the members that --push names.
lockstep::io::Values members(std::string_view text, const Reflection& reflection) {
  const LayoutType& block = *reflection.push_constants;
  lockstep::io::Values values;
  values.bytes.resize(block.size);
  const auto columns = lockstep::io::columns_of(block, block.size);
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(part.size() + 1, text.size()));
    if (part.empty()) continue;
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos)
      throw lockstep::io::InputError(fmt::format("'{}': write MEMBER=VALUE", part));
    const std::string_view path = path_in_block(part.substr(0, equals), reflection);
    const std::string_view value = part.substr(equals + 1);
    constexpr std::string_view address = "addr:";
    if (value.starts_with(address))
      values.addresses.push_back(
          {address_at(block, path), lockstep::io::parse_target(value.substr(address.size()))});
    else
      lockstep::io::set_member(columns, path, value, values.bytes);
  }
  return values;
}

lockstep::io::Values push_values(const RunOptions& options, const Reflection& reflection) {
  const std::optional<LayoutType>& block = reflection.push_constants;
  if (!options.push.empty() && !block)
    throw UsageError("--push: the shader has no push constants; remove it");
  if (options.push.empty() && block)
    throw UsageError(
        fmt::format("the shader has push constants; give --push SPEC; they are {} ({} bytes)",
                    lockstep::io::members_of(*block), block->size));
  if (options.push.empty()) return {};
  try {
    if (lockstep::io::is_values(options.push)) return listed(options, *block);
    if (names_members(options.push)) return members(options.push, reflection);
    return {make_array(lockstep::io::parse_buffer_spec(options.push)).bytes, {}, {}};
  } catch (const lockstep::io::InputError& error) {
    throw UsageError(fmt::format("--push: {}", error.what()));
  }
}

/// The number of the buffer that holds the byte; throws UsageError if there is none, or fewer bytes.
std::size_t buffer_of(const ShaderCase& shader, const lockstep::io::BufferByte& byte,
                      std::uint64_t bytes, const std::string& option) {
  const lockstep::io::Slot slot = resolved(byte.slot, shader.reflection);
  const auto found = std::ranges::find_if(shader.buffers, [&](const BoundBuffer& buffer) {
    return buffer.slot == slot && buffer.element == byte.element;
  });
  if (found == shader.buffers.end())
    throw UsageError(fmt::format("{}: {} has no contents; give --buffer {}=SPEC", option,
                                 to_string(slot), to_string(slot)));
  const std::size_t size = found->array.bytes.size();
  if (byte.offset > size || size - byte.offset < bytes)
    throw UsageError(fmt::format("{}: byte {} is outside {}, which has {}", option, byte.offset,
                                 found->title(), size));
  return static_cast<std::size_t>(found - shader.buffers.begin());
}

/// What --buffer may name: "0 (source), 1 (result)".
std::string names_of(const Reflection& shader) {
  std::string names;
  for (const Reflection::Binding& binding : shader.bindings) {
    names += fmt::format("{}{} ({})", names.empty() ? "" : ", ",
                         to_string(lockstep::io::Slot{binding.set, binding.binding}), binding.name);
  }
  return names.empty() ? "none" : names;
}

void place_addresses(ShaderCase& shader, const RunOptions& options,
                     const lockstep::io::Values& push) {
  for (const auto& place : push.addresses)
    shader.addresses.push_back(
        {std::nullopt, place.at, buffer_of(shader, place.of, 0, "--push"), place.of.offset});
  for (const std::string& text : options.addresses) {
    const auto [at, of] = lockstep::io::parse_address(text);
    const std::string option = "--address " + text;
    shader.addresses.push_back({buffer_of(shader, at, sizeof(std::uint64_t), option), at.offset,
                                buffer_of(shader, of, 0, option), of.offset});
  }
  for (std::size_t k = 0; k < shader.buffers.size(); ++k) {
    const lockstep::io::Slot& slot = shader.buffers[k].slot;
    if (slot.memory.empty() ||
        std::ranges::find(shader.addresses, k, &AddressPlace::target) != shader.addresses.end())
      continue;
    throw UsageError(fmt::format(
        "--buffer {}: the shader has no buffer of that name, and no --address or addr: refers to "
        "memory {}; it has {}",
        to_string(slot), to_string(slot), names_of(shader.reflection)));
  }
}

}  // namespace

bool names_members(std::string_view push) {
  const std::size_t equals = push.find('=');
  return equals != std::string_view::npos &&
         push.substr(0, equals).find_first_of(": ") == std::string_view::npos;
}

ShaderCase make_case(Module module, const RunOptions& options, int subgroup_size) {
  const bool by_groups = options.invocations.empty();
  const Size3 wanted = by_groups ? lockstep::io::parse_groups(options.groups)
                                 : lockstep::io::parse_invocations(options.invocations);
  ShaderCase shader{std::move(module), {}, {}, wanted, {}, {}, {}, {}, options.lanes};
  shader.pipeline_options.entry = options.entry.value_or("main");
  shader.pipeline_options.subgroup_size = subgroup_size;
  shader.pipeline_options.robust = options.robust;
  shader.pipeline_options.specialization =
      options.constants.empty()
          ? lockstep::io::specialization(options.specs, constants_of(shader.module))
          : options.constants;
  shader.reflection = with_usage_errors([&] {
    return reflect(shader.module, shader.pipeline_options.entry,
                   shader.pipeline_options.specialization);
  });
  shader.pipeline_options.entry = shader.reflection.entry;
  if (!by_groups) shader.groups = lockstep::io::groups_for(wanted, shader.reflection.local_size);
  shader.buffers = make_buffers(shader.reflection, options);
  shader.samplers = make_samplers(shader.reflection, options);
  const auto push = push_values(options, shader.reflection);
  shader.push = push.bytes;
  place_addresses(shader, options, push);
  return shader;
}

Dispatch dispatch_of(const ShaderCase& shader, const RunOptions& options) {
  Dispatch dispatch;
  dispatch.workgroups = shader.groups;
  // Elements of arrays may be unbound.
  dispatch.partially_bound = std::ranges::any_of(
      shader.reflection.bindings, [](const auto& binding) { return binding.elements != 1; });
  dispatch.threads = options.threads;
  dispatch.max_steps = options.max_steps;
  dispatch.lenient = lenient_of(options);
  dispatch.checks = checks_of(options);
  dispatch.mapping = mapping_of(options);
  dispatch.lanes = shader.lanes;
  dispatch.order = order_of(options);
  return dispatch;
}

std::span<std::byte> texels_of(BoundBuffer& buffer, std::vector<BoundBuffer>& all) {
  if (!buffer.level) return buffer.array.bytes;
  BoundBuffer& whole = all[buffer.level->of];
  const std::uint64_t before = whole.image->levels.before(buffer.level->level);
  return std::span(whole.array.bytes)
      .subspan(before * texel_bytes(whole.image->format), buffer.array.bytes.size());
}

ShaderRun run(const ShaderCase& shader, const Pipeline& pipeline, std::vector<BoundBuffer>& buffers,
              Dispatch dispatch) {
  DescriptorTable table;
  AddressSpace space;
  std::vector<std::uint64_t> starts;
  for (BoundBuffer& buffer : buffers) {
    const std::span<std::byte> bytes = texels_of(buffer, buffers);
    starts.push_back(buffer.level ? 0 : space.add(bytes));
    if (!buffer.slot.memory.empty()) continue;
    DescriptorSet& set = table.set(buffer.slot.set);
    if (buffer.image)
      set.write(buffer.slot.binding, buffer.element,
                {.kind = Descriptor::Kind::texels,
                 .bytes = bytes,
                 .format = buffer.image->format,
                 .extent = buffer.image->size(),
                 .levels = buffer.image->levels.count,
                 .samples = buffer.image->samples});
    else
      set.bind_bytes(buffer.slot.binding, bytes, buffer.element);
  }
  for (const BoundSampler& sampler : shader.samplers)
    table.set(sampler.slot.set)
        .bind_sampler(sampler.slot.binding, sampler.sampler, sampler.element);
  std::vector<std::byte> push = shader.push;
  for (const AddressPlace& place : shader.addresses) {
    const std::uint64_t address = starts[place.target] + place.offset;
    auto& bytes = place.buffer ? buffers[*place.buffer].array.bytes : push;
    std::memcpy(bytes.data() + place.at, &address, sizeof address);
  }
  dispatch.push_constants = push;
  dispatch.addresses = &space;
  ShaderRun done = pipeline.dispatch(table, dispatch);
  for (BoundBuffer& buffer : buffers) {
    if (buffer.level) std::ranges::copy(texels_of(buffer, buffers), buffer.array.bytes.begin());
  }
  return done;
}

void save(const std::vector<BoundBuffer>& buffers) {
  for (const BoundBuffer& buffer : buffers) {
    if (buffer.save.empty()) continue;
    if (buffer.image && lockstep::io::is_png(buffer.save))
      lockstep::io::write_png(buffer.save, *buffer.image, buffer.array);
    else
      npy::write(buffer.save, saved(buffer));
  }
}

Pipeline make_pipeline(ShaderCase& shader, const Profile& profile, const Dispatch& dispatch) {
  return with_usage_errors([&] {
    Pipeline pipeline(shader.module, shader.pipeline_options);
    pipeline.check(profile, shader.groups);
    Dispatch nothing = dispatch;
    nothing.workgroups = {0, 0, 0};
    run(shader, pipeline, shader.buffers, nothing);
    return pipeline;
  });
}

}  // namespace lockstep::shader_case
