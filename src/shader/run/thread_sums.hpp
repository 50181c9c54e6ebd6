#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "shader/run/program.hpp"

/// \file
/// Atomic additions by several threads.

namespace lockstep::spirv {

/// Memory of one thread for what its program only adds to (shader/ir/summed_resources.hpp): additions to it need not be atomic,
/// and no other thread waits for them. Added to the real memory at the end.
class ThreadSums {
 public:
  /// Small buffers that no other one shares memory with: `memory` has the thread's own for them.
  ThreadSums(const Program& program, std::vector<Memory>& memory);
  ~ThreadSums();
  ThreadSums(const ThreadSums&) = delete;
  ThreadSums& operator=(const ThreadSums&) = delete;

 private:
  struct Sum {
    std::byte* to = nullptr;
    std::uint64_t size = 0;
    std::uint32_t bytes = 4;  ///< of an element
    std::unique_ptr<std::byte[]> own;
  };
  std::vector<Sum> sums_;
};

}  // namespace lockstep::spirv
