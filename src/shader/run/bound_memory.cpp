#include "shader/run/bound_memory.hpp"

namespace lockstep::spirv {

std::vector<Memory> BoundMemory::take() const {
  {
    const std::lock_guard lock(changing_);
    if (!spare_.empty()) {
      std::vector<Memory> copy = std::move(spare_.back());
      spare_.pop_back();
      return copy;
    }
  }
  return memory;
}

void BoundMemory::give_back(std::vector<Memory> copy) const {
  const std::lock_guard lock(changing_);
  spare_.push_back(std::move(copy));
}

}  // namespace lockstep::spirv
