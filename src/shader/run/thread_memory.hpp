#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "shader/run/aligned_bytes.hpp"
#include "shader/run/run.hpp"
#include "shader/run/thread_sums.hpp"

namespace lockstep::spirv {

/// The memory of the workgroups of one thread: a dispatch's, with workgroup memory of the thread's own.
class ThreadMemory {
 public:
  /// `only_thread`: no other thread runs workgroups of the dispatch.
  ThreadMemory(const DispatchArgs& args, bool only_thread);
  ~ThreadMemory();
  ThreadMemory(const ThreadMemory&) = delete;
  ThreadMemory& operator=(const ThreadMemory&) = delete;

  /// Makes workgroup memory what it is before a workgroup runs.
  void clear();
  /// By resource.
  const std::vector<Memory>& resources() const { return memory_; }
  /// The number of elements for each access by index.
  std::uint64_t* limits() { return limits_.data(); }

 private:
  void find_limits();
  void start_bounds(const Memory& memory, std::uint64_t zeroed) const;

  const Program& program_;
  oracle::Memory* bounds_;
  const BoundMemory& bound_;
  std::vector<Memory> memory_;
  std::vector<AlignedBytes> shared_;
  std::optional<ThreadSums> sums_;  ///< where there are several threads
  std::vector<std::uint64_t> limits_;
};

}  // namespace lockstep::spirv
