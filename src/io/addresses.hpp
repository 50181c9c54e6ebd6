#pragma once

/// \file
/// Device addresses on a command line: of which memory, and where they are written.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/arguments.hpp"
#include "io/types.hpp"

namespace lockstep::io {

/// A byte of a buffer: [SET:]BINDING[ELEMENT]+OFFSET, or NAME+OFFSET.
struct BufferByte {
  Slot slot;
  std::uint32_t element = 0;
  std::uint64_t offset = 0;

  friend bool operator==(const BufferByte&, const BufferByte&) = default;
};

/// An address that is written to memory before a run.
struct WrittenAddress {
  BufferByte at;
  BufferByte of;
};

/// The argument of --address, WHERE=TARGET.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        InputError that starts with --address.
/// Cost          None.
/// Spec          GL_EXT_buffer_reference
/// Example       tests/io/addresses.cpp
WrittenAddress parse_address(std::string_view text);

/// What follows addr: in a value. Throws InputError that names the value.
BufferByte parse_target(std::string_view text);

/// Numbers one after another, each aligned to its size, with places for addresses.
struct Values {
  struct Place {
    std::size_t at;
    BufferByte of;
  };
  struct Number {
    std::size_t at;
    Dtype type;
    std::string text;  ///< "u32:5"
  };
  std::vector<std::byte> bytes;
  std::vector<Place> addresses;
  std::vector<Number> numbers;
};

/// Whether the text is a list of values: 'addr:0 u32:5 f32:1.5'.
bool is_values(std::string_view text);
/// The values of such a list, separated by spaces: TYPE:VALUE, or addr: and a byte of a buffer.
///
/// Requires      is_values(text).
/// Active lanes  None.
/// Errors        InputError that names the malformed part.
/// Cost          None.
/// Spec          None.
/// Example       tests/io/addresses.cpp
Values parse_values(std::string_view text);

}  // namespace lockstep::io
