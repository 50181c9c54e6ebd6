#include "shader_case/buffers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "io/buffer_spec.hpp"
#include "io/error.hpp"
#include "io/files.hpp"
#include "io/layouts.hpp"
#include "io/numbers.hpp"
#include "io/spec_constants.hpp"
#include "io/types.hpp"
#include "shader/front/compile.hpp"
#include "shader_case/usage_error.hpp"

namespace lockstep::shader_case {
namespace {

using lockstep::io::Slot;

/// What the shader declares at a binding, in one declaration or several.
struct Declared {
  Slot slot;
  std::string name;
  std::string members;         ///< of the first declaration
  std::uint32_t elements = 1;  ///< 0: an array without a size
  bool writable = false;
  std::vector<NumberType> numbers;  ///< of all declarations
  LayoutType block;                 ///< of a buffer; without members if declarations differ
  bool image = false;
  bool sampler = false;                 ///< or an image with one
  std::string hlsl_register = {};       ///< "t3"; empty if it has none
  bool used = true;                     ///< by code: then it must be given
  std::vector<std::string> names = {};  ///< of all declarations

  void add(const Reflection::Binding& other) {
    names.push_back(other.name);
    if (other.writable && !writable) name = other.name;
    writable = writable || other.writable;
    used = used || other.used;
    elements = std::max(elements, other.elements);
    for (const NumberType number : numbers_of(other.block)) {
      if (std::ranges::find(numbers, number) == numbers.end()) numbers.push_back(number);
    }
    if (lockstep::io::lines_of(block) != lockstep::io::lines_of(other.block)) block = {};
  }
};

Declared declared(const Reflection::Binding& binding) {
  using Kind = Reflection::Binding::Kind;
  Declared made{{binding.set, binding.binding},
                binding.name,
                "",
                binding.elements,
                binding.writable,
                {},
                {},
                false,
                false,
                binding.hlsl_register,
                binding.used,
                {binding.name}};
  if (binding.kind == Kind::uniform_buffer || binding.kind == Kind::storage_buffer) {
    made.members = lockstep::io::members_of(binding.block);
    made.numbers = numbers_of(binding.block);
    made.block = binding.block;
    return made;
  }
  made.members = binding.type + (binding.format.empty() ? "" : ", " + binding.format);
  made.image = binding.kind != Kind::sampler;
  made.sampler = binding.kind == Kind::sampler || binding.kind == Kind::combined_image_sampler;
  return made;
}

/// Everything that the shader declares at bindings.
std::vector<Declared> all_declared(const Reflection& shader) {
  std::vector<Declared> all;
  for (const auto& binding : shader.bindings) {
    const Declared one = declared(binding);
    const auto same = std::ranges::find_if(all, [&](const Declared& other) {
      return other.slot == one.slot && other.image == one.image && other.sampler == one.sampler;
    });
    if (same != all.end())
      same->add(binding);
    else
      all.push_back(one);
  }
  return all;
}

template <class F>
std::vector<Declared> only(const std::vector<Declared>& all, F&& f) {
  std::vector<Declared> some;
  std::ranges::copy_if(all, std::back_inserter(some), f);
  return some;
}

/// An option's arguments: by slot, then by element.
using Arguments = std::map<Slot, std::map<std::uint32_t, std::string>>;

/// The binding that a name in the shader, or a register of HLSL, means.
Slot resolved(Slot slot, const std::vector<Declared>& buffers) {
  if (slot.memory.empty()) return slot;
  auto found = std::ranges::find_if(buffers, [&](const Declared& d) {
    return std::ranges::find(d.names, slot.memory) != d.names.end();
  });
  if (found == buffers.end())
    found = std::ranges::find_if(buffers, [&](const Declared& d) {
      return d.slot.set == slot.set && d.hlsl_register == slot.memory;
    });
  return found == buffers.end() ? slot : found->slot;
}

std::string text_of(const Slot& slot, std::uint32_t element) {
  return element == 0 ? to_string(slot) : fmt::format("{}[{}]", to_string(slot), element);
}

/// How often an argument counts: SPEC* is for all further elements of an array, SPEC*N for N. Removes it from the text.
std::uint32_t take_times(const char* option, std::string& text, const Slot& slot,
                         std::uint32_t element, const std::vector<Declared>& buffers) {
  const std::size_t star = text.rfind('*');
  if (star == std::string::npos) return 1;
  const std::string whole = text, times = text.substr(star + 1);
  text.erase(star);
  const auto found = std::ranges::find(buffers, slot, &Declared::slot);
  const std::uint32_t elements = found == buffers.end() ? 1 : found->elements;
  if (times.empty() && elements == 0)
    throw UsageError(fmt::format("{} {}={}: the shader's array has no size; write {}*N", option,
                                 to_string(slot), whole, text));
  if (times.empty()) return elements - std::min(element, elements - 1);
  constexpr std::uint64_t most = 4096;
  const auto count = lockstep::io::parse_unsigned(times).value_or(0);
  if (count == 0 || count > most)
    throw UsageError(fmt::format("{} {}={}: '{}' is not a number of elements from 1 to {}", option,
                                 to_string(slot), whole, times, most));
  return static_cast<std::uint32_t>(count);
}

/// Options for one slot without an element are for consecutive ones.
Arguments arguments_of(const char* option, const std::vector<std::string>& texts,
                       const std::vector<Declared>& buffers) {
  Arguments result;
  for (const std::string& text : texts) {
    auto argument = lockstep::io::parse_slot_argument(option, text);
    if (!argument.member.empty()) continue;
    const Slot slot = resolved(argument.slot, buffers);
    auto& elements = result[slot];
    std::uint32_t element = elements.empty() ? 0 : elements.rbegin()->first + 1;
    if (argument.element) element = *argument.element;
    const std::string_view name = option;
    const bool repeats = name == "--buffer" || name == "--image" || name == "--sampler";
    for (std::uint32_t times = repeats ? take_times(option, argument.rest, slot, element, buffers)
                                       : 1;
         times > 0; --times, ++element) {
      if (!elements.emplace(element, argument.rest).second)
        throw UsageError(
            fmt::format("{} {} is given twice; remove one", option, text_of(slot, element)));
    }
  }
  return result;
}

/// Throws UsageError for a binding that the shader uses and nothing was given for; the message has its slot, name and members.
void check_all_given(const std::vector<Declared>& declared, const Arguments& given,
                     std::string_view message) {
  for (const Declared& one : declared) {
    if (one.used && !given.contains(one.slot))
      throw UsageError(
          fmt::format(fmt::runtime(message), to_string(one.slot), one.name, one.members));
  }
}

/// Throws UsageError for an option whose buffer the shader lacks, and for an element beyond its array.
void check_slots(const Arguments& given, const char* option, std::string_view kind,
                 const std::vector<Declared>& buffers) {
  std::string known;
  for (const Declared& b : buffers)
    known += fmt::format("{}{} ({})", known.empty() ? "" : ", ", to_string(b.slot), b.name);
  for (const auto& [slot, elements] : given) {
    if (!slot.memory.empty()) continue;
    const auto found = std::ranges::find(buffers, slot, &Declared::slot);
    if (found == buffers.end())
      throw UsageError(fmt::format("{} {}: the shader has no such {}; it has {}", option,
                                   to_string(slot), kind, known.empty() ? "none" : known));
    if (found->elements != 0 && elements.rbegin()->first >= found->elements)
      throw UsageError(fmt::format("{} {} is given {} times, but the shader accepts at most {}",
                                   option, to_string(slot), elements.rbegin()->first + 1,
                                   found->elements));
  }
}

/// Throws UsageError for results of a buffer that nothing is bound to.
void check_bound(const Arguments& results, const char* option,
                 const std::vector<BoundBuffer>& bound) {
  for (const auto& [at, elements] : results) {
    for (const auto& [number, file] : elements) {
      const auto is_it = [&slot = at, element = number](const BoundBuffer& buffer) {
        return buffer.slot == slot && buffer.element == element;
      };
      if (std::ranges::none_of(bound, is_it))
        throw UsageError(fmt::format("{} {}: it has no contents; give --buffer {}=SPEC", option,
                                     text_of(at, number), text_of(at, number)));
    }
  }
}

/// Throws UsageError if two --save write one file.
void check_files(const std::vector<BoundBuffer>& buffers) {
  std::map<std::filesystem::path, std::string> titles;
  for (const BoundBuffer& buffer : buffers) {
    if (buffer.save.empty()) continue;
    npy::check_writable(buffer.save);
    if (lockstep::io::is_png(buffer.save) && !buffer.image)
      throw UsageError(fmt::format("--save {}: {} is not an image; write a .npy file", buffer.save,
                                   buffer.title()));
    const auto [other, is_new] =
        titles.emplace(lockstep::io::written_file(buffer.save), buffer.title());
    if (!is_new)
      throw UsageError(fmt::format("--save: {} and {} would both be written to {}; name two files",
                                   other->second, buffer.title(), buffer.save));
  }
}

/// Throws UsageError for a generator whose numbers are like none in the buffer. Zeros are zeros in every type, and bytes may
/// be a structure's.
void check_generated(const std::string& text, const npy::Array& array, const Declared& buffer) {
  const auto is_zero = [](std::byte byte) { return byte == std::byte{0}; };
  const bool alike = std::ranges::any_of(buffer.numbers, [&](NumberType number) {
    return lockstep::io::are_alike(lockstep::io::dtype_of(number), array.dtype);
  });
  const bool bytes = buffer.numbers.size() > 1 && array.dtype == npy::Dtype::uint8;
  if (alike || bytes || std::ranges::all_of(array.bytes, is_zero)) return;
  throw UsageError(
      fmt::format("--buffer {}={}: generates {}, but buffer {} ({}) holds {}; name its type, or "
                  "give --bits to copy the bytes",
                  to_string(buffer.slot), text, lockstep::io::name_of(array.dtype),
                  to_string(buffer.slot), buffer.name, buffer.members));
}

/// Throws UsageError for contents whose numbers are not of a type in the buffer.
void check_type(const lockstep::io::BufferSpec& spec, const std::string& text,
                const npy::Array& array, const Declared& buffer) {
  using Kind = lockstep::io::BufferSpec::Kind;
  if (spec.kind == Kind::bytes_file || buffer.numbers.empty()) return;
  if (spec.kind != Kind::npy_file) return check_generated(text, array, buffer);
  if (!array.record.empty()) {
    const auto record = lockstep::io::record_type_of(buffer.block, array.bytes.size());
    if (record && record->descr == array.record) return;
    throw UsageError(
        fmt::format("{}: holds records of {}, but buffer {} ({}) holds {}; save it as {}, or give "
                    "--bits to copy its bytes",
                    spec.path, array.record, to_string(buffer.slot), buffer.name, buffer.members,
                    record ? record->descr : "one array of numbers"));
  }
  std::set<npy::Dtype> types;
  for (const NumberType number : buffer.numbers) types.insert(lockstep::io::dtype_of(number));
  // Bytes of structures have no type of their own.
  if (types.size() > 1) types.insert(npy::Dtype::uint8);
  if (types.contains(array.dtype)) return;
  std::string known;
  for (const npy::Dtype type : types)
    known += fmt::format("{}{}", known.empty() ? "" : " or ", lockstep::io::name_of(type));
  throw UsageError(fmt::format(
      "{}: holds {}, but buffer {} ({}) holds {}; save it as {}, or give --bits to copy its bytes",
      spec.path, lockstep::io::name_of(array.dtype), to_string(buffer.slot), buffer.name,
      buffer.members, known));
}

npy::Array array_of(const std::string& text, const Slot& slot, const Declared* declared) {
  try {
    const auto spec = lockstep::io::parse_buffer_spec(text);
    npy::Array array = make_array(spec);
    if (declared != nullptr) check_type(spec, text, array, *declared);
    return array;
  } catch (const lockstep::io::InputError& error) {
    throw UsageError(fmt::format("--buffer {}={}", to_string(slot), error.what()));
  }
}

/// What the block's layout says about the buffer's numbers.
void take_layout(BoundBuffer& buffer, const Declared& declared) {
  npy::Array& array = buffer.array;
  buffer.any_type = array.dtype == npy::Dtype::uint8;
  array.record.clear();
  if (declared.numbers.size() == 1) {
    const npy::Dtype type = lockstep::io::dtype_of(declared.numbers[0]);
    const std::size_t size = lockstep::io::bytes_of(type);
    if (array.dtype == type || array.bytes.size() % size != 0) return;
    array.dtype = type;
    array.shape = {array.bytes.size() / size};
  } else if (!declared.block.members.empty()) {
    buffer.columns = lockstep::io::columns_of(declared.block, array.bytes.size());
    if (auto record = lockstep::io::record_type_of(declared.block, array.bytes.size()))
      buffer.record = std::move(*record);
  }
}

/// The extents that levels halve in images of the shader's type: "image1DArray, rgba8".
std::uint32_t axes_of(std::string_view type) {
  const auto has = [&](std::string_view part) { return type.find(part) != std::string_view::npos; };
  return has("3D") ? 3 : has("1D") || has("Buffer") ? 1 : 2;
}

/// Calls f and names the option in what it throws.
template <class F>
auto for_image(const std::string& text, const Slot& slot, F&& f) {
  try {
    return f();
  } catch (const lockstep::io::InputError& error) {
    const std::string what = error.what();
    throw UsageError(what.find(text) != std::string::npos
                         ? fmt::format("--image {}={}", to_string(slot), what)
                         : fmt::format("--image {}={}: {}", to_string(slot), text, what));
  }
}

/// Makes an image that is a level of another one.
void take_level(BoundBuffer& buffer, const std::string& text, const std::vector<Declared>& all,
                const std::vector<BoundBuffer>& bound) {
  for_image(text, buffer.slot, [&] {
    const auto wanted = lockstep::io::parse_level(text);
    const Slot slot = resolved(wanted->image.slot, all);
    const std::uint32_t element = wanted->image.element.value_or(0);
    const auto found = std::ranges::find_if(bound, [&](const BoundBuffer& other) {
      return other.image && !other.level && other.slot == slot && other.element == element;
    });
    if (found == bound.end())
      throw lockstep::io::InputError(
          fmt::format("there is no image {} with texels of its own", text_of(slot, element)));
    lockstep::io::NewImage made =
        lockstep::io::level_of({*found->image, found->array}, wanted->level);
    buffer.array = std::move(made.array);
    buffer.image = made.shape;
    buffer.level = {static_cast<std::size_t>(found - bound.begin()), wanted->level};
  });
}

/// Sets the members that options --buffer BINDING.MEMBER=VALUE name.
void set_members(const std::vector<std::string>& texts, const std::vector<Declared>& all,
                 std::vector<BoundBuffer>& bound) {
  for (const std::string& text : texts) {
    const auto argument = lockstep::io::parse_slot_argument("--buffer", text);
    if (argument.member.empty()) continue;
    const Slot slot = resolved(argument.slot, all);
    const auto buffer = std::ranges::find_if(bound, [&](const BoundBuffer& b) {
      return b.slot == slot && b.element == argument.element.value_or(0);
    });
    const auto declared = std::ranges::find(all, slot, &Declared::slot);
    if (buffer == bound.end() || declared == all.end() || declared->block.members.empty())
      throw UsageError(fmt::format(
          "--buffer {}: there is no block with contents; give --buffer BINDING=SPEC as well",
          text));
    try {
      auto& bytes = buffer->array.bytes;
      lockstep::io::set_member(lockstep::io::columns_of(declared->block, bytes.size()),
                               argument.member, argument.rest, bytes);
    } catch (const lockstep::io::InputError& error) {
      throw UsageError(fmt::format("--buffer {}: {}", text, error.what()));
    }
  }
}

/// The block of plain uniforms; null if the shader has none.
const Declared* plain_uniforms(const std::vector<Declared>& buffers) {
  const auto found = std::ranges::find(buffers, spirv::default_uniform_block, &Declared::name);
  return found == buffers.end() ? nullptr : &*found;
}

/// Plain uniforms are zero unless they are given.
void add_plain_uniforms(const std::vector<Declared>& buffers, Arguments& specs) {
  const Declared* const block = plain_uniforms(buffers);
  if (block != nullptr && !specs.contains(block->slot))
    specs[block->slot].emplace(0, fmt::format("zeros:u8:{}", block->block.size));
}

/// Sets what options --uniform NAME=VALUE name.
void set_uniforms(const std::vector<std::string>& texts, const std::vector<Declared>& buffers,
                  std::vector<BoundBuffer>& bound) {
  const Declared* const block = plain_uniforms(buffers);
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (block == nullptr)
      throw UsageError(fmt::format(
          "--uniform {}: the shader has no plain uniforms, which only --target-env opengl has",
          text));
    if (equals == std::string::npos)
      throw UsageError(fmt::format("--uniform {}: write NAME=VALUE", text));
    const auto buffer = std::ranges::find(bound, block->slot, &BoundBuffer::slot);
    try {
      lockstep::io::set_member(lockstep::io::columns_of(block->block, buffer->array.bytes.size()),
                               text.substr(0, equals), text.substr(equals + 1),
                               buffer->array.bytes);
    } catch (const lockstep::io::InputError& error) {
      throw UsageError(fmt::format("--uniform {}: {}", text, error.what()));
    }
  }
}

std::string file_of(const Arguments& files, const Slot& slot, std::uint32_t element) {
  const auto found = files.find(slot);
  if (found == files.end() || !found->second.contains(element)) return {};
  return found->second.at(element);
}

}  // namespace

