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
    const bool bound = object.kind != Kind::shared && object.kind != Kind::push_constants &&
                       object.kind != Kind::private_memory;
    if (bound && object.set != 0)
      text += fmt::format(" {}.{}", object.set, object.binding);
    else if (bound)
      text += fmt::format(" {}", object.binding);
  }
  if (object.element != 0) text += fmt::format("[{}]", object.element);
  return text;
}

}  // namespace lockstep
