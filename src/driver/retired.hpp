#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <vector>

namespace lockstep::driver {

/// Objects that a program has destroyed while submissions before that were not over. Vulkan forbids it for what they use;
/// here such an object lives on until they are over. Guarded by the device's SyncHub.
class Retired {
 public:
  static constexpr std::size_t queues = 4;

  /// A queue has got another submission.
  void submitted(std::size_t queue) { ++submitted_[queue]; }
  /// Its oldest submission is over. Returns objects that nothing can use any more: let them go without the lock.
  [[nodiscard]] std::vector<std::shared_ptr<void>> ended(std::size_t queue) {
    ++ended_[queue];
    std::vector<std::shared_ptr<void>> free;
    while (!waiting_.empty() && is_over(waiting_.front().until)) {
      free.push_back(std::move(waiting_.front().object));
      waiting_.pop_front();
    }
    return free;
  }
  /// Keeps the object until all submissions so far are over. Returns it if they are.
  [[nodiscard]] std::shared_ptr<void> retire(std::shared_ptr<void> object) {
    if (is_over(submitted_)) return object;
    waiting_.push_back({submitted_, std::move(object)});
    return nullptr;
  }

 private:
  using Counts = std::array<std::uint64_t, queues>;
  struct Waiting {
    Counts until;
    std::shared_ptr<void> object;
  };

  bool is_over(const Counts& counts) const {
    for (std::size_t k = 0; k < queues; ++k)
      if (ended_[k] < counts[k]) return false;
    return true;
  }

  Counts submitted_{}, ended_{};
  std::list<Waiting>
      waiting_;  ///< in the order of their destruction, which is also that of their ends
};

}  // namespace lockstep::driver