std::string BoundBuffer::title() const {
  if (!slot.memory.empty()) return "memory " + slot.memory;
  const std::string text = (image ? "image " : "buffer ") + text_of(slot, element);
  return name.empty() ? text : fmt::format("{} ({})", text, name);
}

std::vector<BoundBuffer> make_buffers(const Reflection& shader, const RunOptions& options) {
  const std::vector<Declared> all = all_declared(shader);
  const auto buffers = only(all, [](const Declared& d) { return !d.image && !d.sampler; });
  const auto images = only(all, [](const Declared& d) { return d.image; });
  Arguments specs = arguments_of("--buffer", options.buffers, all);
  add_plain_uniforms(buffers, specs);
  const Arguments texels = arguments_of("--image", options.images, all);
  const Arguments saves = arguments_of("--save", options.saves, all);
  const Arguments against = arguments_of("--against", options.against, all);
  check_slots(specs, "--buffer", "buffer", buffers);
  check_slots(texels, "--image", "image", images);
  check_slots(saves, "--save", "buffer", all);
  check_slots(against, "--against", "buffer", all);
  check_all_given(buffers, specs,
                  "buffer {0} ({1}) has no contents; give --buffer {0}=SPEC; it holds {2}");
  check_all_given(images, texels,
                  "image {0} ({1}) has no texels; give --image {0}=FORMAT:WxH:SPEC; it is {2}");
  std::vector<BoundBuffer> bound;
  const auto add = [&](const Arguments& given, const std::vector<Declared>& declared_ones,
                       auto make) {
    for (const auto& [slot, elements] : given) {
      const auto found = std::ranges::find(declared_ones, slot, &Declared::slot);
      const Declared* binding = found == declared_ones.end() ? nullptr : &*found;
      for (const auto& [element, text] : elements) {
        BoundBuffer buffer{slot,
                           element,
                           binding != nullptr ? binding->name : "",
                           binding == nullptr || binding->writable,
                           {},
                           file_of(saves, slot, element),
                           file_of(against, slot, element)};
        make(buffer, text, binding);
        bound.push_back(std::move(buffer));
      }
    }
  };
  add(specs, buffers, [&](BoundBuffer& buffer, const std::string& text, const Declared* binding) {
    buffer.array = array_of(text, buffer.slot, options.bits ? nullptr : binding);
    if (binding != nullptr) take_layout(buffer, *binding);
  });
  std::map<std::size_t, std::string> levels;  // made when all images with own texels are
  add(texels, images, [&](BoundBuffer& buffer, const std::string& text, const Declared* image) {
    if (text.starts_with("level:")) {
      levels.emplace(bound.size(), text);
      return;
    }
    lockstep::io::NewImage made = for_image(text, buffer.slot, [&] {
      return lockstep::io::make_image(text, axes_of(image != nullptr ? image->members : ""));
    });
    buffer.array = std::move(made.array);
    buffer.image = made.shape;
  });
  for (const auto& [number, text] : levels) take_level(bound[number], text, all, bound);
  set_members(options.buffers, all, bound);
  set_uniforms(options.uniforms, buffers, bound);
  check_bound(saves, "--save", bound);
  check_bound(against, "--against", bound);
  check_files(bound);
  return bound;
}

