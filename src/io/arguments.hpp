#pragma once

/// \file
/// The argument syntax of `lockstep run`'s options.

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <lockstep/spirv/register_shifts.hpp>
#include <lockstep/workgroup/size3.hpp>

namespace lockstep::io {

/// Where a shader declares a buffer; or memory that it reaches only by its address, which has a name.
struct Slot {
  std::uint32_t set = 0;
  std::uint32_t binding = 0;
  std::string memory =
      {};  ///< empty for a binding; before the shader is known also a variable's or an HLSL register's name

  // NOLINTNEXTLINE(modernize-use-nullptr): there is no pointer
  friend auto operator<=>(const Slot&, const Slot&) = default;
};
/// "1:3", "3" in set 0, or the name; "1:t3" for a register in space 1.
std::string to_string(const Slot& slot);
/// The same from text; nothing for malformed text.
std::optional<Slot> parse_slot(std::string_view text);

/// An option's argument [SET:]BINDING[ELEMENT].MEMBER=REST; the element of an array is in brackets.
struct SlotArgument {
  Slot slot;
  std::optional<std::uint32_t> element;
  std::string rest;
  std::string member = {};  ///< a path in the buffer's block
};

/// Each of these throws InputError, starting with the option's name, for malformed text.
SlotArgument parse_slot_argument(std::string_view option, std::string_view text);
/// b=N, t=N, s=N and u=N, those that are not the usual ones.
RegisterShifts parse_shifts(std::string_view text);
/// X[,Y[,Z]], each at least 1.
Size3 parse_groups(std::string_view text);
Size3 parse_invocations(std::string_view text);
/// The workgroups that hold the invocations: in each dimension the last one may be partly beyond them.
Size3 groups_for(Size3 invocations, Size3 local_size);
/// NAME[=VALUE] or NAME(PARAMETERS)=VALUE; without VALUE it is 1, as with compilers.
std::pair<std::string, std::string> parse_define(std::string_view text);

}  // namespace lockstep::io
