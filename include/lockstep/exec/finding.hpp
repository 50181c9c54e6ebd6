#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <lockstep/exec/lane_set.hpp>
#include <lockstep/exec/memory_object.hpp>
#include <lockstep/exec/size3.hpp>
#include <lockstep/exec/source_location.hpp>

/// \file
/// What a run did that a kernel should not do.

namespace lockstep {

/// How bad a finding is; an error makes a run fail.
enum class Severity : std::uint8_t { note, warning, error };

/// One lane's memory access in a finding.
struct LaneAccess {
  /// The unit of index and size.
  enum class Unit : std::uint8_t {
    byte,
    element,        ///< of the array that the object is
    inner_element,  ///< of an array inside one of its elements
    coordinate,     ///< of an image: the first one outside, and the image's extent there
    texel,          ///< of an image, without a known coordinate
  };

  AccessKind kind = AccessKind::read;
  MemoryObject object;
  Unit unit = Unit::byte;
  std::uint64_t index = 0;
  std::uint64_t size = 0;
};

/// The other end of a finding that has two: of a race the earlier access.
struct OtherEnd {
  SourceLocation where;  ///< line 0 if unknown
  std::string message;   ///< what was done there
  Size3 workgroup{0, 0, 0};
  std::uint32_t subgroup = 0;
  LaneSet lanes;
};

/// A misbehaviour of a kernel in one place, however often it happened.
///
/// Requires      rule, one of exec/checks.hpp, and the files of all places live as long as the process.
/// Active lanes  lanes has the lanes of all subgroups where it happened; workgroup and subgroup are the first.
/// Errors        None.
/// Cost          None.
/// Spec          None.
/// Example       tests/exec/finding.cpp
struct Finding {
  std::string_view rule;
  Severity severity = Severity::error;
  std::string message;    ///< what happened in the first of the lanes; without rule and place
  SourceLocation where;   ///< line 0 if unknown
  SourceLocation origin;  ///< where the offending value came from; line 0 if unknown
  std::string origin_message = {};  ///< what happened there
  Size3 workgroup{0, 0, 0};         ///< gl_WorkGroupID
  std::uint32_t subgroup = 0;       ///< gl_SubgroupID
  LaneSet lanes;                    ///< gl_SubgroupInvocationID
  std::uint64_t count = 1;          ///< how often it happened, each lane counted
  LaneAccess access = {};  ///< for rules about memory: the access of the first of the lanes
  std::optional<OtherEnd> other = {};
};

std::string_view to_string(Severity severity);
/// The kind of memory that a finding is about: shared, buffer, image or private; empty if none.
std::string_view memory_of(const Finding& finding);
/// The access in words: "write to element 9 of buffer 2, which has 8".
std::string to_string(const LaneAccess& access);
/// One line: "saxpy.hpp:21: error: write to ..., which has 8 [out-of-bounds], workgroup (0, 0, 0),
/// subgroup 1, lanes 4-7, 4 times".
std::string to_string(const Finding& finding);

}  // namespace lockstep