std::vector<BoundSampler> make_samplers(const Reflection& shader, const RunOptions& options) {
  const std::vector<Declared> all = all_declared(shader);
  const auto samplers = only(all, [](const Declared& d) { return d.sampler; });
  const Arguments given = arguments_of("--sampler", options.samplers, all);
  check_slots(given, "--sampler", "sampler", samplers);
  std::vector<BoundSampler> bound;
  for (const Declared& sampler : samplers) {
    const auto found = given.find(sampler.slot);
    if (found == given.end() && !sampler.used) continue;
    if (found == given.end())
      throw UsageError(fmt::format(
          "sampler {} ({}) is missing; give --sampler {}=linear,repeat or other properties",
          to_string(sampler.slot), sampler.name, to_string(sampler.slot)));
    for (const auto& [element, words] : found->second) {
      try {
        bound.push_back({sampler.slot, element, lockstep::io::parse_sampler(words), words});
      } catch (const lockstep::io::InputError& error) {
        throw UsageError(fmt::format("--sampler {}={}", to_string(sampler.slot), error.what()));
      }
    }
  }
  return bound;
}

Slot resolved(const Slot& slot, const Reflection& shader) {
  return resolved(slot, all_declared(shader));
}

npy::Array saved(const BoundBuffer& buffer) {
  if (!buffer.record) return buffer.array;
  return {npy::Dtype::uint8, buffer.record->shape, buffer.array.bytes, buffer.record->descr};
}

