#pragma once

#include <cstdint>

#include <lockstep/config.hpp>
#include <lockstep/workgroup/size3.hpp>

namespace lockstep::inline LOCKSTEP_ABI {

/// One access of a kernel outside a buffer or an image. Reads gave zero and writes were dropped, as
/// Vulkan's robust buffer access does.
struct Fault {
  bool write = false;
  std::uint32_t binding = 0;   ///< position of the buffer among the dispatch's arguments
  std::uint32_t index = 0;     ///< the element that does not exist; of an image, the coordinate
  std::uint32_t size = 0;      ///< elements the buffer has; of an image, its extent there
  Size3 workgroup{0, 0, 0};    ///< gl_WorkGroupID
  std::uint32_t subgroup = 0;  ///< gl_SubgroupID
  std::uint32_t lane = 0;      ///< gl_SubgroupInvocationID
};

/// Where a subgroup records its faults: how many there were, and the first.
class FaultLog {
 public:
  /// Counts one fault and keeps it if it is the first.
  [[gnu::cold, gnu::noinline]] void record(const Fault& fault) {
    if (count_++ == 0) first_ = fault;
  }
  /// Adds another log's faults behind this one's.
  void merge(const FaultLog& other) {
    if (count_ == 0) first_ = other.first_;
    count_ += other.count_;
  }
  /// Number of faults.
  std::uint64_t count() const { return count_; }
  /// The first fault. Requires count() > 0.
  const Fault& first() const { return first_; }

 private:
  std::uint64_t count_ = 0;
  Fault first_;
};

/// Who is running, for fault reports; kept outside the exec state so that masks stay in registers.
struct Location {
  Size3 workgroup{0, 0, 0};
  std::uint32_t subgroup = 0;
  bool only_thread = false;  ///< no other thread runs the dispatch: atomics need no locked access
  FaultLog faults;
};

}  // namespace lockstep::inline LOCKSTEP_ABI
