#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <lockstep/exec/lane_set.hpp>
#include <lockstep/exec/memory_object.hpp>
#include <lockstep/exec/size3.hpp>
#include <lockstep/exec/source_location.hpp>

/// \file
/// What a run did that a kernel should not do.

namespace lockstep {

/// The names of the rules that findings are of; they stay as they are.
namespace rules {
inline constexpr std::string_view out_of_bounds = "out-of-bounds";
}

enum class Severity : std::uint8_t { note, warning, error };

/// One lane's access of memory, as a finding tells it.
struct LaneAccess {
  /// What index and size count.
  enum class Unit : std::uint8_t {
    byte,
    element,        ///< of the array that the object is
    inner_element,  ///< of an array inside of one of its elements
    coordinate,     ///< of an image: the first one outside, and the image's extent there
    texel,          ///< of an image: nothing more is known of where
  };

  AccessKind kind = AccessKind::read;
  MemoryObject object;
  Unit unit = Unit::byte;
  std::uint64_t index = 0;
  std::uint64_t size = 0;
};

/// Something that a kernel did in one place and should not do, however often it did it.
///
/// Requires      rule and the files of both places live as long as the process.
/// Active lanes  lanes are those of all subgroups that did it, workgroup and subgroup the first.
/// Errors        None.
/// Cost          None.
/// Spec          None.
/// Example       tests/exec/finding.cpp
struct Finding {
  std::string_view rule;
  Severity severity = Severity::error;
  std::string message;       ///< what happened to the first of the lanes; no rule, no place
  SourceLocation where;      ///< line 0 where it is not known
  SourceLocation origin;     ///< where the value came from that did it; line 0 if that says nothing
  Size3 workgroup{0, 0, 0};  ///< gl_WorkGroupID
  std::uint32_t subgroup = 0;  ///< gl_SubgroupID
  LaneSet lanes;               ///< gl_SubgroupInvocationID
  std::uint64_t count = 1;     ///< how often, each lane counted
  LaneAccess access = {};      ///< of rules about memory: that of the first of the lanes
};

std::string_view to_string(Severity severity);
/// What the access is, in words: "write to element 9 of buffer 2, which has 8".
std::string to_string(const LaneAccess& access);
/// One line: "saxpy.hpp:21: error: write to ..., which has 8 [out-of-bounds], workgroup (0, 0, 0),
/// subgroup 1, lanes 4-7, 4 times".
std::string to_string(const Finding& finding);

}  // namespace lockstep
