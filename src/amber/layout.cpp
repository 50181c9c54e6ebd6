#include "amber/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>

namespace lockstep::amber {
namespace {

// No script needs more, and sums cannot overflow.
constexpr std::uint64_t max_element_bytes = 1U << 24;

std::uint64_t round_up(std::uint64_t value, std::uint64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

struct Extent {
  std::uint64_t size = 0;
  std::uint64_t alignment = 1;
};

class Placer {
 public:
  explicit Placer(Layout layout) : layout_(layout) {}

  Extent place(const Type& type, std::uint64_t at, const Member* member = nullptr) {
    if (at > max_element_bytes)
      throw std::invalid_argument("has an element of more than 16 MiB; make it smaller");
    if (type.structure) return place_struct(*type.structure, at);
    if (type.format) return place_format(*type.format, at);
    Extent extent = type.columns > 1 ? place_matrix(type, at, member) : place_vector(type, at);
    if (type.array) {
      extent.alignment = aggregate_alignment(extent.alignment);
      extent.size = round_up(extent.size, extent.alignment);
      if (member != nullptr && member->array_stride) {
        require(*member->array_stride >= extent.size, *member, "ARRAY_STRIDE");
        extent.size = *member->array_stride;
      }
    }
    return extent;
  }

  std::uint64_t alignment_of(const Type& type) {
    if (!type.structure) return Placer(layout_).place(type, 0).alignment;
    // Once per structure: one may hold another, which holds another, and so on.
    const auto [known, added] = alignments_.try_emplace(type.structure.get(), 1);
    if (!added) return known->second;
    std::uint64_t alignment = 1;
    for (const Member& member : type.structure->members)
      alignment = std::max(alignment, alignment_of(member.type));
    return alignments_[type.structure.get()] = aggregate_alignment(alignment);
  }

  std::vector<Component> take() { return std::move(components_); }

 private:
  static void require(bool fits, const Member& member, std::string_view keyword) {
    if (fits) return;
    throw std::invalid_argument(
        fmt::format("has a member {} whose {} is too small for its own elements or the members "
                    "before it; raise it",
                    member.name, keyword));
  }

  std::uint64_t aggregate_alignment(std::uint64_t alignment) const {
    return layout_ == Layout::std140 ? round_up(alignment, 16) : alignment;
  }

  Extent place_vector(const Type& type, std::uint64_t at) {
    const std::uint64_t bytes = type.number.bits / 8;
    for (std::uint32_t row = 0; row < type.rows; ++row)
      components_.push_back({static_cast<std::uint32_t>(at + row * bytes), type.number});
    return {type.rows * bytes, (type.rows == 3 ? 4 : type.rows) * bytes};
  }

  Extent place_matrix(const Type& type, std::uint64_t at, const Member* member) {
    const std::uint64_t bytes = type.number.bits / 8;
    const std::uint64_t alignment = aggregate_alignment((type.rows == 3 ? 4 : type.rows) * bytes);
    std::uint64_t stride = alignment;
    if (member != nullptr && member->matrix_stride) {
      stride = *member->matrix_stride;
      require(stride >= type.rows * bytes, *member, "MATRIX_STRIDE");
    }
    for (std::uint32_t column = 0; column < type.columns; ++column)
      place_vector(type, at + column * stride);
    return {type.columns * stride, alignment};
  }

  Extent place_struct(const Struct& structure, std::uint64_t at) {
    std::uint64_t end = 0, alignment = 1;
    for (const Member& member : structure.members) {
      const std::uint64_t own = alignment_of(member.type);
      std::uint64_t offset = round_up(end, own);
      if (member.offset) {
        require(*member.offset >= end, member, "OFFSET");
        offset = *member.offset;
      }
      end = offset + place(member.type, at + offset, &member).size;
      alignment = std::max(alignment, own);
    }
    alignment = aggregate_alignment(alignment);
    std::uint64_t size = round_up(end, alignment);
    if (structure.stride) {
      if (*structure.stride < end)
        throw std::invalid_argument("has a STRIDE smaller than its members; raise it");
      size = *structure.stride;
    }
    return {size, alignment};
  }

  Extent place_format(const ImageFormat& format, std::uint64_t at) {
    if (format.packed) {
      components_.push_back(
          {static_cast<std::uint32_t>(at), {Encoding::unsigned_int, format.bits}});
      return {format.bits / 8, format.bits / 8};
    }
    const std::uint64_t bytes = format.channels.front().bits / 8;
    for (const Channel& channel : format.channels)
      components_.push_back({static_cast<std::uint32_t>(at + channel.shift / 8),
                             {encoding_of(channel.mode), channel.bits}});
    return {format.bits / 8, bytes};
  }

  static Encoding encoding_of(Mode mode) {
    switch (mode) {
      case Mode::sfloat:
      case Mode::ufloat:
        return Encoding::floating;
      case Mode::sint:
      case Mode::snorm:
      case Mode::sscaled:
        return Encoding::signed_int;
      default:
        return Encoding::unsigned_int;
    }
  }

  Layout layout_;
  std::vector<Component> components_;
  std::map<const Struct*, std::uint64_t> alignments_;
};

}  // namespace

ElementLayout layout_of(const Type& type, Layout layout) {
  Placer placer(layout);
  const Extent extent = placer.place(type, 0);
  // A texel has its own size; everything else follows the next element's alignment.
  const std::uint64_t stride = type.format || (type.structure && type.structure->stride)
                                   ? extent.size
                                   : round_up(extent.size, extent.alignment);
  if (stride == 0 || stride > max_element_bytes)
    throw std::invalid_argument(
        "has an element of zero bytes or of more than 16 MiB; change its type");
  return {placer.take(), static_cast<std::uint32_t>(stride)};
}

}  // namespace lockstep::amber
