#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "amber/script.hpp"

namespace lockstep::amber {

/// Why an expectation is not met: buffer, index, expected and actual value; nothing if it is met.
///
/// Numbers are compared as values of the buffer's type. EQ treats floats as equal that differ by
/// 10^-8 of the expected value; a TOLERANCE is a difference, or with % a share of the expected value.
/// One tolerance applies to all values, several apply to the components of an element in turn.
///
/// Requires      The bytes are those of the buffer.
/// Active lanes  None.
/// Errors        None.
/// Cost          O(compared bytes).
/// Spec          AmberScript EXPECT
/// Example       tests/amber/expect.cpp
std::optional<std::string> check(const ExpectValues& expectation, const Buffer& buffer,
                                 std::span<const std::byte> bytes);
/// The same for pixels. Normalized channels represent 0 to 1 as colours do from 0 to 255, integers
/// themselves, floats colour / 255; without TOLERANCE 0.002 of that is allowed.
std::optional<std::string> check(const ExpectPixels& expectation, const Buffer& buffer,
                                 std::span<const std::byte> bytes);
/// The same for two buffers of the same type; padding is not compared.
std::optional<std::string> check(const ExpectBuffers& expectation, const Buffer& buffer,
                                 const Buffer& other, std::span<const std::byte> bytes,
                                 std::span<const std::byte> others);

}  // namespace lockstep::amber
