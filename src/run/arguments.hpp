#pragma once

/// \file
/// The argument syntax of `lockstep run`'s options.

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <lockstep/spirv/spec_constant.hpp>
#include <lockstep/workgroup/size3.hpp>

namespace lockstep::run {

/// Where a shader declares a buffer.
struct Slot {
  std::uint32_t set = 0;
  std::uint32_t binding = 0;

  // NOLINTNEXTLINE(modernize-use-nullptr): there is no pointer
  friend auto operator<=>(const Slot&, const Slot&) = default;
};
/// "1:3", or "3" in set 0.
std::string to_string(Slot slot);

/// An option's argument [SET:]BINDING=REST.
struct SlotArgument {
  Slot slot;
  std::string rest;
};

/// Each of these throws InputError, starting with the option's name, for malformed text.
SlotArgument parse_slot_argument(std::string_view option, std::string_view text);
/// X[,Y[,Z]], each at least 1.
Size3 parse_groups(std::string_view text);
/// ID=VALUE; a VALUE is a number, true or false. Integers of 64 bits stay exact.
std::pair<std::uint32_t, SpecConstant> parse_spec_constant(std::string_view text);
/// NAME[=VALUE]; without VALUE it is 1, as with compilers.
std::pair<std::string, std::string> parse_define(std::string_view text);

}  // namespace lockstep::run
