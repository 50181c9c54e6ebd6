#pragma once

#include <bit>
#include <cstdint>

#include <lockstep/exec/event.hpp>

/// \file
/// The numbers of LaneValues by their type.

namespace lockstep {

/// IEEE half to float by its fields: the runtime library does not depend on lanes.
inline float half_value(std::uint64_t bits) {
  const auto sign = static_cast<std::uint32_t>(bits >> 15 & 1) << 31;
  const auto exponent = static_cast<std::uint32_t>(bits >> 10 & 31);
  const auto fraction = static_cast<std::uint32_t>(bits & 1023);
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000u | fraction << 13);
  if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
  const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
  return sign != 0 ? -magnitude : magnitude;
}

/// f(number), as the C++ type of the component; those without a type count as unsigned.
template <class F>
auto visit_component(LaneValues::Type type, std::uint64_t bits, const F& f) {
  using Type = LaneValues::Type;
  switch (type) {
    case Type::boolean:
      return f(bits != 0);
    case Type::int8:
      return f(static_cast<std::int8_t>(bits));
    case Type::int16:
      return f(static_cast<std::int16_t>(bits));
    case Type::int32:
      return f(static_cast<std::int32_t>(bits));
    case Type::int64:
      return f(static_cast<std::int64_t>(bits));
    case Type::float16:
      return f(half_value(bits));
    case Type::float32:
      return f(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    case Type::float64:
      return f(std::bit_cast<double>(bits));
    default:
      return f(bits);
  }
}

}  // namespace lockstep
