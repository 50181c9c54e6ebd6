#pragma once

#include <cstdint>

#include <lockstep/config.hpp>
#include <lockstep/exec/checks.hpp>
#include <lockstep/exec/fault_log.hpp>
#include <lockstep/exec/object_names.hpp>
#include <lockstep/exec/size3.hpp>
#include <lockstep/exec/source_location.hpp>
#include <lockstep/workgroup/detail/thread_sums.hpp>

namespace lockstep::inline LOCKSTEP_ABI {

/// The running subgroup and its findings; kept outside the exec state so that masks stay in
/// registers.
struct Location {
  Size3 workgroup{0, 0, 0};
  std::uint32_t subgroup = 0;
  bool only_thread = false;  ///< no other thread runs the dispatch: atomics need not be locked
  FaultLog faults;
  ThreadSums sums{};  ///< what the thread adds to arrays of its own
};

namespace detail {

/// Which of a kernel's arrays one is: an argument of the dispatch, or shared memory. A single
/// number, because a larger view leaves registers; its name, if it has one, is number_of_name.
class Binding {
 public:
  using Kind = MemoryObject::Kind;

  LOCKSTEP_INLINE constexpr Binding(std::uint32_t number = 0, Kind kind = Kind::buffer,
                                    std::uint32_t name = 0)
      : bits_((static_cast<std::uint32_t>(kind) << name_bits | name) << number_bits | number) {}

  /// The same for memory that no other thread uses.
  LOCKSTEP_INLINE constexpr Binding of_one_thread() const {
    Binding result = *this;
    result.bits_ |= one_thread;
    return result;
  }
  LOCKSTEP_INLINE constexpr bool is_of_one_thread() const { return (bits_ & one_thread) != 0; }

  MemoryObject object() const {
    return {.kind = static_cast<Kind>((bits_ & ~one_thread) >> (name_bits + number_bits)),
            .binding = bits_ & ((1u << number_bits) - 1),
            .name = name_of_number(bits_ >> number_bits & most_object_names)};
  }

 private:
  static constexpr int number_bits = 12, name_bits = 12;
  static constexpr std::uint32_t one_thread = 1u << 31;
  static_assert(most_object_names == (1u << name_bits) - 1);
  std::uint32_t bits_;
};

// By value and out of line: nothing here may make the exec state escape. The place comes in its parts,
// because as a struct g++ builds it in memory before each access. And noexcept: with a landing pad
// after each access saxpy takes 9 % more instructions.
[[gnu::cold, gnu::noinline]] inline void note_outside(Location* running, const char* file, int line,
                                                      AccessKind kind, Binding binding,
                                                      LaneAccess::Unit unit, std::uint32_t index,
                                                      std::uint32_t size, int lane) noexcept {
  Finding finding = finding_of(Check::out_of_bounds);
  finding.where = {file, line};
  finding.workgroup = running->workgroup;
  finding.subgroup = running->subgroup;
  finding.lanes = LaneSet::lane(lane);
  finding.access = {kind, binding.object(), unit, index, size};
  running->faults.record(finding);
}

/// A lane's access outside its object.
LOCKSTEP_INLINE void note_outside(Location* running, SourceLocation where, AccessKind kind,
                                  Binding binding, LaneAccess::Unit unit, std::uint32_t index,
                                  std::uint32_t size, int lane) {
  note_outside(running, where.file, where.line, kind, binding, unit, index, size, lane);
}

}  // namespace detail
}  // namespace lockstep::inline LOCKSTEP_ABI
