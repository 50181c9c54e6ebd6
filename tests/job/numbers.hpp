#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include <lockstep/lanes/float16.hpp>

#include "io/types.hpp"
#include "oracle/format.hpp"

/// \file
/// The numbers of a buffer, by their bits.

namespace lockstep::test {

inline bool is_float(npy::Dtype type) {
  return type == npy::Dtype::float16 || type == npy::Dtype::float32 || type == npy::Dtype::float64;
}
inline const oracle::Format& format_of(npy::Dtype type) {
  return type == npy::Dtype::float16   ? oracle::float16
         : type == npy::Dtype::float32 ? oracle::float32
                                       : oracle::float64;
}

inline std::uint64_t bits_at(std::span<const std::byte> bytes, npy::Dtype type, std::size_t index) {
  const std::size_t size = io::bytes_of(type);
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data() + index * size, size);
  return bits;
}
/// Of floats.
inline double number_at(std::span<const std::byte> bytes, npy::Dtype type, std::size_t index) {
  return oracle::from_bits(bits_at(bytes, type, index), format_of(type));
}
/// The bits of the nearest float.
inline std::uint64_t bits_of(npy::Dtype type, double value) {
  switch (type) {
    case npy::Dtype::float16:
      return std::bit_cast<std::uint16_t>(float16_t(static_cast<float>(value)));
    case npy::Dtype::float32:
      return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    default:
      return std::bit_cast<std::uint64_t>(value);
  }
}

}  // namespace lockstep::test
