#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

#include <lockstep/exec/error.hpp>

namespace lockstep {

/// The value of a specialization constant: a number of any type, or the bits of the constant.
///
/// An integer stays exact, however many bits it has. The shader's module knows the constant's type, to which
/// a number is converted as in GLSL: a real is truncated to an integer type, an integer is rounded to a
/// float type, and an integer that is too wide loses its upper bits. A bool is true for anything but zero.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        from_bytes throws Error for sizes other than 1, 2, 4 or 8 bytes. A real beyond a
///               64-bit integer's range becomes the nearest one, NaN becomes 0.
/// Cost          None.
/// Spec          SPIR-V SpecId · VkSpecializationInfo
/// Example       tests/spirv/spec_constant.cpp
class SpecConstant {
 public:
  template <std::signed_integral T>
  constexpr SpecConstant(T value)  // NOLINT(google-explicit-constructor): a number is one
      : kind_(Kind::signed_integer),
        bits_(static_cast<std::uint64_t>(static_cast<std::int64_t>(value))) {}
  template <std::unsigned_integral T>
  constexpr SpecConstant(T value)  // NOLINT(google-explicit-constructor)
      : kind_(Kind::unsigned_integer), bits_(value) {}
  template <std::floating_point T>
  constexpr SpecConstant(T value)  // NOLINT(google-explicit-constructor)
      : kind_(Kind::real), real_(static_cast<double>(value)) {}

  /// The constant's own bits, as in VkSpecializationInfo; those beyond its type are ignored.
  static constexpr SpecConstant from_bits(std::uint64_t bits) {
    SpecConstant made(bits);
    made.kind_ = Kind::bits;
    return made;
  }

  /// The same from bytes as in VkSpecializationInfo::pData: as many as the constant's type has, 4
  /// for a bool; otherwise the pipeline reports that they do not fit.
  static SpecConstant from_bytes(std::span<const std::byte> bytes) {
    if (bytes.size() != 1 && bytes.size() != 2 && bytes.size() != 4 && bytes.size() != 8)
      throw Error("a specialization constant has 1, 2, 4 or 8 bytes, not " +
                  std::to_string(bytes.size()));
    std::uint64_t bits = 0;
    std::memcpy(&bits, bytes.data(), bytes.size());
    SpecConstant made = from_bits(bits);
    made.bytes_ = static_cast<std::uint32_t>(bytes.size());
    return made;
  }

  /// Whether the value is bits, used unchanged for any type.
  constexpr bool is_bits() const { return kind_ == Kind::bits; }
  /// The number of bytes given; 0 if it fits every type.
  constexpr std::uint32_t bytes() const { return bytes_; }

  /// The value as an integer of 64 bits, in two's complement.
  std::uint64_t integer() const {
    if (kind_ != Kind::real) return bits_;
    constexpr double two_to_63 = 9223372036854775808.0;
    if (std::isnan(real_)) return 0;
    if (real_ < -two_to_63) return std::uint64_t{1} << 63;
    if (real_ < two_to_63) return static_cast<std::uint64_t>(static_cast<std::int64_t>(real_));
    if (real_ < 2 * two_to_63) return static_cast<std::uint64_t>(real_);
    return ~std::uint64_t{0};
  }
  /// The value rounded once to a float type.
  template <std::floating_point T>
  constexpr T real() const {
    if (kind_ == Kind::real) return static_cast<T>(real_);
    if (kind_ == Kind::signed_integer) return static_cast<T>(static_cast<std::int64_t>(bits_));
    return static_cast<T>(bits_);
  }

  /// Whether both are the same number; bits equal only the same bits.
  friend bool operator==(const SpecConstant& a, const SpecConstant& b) {
    if (a.is_bits() || b.is_bits()) return a.is_bits() == b.is_bits() && a.bits_ == b.bits_;
    return a.integer() == b.integer() && a.real<double>() == b.real<double>();
  }

 private:
  enum class Kind { signed_integer, unsigned_integer, real, bits };

  Kind kind_;
  std::uint32_t bytes_ = 0;
  std::uint64_t bits_ = 0;
  double real_ = 0;
};

}  // namespace lockstep
