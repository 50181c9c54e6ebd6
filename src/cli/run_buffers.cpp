#include "cli/run_buffers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "run/buffer_spec.hpp"
#include "run/error.hpp"
#include "run/layouts.hpp"
#include "run/numbers.hpp"
#include "run/spec_constants.hpp"
#include "run/types.hpp"

namespace lockstep::cli {
namespace {

using lockstep::run::Slot;

/// What the shader declares at a binding, in one declaration or several.
struct Declared {
  Slot slot;
  std::string name;
  std::string members;         ///< of the first declaration
  std::uint32_t elements = 1;  ///< 0: an array without a size
  bool writable = false;
  std::vector<NumberType> numbers;  ///< of all declarations

  void add(const Reflection::Binding& other) {
    if (other.writable && !writable) name = other.name;
    writable = writable || other.writable;
    elements = std::max(elements, other.elements);
    for (const NumberType number : numbers_of(other.block)) {
      if (std::ranges::find(numbers, number) == numbers.end()) numbers.push_back(number);
    }
  }
};

bool is_buffer(const Reflection::Binding& binding) {
  using Kind = Reflection::Binding::Kind;
  return binding.kind == Kind::uniform_buffer || binding.kind == Kind::storage_buffer;
}

std::vector<Declared> declared_buffers(const Reflection& shader) {
  std::vector<Declared> buffers;
  for (const auto& binding : shader.bindings) {
    if (!is_buffer(binding)) continue;
    const Slot slot{binding.set, binding.binding};
    const auto same = std::ranges::find(buffers, slot, &Declared::slot);
    if (same != buffers.end())
      same->add(binding);
    else
      buffers.push_back({slot, binding.name, lockstep::run::members_of(binding.block),
                         binding.elements, binding.writable, numbers_of(binding.block)});
  }
  return buffers;
}

/// An option's arguments: by slot, then by element.
using Arguments = std::map<Slot, std::map<std::uint32_t, std::string>>;

/// The binding that a name in the shader means.
Slot resolved(Slot slot, const std::vector<Declared>& buffers) {
  const auto named = std::ranges::find(buffers, slot.memory, &Declared::name);
  return slot.memory.empty() || named == buffers.end() ? slot : named->slot;
}

std::string text_of(const Slot& slot, std::uint32_t element) {
  return element == 0 ? to_string(slot) : fmt::format("{}[{}]", to_string(slot), element);
}

/// How often an argument counts: SPEC* is for all further elements of an array, SPEC*N for N. Removes it from the text.
std::uint32_t take_times(std::string& text, const Slot& slot, std::uint32_t element,
                         const std::vector<Declared>& buffers) {
  const std::size_t star = text.rfind('*');
  if (star == std::string::npos) return 1;
  const std::string whole = text, times = text.substr(star + 1);
  text.erase(star);
  const auto found = std::ranges::find(buffers, slot, &Declared::slot);
  const std::uint32_t elements = found == buffers.end() ? 1 : found->elements;
  if (times.empty() && elements == 0)
    throw UsageError(fmt::format("--buffer {}={}: the shader's array has no size; write {}*N",
                                 to_string(slot), whole, text));
  if (times.empty()) return elements - std::min(element, elements - 1);
  constexpr std::uint64_t most = 4096;
  const auto count = lockstep::run::parse_unsigned(times).value_or(0);
  if (count == 0 || count > most)
    throw UsageError(fmt::format("--buffer {}={}: '{}' is not a number of elements from 1 to {}",
                                 to_string(slot), whole, times, most));
  return static_cast<std::uint32_t>(count);
}

/// Options for one slot without an element are for consecutive ones.
Arguments arguments_of(const char* option, const std::vector<std::string>& texts,
                       const std::vector<Declared>& buffers) {
  Arguments result;
  for (const std::string& text : texts) {
    auto argument = lockstep::run::parse_slot_argument(option, text);
    const Slot slot = resolved(argument.slot, buffers);
    auto& elements = result[slot];
    std::uint32_t element = elements.empty() ? 0 : elements.rbegin()->first + 1;
    if (argument.element) element = *argument.element;
    const bool repeats = std::string_view(option) == "--buffer";
    for (std::uint32_t times = repeats ? take_times(argument.rest, slot, element, buffers) : 1;
         times > 0; --times, ++element) {
      if (!elements.emplace(element, argument.rest).second)
        throw UsageError(
            fmt::format("{} {} is given twice; remove one", option, text_of(slot, element)));
    }
  }
  return result;
}

/// Throws UsageError for an option whose buffer the shader lacks, and for an element beyond its array.
void check_slots(const Arguments& given, const char* option, const std::vector<Declared>& buffers) {
  std::string known;
  for (const Declared& b : buffers)
    known += fmt::format("{}{} ({})", known.empty() ? "" : ", ", to_string(b.slot), b.name);
  for (const auto& [slot, elements] : given) {
    if (!slot.memory.empty()) continue;
    const auto found = std::ranges::find(buffers, slot, &Declared::slot);
    if (found == buffers.end())
      throw UsageError(fmt::format("{} {}: the shader has no such buffer; it has {}", option,
                                   to_string(slot), known.empty() ? "none" : known));
    if (found->elements != 0 && elements.rbegin()->first >= found->elements)
      throw UsageError(fmt::format("{} {} is given {} times, but the shader accepts at most {}",
                                   option, to_string(slot), elements.rbegin()->first + 1,
                                   found->elements));
  }
}

/// Throws UsageError for results of a buffer that nothing is bound to.
void check_bound(const Arguments& results, const char* option, const Arguments& specs) {
  for (const auto& [slot, elements] : results) {
    const auto bound = specs.find(slot);
    for (const auto& [element, file] : elements) {
      if (bound == specs.end() || !bound->second.contains(element))
        throw UsageError(fmt::format("{} {}: it has no contents; give --buffer {}=SPEC", option,
                                     text_of(slot, element), text_of(slot, element)));
    }
  }
}

/// Throws UsageError if two --save write one file.
void check_files(const std::vector<BoundBuffer>& buffers) {
  std::map<std::filesystem::path, std::string> titles;
  for (const BoundBuffer& buffer : buffers) {
    if (buffer.save.empty()) continue;
    npy::check_writable(buffer.save);
    std::error_code error;
    const auto path = std::filesystem::weakly_canonical(buffer.save, error);
    const auto [other, is_new] =
        titles.emplace(error ? std::filesystem::path(buffer.save) : path, buffer.title());
    if (!is_new)
      throw UsageError(fmt::format("--save: {} and {} would both be written to {}; name two files",
                                   other->second, buffer.title(), buffer.save));
  }
}

/// Throws UsageError for a file whose numbers are not of a type in the buffer.
void check_type(const lockstep::run::BufferSpec& spec, const npy::Array& array,
                const Declared& buffer) {
  if (spec.kind != lockstep::run::BufferSpec::Kind::npy_file || buffer.numbers.empty()) return;
  std::set<npy::Dtype> types;
  for (const NumberType number : buffer.numbers) types.insert(lockstep::run::dtype_of(number));
  // Bytes of structures have no type of their own.
  if (types.size() > 1) types.insert(npy::Dtype::uint8);
  if (types.contains(array.dtype)) return;
  std::string known;
  for (const npy::Dtype type : types)
    known += fmt::format("{}{}", known.empty() ? "" : " or ", lockstep::run::name_of(type));
  throw UsageError(fmt::format(
      "{}: holds {}, but buffer {} ({}) holds {}; save it as {}, or give --bits to take its bytes",
      spec.path, lockstep::run::name_of(array.dtype), to_string(buffer.slot), buffer.name,
      buffer.members, known));
}

npy::Array array_of(const std::string& text, const Slot& slot, const Declared* declared) {
  try {
    const auto spec = lockstep::run::parse_buffer_spec(text);
    npy::Array array = make_array(spec);
    if (declared != nullptr) check_type(spec, array, *declared);
    return array;
  } catch (const lockstep::run::InputError& error) {
    throw UsageError(fmt::format("--buffer {}={}", to_string(slot), error.what()));
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
  const std::string text = "buffer " + text_of(slot, element);
  return name.empty() ? text : fmt::format("{} ({})", text, name);
}

std::vector<BoundBuffer> make_buffers(const Reflection& shader, const RunOptions& options) {
  const std::vector<Declared> declared = declared_buffers(shader);
  const Arguments specs = arguments_of("--buffer", options.buffers, declared);
  const Arguments saves = arguments_of("--save", options.saves, declared);
  const Arguments against = arguments_of("--against", options.against, declared);
  check_slots(specs, "--buffer", declared);
  check_slots(saves, "--save", declared);
  check_slots(against, "--against", declared);
  for (const Declared& buffer : declared) {
    if (!specs.contains(buffer.slot))
      throw UsageError(
          fmt::format("buffer {} ({}) has no contents; give --buffer {}=SPEC; it holds {}",
                      to_string(buffer.slot), buffer.name, to_string(buffer.slot), buffer.members));
  }
  check_bound(saves, "--save", specs);
  check_bound(against, "--against", specs);
  std::vector<BoundBuffer> buffers;
  for (const auto& [slot, elements] : specs) {
    const auto found = std::ranges::find(declared, slot, &Declared::slot);
    const Declared* binding = found == declared.end() ? nullptr : &*found;
    for (const auto& [element, spec] : elements)
      buffers.push_back({slot, element, binding != nullptr ? binding->name : "",
                         binding == nullptr || binding->writable,
                         array_of(spec, slot, options.bits ? nullptr : binding),
                         file_of(saves, slot, element), file_of(against, slot, element)});
  }
  check_files(buffers);
  return buffers;
}

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

}  // namespace lockstep::cli