npy::Array read_dump(const BoundBuffer& buffer) {
  // A generator, or a file that may hold records.
  npy::Array dump = buffer.against.ends_with(".npy")
                        ? npy::read(buffer.against, npy::Records::accepted)
                        : lockstep::io::make_array(lockstep::io::parse_buffer_spec(buffer.against));
  const bool raw = buffer.any_type || buffer.array.dtype == npy::Dtype::uint8;
  if (!dump.record.empty() && (!buffer.record || buffer.record->descr != dump.record))
    throw UsageError(fmt::format(
        "{}: holds records of {}, but {} holds {}; save it as that", buffer.against, dump.record,
        buffer.title(),
        buffer.record ? buffer.record->descr : lockstep::io::name_of(buffer.array.dtype)));
  if (dump.record.empty() && dump.dtype != buffer.array.dtype && !raw)
    throw UsageError(fmt::format("{}: holds {}, but {} holds {}; save it as {}", buffer.against,
                                 lockstep::io::name_of(dump.dtype), buffer.title(),
                                 lockstep::io::name_of(buffer.array.dtype),
                                 lockstep::io::name_of(buffer.array.dtype)));
  if (dump.bytes.size() != buffer.array.bytes.size())
    throw UsageError(fmt::format("{}: has {} bytes of values, but {} has {}; dump the whole buffer",
                                 buffer.against, dump.bytes.size(), buffer.title(),
                                 buffer.array.bytes.size()));
  return dump;
}

}  // namespace lockstep::shader_case
