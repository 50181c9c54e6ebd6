#include <lockstep/exec/memory_object.hpp>

#include <fmt/format.h>

namespace lockstep {

std::string_view to_string(AccessKind kind) {
  switch (kind) {
    case AccessKind::read:
      return "read";
    case AccessKind::write:
      return "write";
    case AccessKind::atomic:
      return "atomic";
  }
  return "?";
}

std::string_view to_string(MemoryObject::Kind kind) {
  using Kind = MemoryObject::Kind;
  switch (kind) {
    case Kind::none:
      return "none";
    case Kind::buffer:
      return "buffer";
    case Kind::image:
      return "image";
    case Kind::sampler:
      return "sampler";
    case Kind::shared:
      return "shared memory";
    case Kind::push_constants:
      return "push constants";
    case Kind::private_memory:
      return "private memory";
  }
  return "?";
}

std::string to_string(const MemoryObject& object) {
  using Kind = MemoryObject::Kind;
  if (object.kind == Kind::none) return "an address of no buffer";
  if (object.address != 0) return fmt::format("memory at address {:#x}", object.address);
  std::string text = object.name;
  if (text.empty()) {
    text = to_string(object.kind);
    const bool bound = object.kind != Kind::push_constants && object.kind != Kind::private_memory;
    if (object.kind == Kind::shared)
      text = fmt::format("shared array {}", object.binding);
    else if (bound && object.set != 0)
      text += fmt::format(" {}.{}", object.set, object.binding);
    else if (bound)
      text += fmt::format(" {}", object.binding);
  }
  if (object.element != 0) text += fmt::format("[{}]", object.element);
  return text;
}

std::string byte_to_string(const MemoryObject& object, std::uint64_t byte) {
  const std::string name = to_string(object);
  if (object.stride == 0) return fmt::format("byte {} of {}", byte, name);
  const std::uint64_t element = byte / object.stride, rest = byte % object.stride;
  // The name of a buffer may be that of its block, in which the array has another.
  const bool is_array = object.kind == MemoryObject::Kind::shared && *object.name != 0;
  const std::string place = is_array ? fmt::format("{}[{}]", name, element)
                                     : fmt::format("element {} of {}", element, name);
  return rest == 0 ? place : fmt::format("byte {} of {}", rest, place);
}

}  // namespace lockstep
