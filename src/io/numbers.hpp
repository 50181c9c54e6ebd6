#pragma once

/// \file
/// Numbers on a command line: the whole text, or nothing.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "io/types.hpp"

namespace lockstep::io {

/// An integer in decimal or, after 0x, in hexadecimal.
std::optional<std::uint64_t> parse_unsigned(std::string_view text);
/// The same with an optional sign; the result is the two's complement.
std::optional<std::uint64_t> parse_integer(std::string_view text);
/// A number with or without fraction and exponent, nan or inf; integers as above.
std::optional<double> parse_double(std::string_view text);
/// The bytes of one element of that type; nothing if the text is not a number or does not fit.
std::optional<std::vector<std::byte>> parse_element(Dtype type, std::string_view text);

}  // namespace lockstep::io
