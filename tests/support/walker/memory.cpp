#include "support/walker/memory.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstring>

#include <lockstep/exec/error.hpp>

#include "support/walker/number.hpp"

namespace lockstep::walker {

namespace {

using Kind = Type::Kind;

std::uint32_t bytes_of(const Type& scalar) {
  return scalar.kind == Kind::boolean ? 4 : static_cast<std::uint32_t>(scalar.width) / 8;
}

/// From column to column if a matrix has none of its own, which only objects without bytes do.
std::uint32_t component_stride(const Module& module, const Type& vector, const Pointer& p) {
  return p.component_stride != 0 ? p.component_stride : bytes_of(module.type(vector.element));
}

/// The place of element `index` of a composite.
Pointer element(const Module& module, const Type& t, Pointer p, std::uint64_t index) {
  if (!p.object->has_bytes) {
    std::uint64_t skipped = 0;
    if (t.kind == Kind::structure)
      for (std::uint64_t k = 0; k < index; ++k) skipped += module.scalars(t.members[k].type);
    else
      skipped = index * module.scalars(t.element);
    p.offset += skipped;
    return p;
  }
  switch (t.kind) {
    case Kind::structure: {
      const Type::Member& m = t.members[index];
      p.offset += m.offset;
      p.matrix_stride = m.matrix_stride, p.row_major = m.row_major;
      return p;
    }
    case Kind::array:
      p.offset += index * t.stride;
      return p;
    case Kind::matrix: {
      const std::uint32_t scalar = bytes_of(module.type(module.type(t.element).element));
      p.offset += index * (p.row_major ? scalar : p.matrix_stride);
      p.component_stride = p.row_major ? p.matrix_stride : scalar;
      return p;
    }
    default:
      p.offset += index * component_stride(module, t, p);
      return p;
  }
}

std::uint64_t count_of(const Type& t) {
  return t.kind == Kind::structure ? t.members.size() : t.count == 0 ? ~std::uint64_t{0} : t.count;
}
Id type_of_element(const Type& t, std::uint64_t index) {
  return t.kind == Kind::structure ? t.members[index].type : t.element;
}
bool is_scalar(const Type& t) {
  return t.kind == Kind::boolean || t.kind == Kind::integer || t.kind == Kind::real;
}

/// Calls f(scalar's type, place) for each scalar of a value in its order.
template <class F>
void for_each_scalar(const Module& module, Id type, const Pointer& p, F f) {
  const Type& t = module.type(type);
  if (is_scalar(t)) return f(t, p);
  for (std::uint64_t k = 0; k < count_of(t); ++k)
    for_each_scalar(module, type_of_element(t, k), element(module, t, p, k), f);
}

void check_inside(const Pointer& p, std::uint64_t size) {
  const std::uint64_t limit = p.object->has_bytes ? p.object->bytes.size() : p.object->parts.size();
  if (p.offset + size > limit)
    throw Error(
        fmt::format("the reference found an access outside memory: {} of {}", p.offset, limit));
}

/// The components of a texel.
struct Texel {
  std::size_t components = 0;
  int width = 0;
  enum class Numbers { real, whole, normalized } numbers = Numbers::real;
};
Texel texel_of(spv::ImageFormat format) {
  using F = spv::ImageFormat;
  switch (format) {
    case F::Rgba32f:
      return {4, 32};
    case F::Rgba16f:
      return {4, 16};
    case F::R32f:
      return {1, 32};
    case F::R16f:
      return {1, 16};
    case F::Rgba32ui:
    case F::Rgba32i:
      return {4, 32, Texel::Numbers::whole};
    case F::R32ui:
    case F::R32i:
      return {1, 32, Texel::Numbers::whole};
    case F::Rgba8:
      return {4, 8, Texel::Numbers::normalized};
    default:
      throw Error(
          fmt::format("the reference does not know image format {}", static_cast<int>(format)));
  }
}

std::size_t place_of(const Texel& texel, const Object& object, std::int64_t x, std::int64_t y) {
  if (x < 0 || y < 0 || x >= object.width || y >= object.height)
    throw Error(fmt::format("the reference found an access outside an image: {}, {}", x, y));
  const auto index = static_cast<std::size_t>(y) * object.width + static_cast<std::size_t>(x);
  return index * texel.components * static_cast<std::size_t>(texel.width) / 8;
}

/// Where the last component of a value at `p` ends.
std::uint64_t end_of(const Module& module, Id type, const Pointer& p) {
  const Type& t = module.type(type);
  if (is_scalar(t)) return p.offset + bytes_of(t);
  const auto end_of_part = [&](std::uint64_t k) {
    return end_of(module, type_of_element(t, k), element(module, t, p, k));
  };
  // The members of a structure may have any order.
  if (t.kind != Kind::structure) return end_of_part(count_of(t) - 1);
  std::uint64_t end = p.offset;
  for (std::uint64_t k = 0; k < t.members.size(); ++k) end = std::max(end, end_of_part(k));
  return end;
}

}  // namespace

std::uint64_t bytes_of(const Module& module, Id type) {
  Object layout{.has_bytes = true};
  return end_of(module, type, {.object = &layout});
}

Pointer access(const Module& module, Id pointee, Pointer from,
               std::span<const std::int64_t> indices) {
  for (const std::int64_t index : indices) {
    const Type& t = module.type(pointee);
    if (index < 0 || static_cast<std::uint64_t>(index) >= count_of(t))
      throw Error(fmt::format("the reference found index {} of {} elements", index, count_of(t)));
    const auto k = static_cast<std::uint64_t>(index);
    from = element(module, t, from, k);
    pointee = type_of_element(t, k);
  }
  return from;
}

Value load(const Module& module, Id type, const Pointer& from) {
  Value value;
  for_each_scalar(module, type, from, [&](const Type& t, const Pointer& p) {
    if (!p.object->has_bytes) {
      check_inside(p, 1);
      value.parts.push_back(p.object->parts[p.offset]);
      return;
    }
    check_inside(p, bytes_of(t));
    Scalar s;
    std::memcpy(&s.bits, p.object->bytes.data() + p.offset, bytes_of(t));
    if (!p.object->undefined.empty()) {
      const auto flags = p.object->undefined.subspan(p.offset, bytes_of(t));
      s.defined = std::all_of(flags.begin(), flags.end(), [](std::uint8_t f) { return f == 0; });
    }
    value.parts.push_back(s);
  });
  return value;
}

void store(const Module& module, Id type, const Pointer& to, const Value& value) {
  std::size_t next = 0;
  for_each_scalar(module, type, to, [&](const Type& t, const Pointer& p) {
    const Scalar& s = value.parts[next++];
    if (!p.object->has_bytes) {
      check_inside(p, 1);
      p.object->parts[p.offset] = s;
      return;
    }
    check_inside(p, bytes_of(t));
    std::memcpy(p.object->bytes.data() + p.offset, &s.bits, bytes_of(t));
    if (!p.object->undefined.empty())
      std::ranges::fill(p.object->undefined.subspan(p.offset, bytes_of(t)), s.defined ? 0 : 1);
  });
}

std::uint64_t array_length(const Module& module, Id block, const Pointer& at) {
  const Type::Member& last = module.type(block).members.back();
  return (at.object->bytes.size() - at.offset - last.offset) / module.type(last.type).stride;
}

Value load_texel(const Module& module, const Type& image, const Object& object, std::int64_t x,
                 std::int64_t y) {
  const Texel texel = texel_of(image.format);
  const std::size_t place = place_of(texel, object, x, y);
  const int w = module.type(image.element).width;
  Value value;
  for (std::size_t k = 0; k < 4; ++k) {
    std::uint64_t bits = 0;
    const auto size = static_cast<std::size_t>(texel.width) / 8;
    const bool present = k < texel.components;
    if (present) std::memcpy(&bits, object.bytes.data() + place + k * size, size);
    if (texel.numbers == Texel::Numbers::whole)
      value.parts.push_back({present ? bits : k == 3 ? std::uint64_t{1} : 0});
    else
      value.parts.push_back({!present           ? from_double(k == 3 ? 1 : 0, w)
                             : texel.width == 8 ? from_real(Real(bits) / 255, w)
                                                : from_double(to_double(bits, texel.width), w)});
  }
  return value;
}

void store_texel(const Type& image, Object& object, std::int64_t x, std::int64_t y,
                 const Value& value) {
  const Texel texel = texel_of(image.format);
  const std::size_t place = place_of(texel, object, x, y);
  const auto size = static_cast<std::size_t>(texel.width) / 8;
  for (std::size_t k = 0; k < texel.components; ++k) {
    std::uint64_t bits = value.parts[k].bits;
    if (texel.numbers == Texel::Numbers::real) bits = from_double(to_double(bits, 32), texel.width);
    if (texel.numbers == Texel::Numbers::normalized) {
      const double clamped = std::clamp(to_double(bits, 32), 0.0, 1.0);
      bits = static_cast<std::uint64_t>(std::nearbyint(clamped * 255));
    }
    std::memcpy(object.bytes.data() + place + k * size, &bits, size);
  }
}

}  // namespace lockstep::walker
