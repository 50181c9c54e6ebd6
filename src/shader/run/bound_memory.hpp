#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <utility>
#include <vector>

#include "shader/run/program.hpp"

namespace lockstep::spirv {

/// What is bound to the resources of a shader, for any number of dispatches. Each thread of a dispatch has a copy, in
/// which it changes what is its own. There may be thousands of resources, so copies are kept for later dispatches.
class BoundMemory {
 public:
  BoundMemory(std::vector<Memory> all, std::deque<Sampler> its_samplers)
      : memory(std::move(all)), samplers_(std::move(its_samplers)) {}

  const std::vector<Memory> memory;  ///< by resource, without what each thread has of its own

  /// A copy of `memory`.
  std::vector<Memory> take() const;
  /// Keeps a copy that is equal to `memory` again.
  void give_back(std::vector<Memory> copy) const;

 private:
  std::deque<Sampler> samplers_;  ///< that `memory` refers to
  mutable std::mutex changing_;
  mutable std::vector<std::vector<Memory>> spare_;
};

}  // namespace lockstep::spirv
