#pragma once

#include <cstdint>
#include <string>

#include <lockstep/exec/size3.hpp>

namespace lockstep {

/// Which rules a run may break without an Error: `Device{.lenient = {.barriers = true}}`.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        None of its own. The run's notes say what was tolerated.
/// Cost          None until a rule is broken.
/// Spec          None: what happens then is what most hardware does.
/// Example       tests/machines/barriers.cpp
struct Lenient {
  /// Workgroup barriers count invocations as arrived that have returned, are in another branch or wait at
  /// another barrier.
  bool barriers = false;
};

/// What a lenient run tolerated: how often, and the first time in words.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        None.
/// Cost          None.
/// Spec          None.
/// Example       tests/machines/barriers.cpp
struct LenientNotes {
  std::uint64_t count = 0;
  std::string first;
  Size3 workgroup{0, 0, 0};  ///< gl_WorkGroupID of the first

  /// Adds another part's notes after this one's.
  void merge(const LenientNotes& other) {
    if (count == 0) take_first(other);
    count += other.count;
  }
  /// Adds the notes of other workgroups of the same dispatch, in whatever order they ran: the first is that
  /// of the lowest workgroup.
  void merge_by_workgroup(const LenientNotes& other);

 private:
  void take_first(const LenientNotes& other) {
    first = other.first;
    workgroup = other.workgroup;
  }
};

/// The first note, and how often there was another.
std::string to_string(const LenientNotes& notes);

}  // namespace lockstep
