#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "amber/script.hpp"

namespace lockstep::amber {

/// Why an expectation is not met: buffer, index, what was expected and what is there; nothing if it is.
///
/// Numbers are compared as values of the buffer's type. EQ takes floats as equal that differ by
/// 10^-8 of the expected value; a TOLERANCE is a difference, or with % a share of the expected
/// value. One tolerance counts for all values, several for the components of an element in turn.
///
/// Requires      The bytes are those of the buffer.
/// Active lanes  None.
/// Errors        None.
/// Cost          O(what is compared).
/// Spec          AmberScript EXPECT
/// Example       tests/amber/expect.cpp
std::optional<std::string> check(const ExpectValues& expectation, const Buffer& buffer,
                                 std::span<const std::byte> bytes);
/// The same for pixels. Normalized channels stand for 0 to 1 as colours of 0 to 255 do, whole
/// numbers for themselves, floats for colour / 255; without TOLERANCE 0.002 of that is allowed.
std::optional<std::string> check(const ExpectPixels& expectation, const Buffer& buffer,
                                 std::span<const std::byte> bytes);
/// The same for two buffers that are alike; padding is not compared.
std::optional<std::string> check(const ExpectBuffers& expectation, const Buffer& buffer,
                                 const Buffer& other, std::span<const std::byte> bytes,
                                 std::span<const std::byte> others);

}  // namespace lockstep::amber
