#pragma once

/// \file
/// The contents of a buffer before a run, as given on a command line.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/types.hpp"

namespace lockstep::io {

/// The contents of a buffer: a file or a generator.
struct BufferSpec {
  enum class Kind { npy_file, bytes_file, fill, iota, random };

  Kind kind = Kind::fill;
  std::string path;                ///< of a file
  Dtype type = Dtype::uint8;       ///< of a generator's elements
  std::size_t count = 0;           ///< of a generator's elements
  std::vector<std::byte> element;  ///< of fill
  std::uint64_t seed = 0;          ///< of random
  /// Of random: the lowest and highest value, if they are given.
  std::optional<std::pair<double, double>> range = {};

  friend bool operator==(const BufferSpec&, const BufferSpec&) = default;
};

/// file.npy, file.bin, zeros:TYPE:N, fill:TYPE:N:V, iota:TYPE:N or random:TYPE:N:SEED[:LOW:HIGH].
///
/// Requires      None.
/// Active lanes  None.
/// Errors        InputError that names the malformed part.
/// Cost          Reads no file.
/// Spec          None.
/// Example       tests/io/buffer_spec.cpp
BufferSpec parse_buffer_spec(std::string_view text);

/// Reads the file or generates the elements. iota counts from 0 and wraps around. random gives
/// integers over the type's range and floats from 0 up to 1, or both from LOW to HIGH, the same for a seed everywhere.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        InputError and npy::Error for a file that cannot be used.
/// Cost          O(elements).
/// Spec          None.
/// Example       tests/io/buffer_spec.cpp
npy::Array make_array(const BufferSpec& spec);

}  // namespace lockstep::io
