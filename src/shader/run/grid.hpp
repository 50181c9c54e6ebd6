#pragma once

#include <cstddef>
#include <cstdint>

#include "shader/run/run.hpp"

namespace lockstep::spirv {

/// The workgroups of a dispatch in the order in which they start, and one of them.
class Grid {
 public:
  explicit Grid(const DispatchArgs& args)
      : size_(args.workgroups), base_(args.base), order_(args.settings.order) {}

  /// The one to begin with.
  void start_at(std::uint64_t number) {
    number_ = number;
    workgroup_ = at(number);
  }
  void step() {
    ++number_;
    if (order_.kind != WorkgroupOrder::Kind::linear) {
      workgroup_ = at(number_);
      return;
    }
    if (++workgroup_.x - base_.x < size_.x) return;
    workgroup_.x = base_.x;
    if (++workgroup_.y - base_.y < size_.y) return;
    workgroup_.y = base_.y;
    ++workgroup_.z;
  }
  const Size3& workgroup() const { return workgroup_; }
  /// The one after it. Requires `later() > 0`.
  Size3 following() const { return at(number_ + 1); }
  /// How many start after it.
  std::uint64_t later() const { return std::uint64_t{size_.x} * size_.y * size_.z - 1 - number_; }

 private:
  /// The workgroup that starts as that number.
  Size3 at(std::uint64_t start) const {
    const auto [x, y, z] = size_;
    const std::uint64_t number = order_.at(start, std::uint64_t{x} * y * z);
    const auto plus = [](std::uint32_t base, std::uint64_t index) {
      return base + static_cast<std::uint32_t>(index);
    };
    return {plus(base_.x, number % x), plus(base_.y, number / x % y),
            plus(base_.z, number / x / y)};
  }

  Size3 size_, base_;
  WorkgroupOrder order_;
  Size3 workgroup_;
  std::uint64_t number_ = 0;
};

}  // namespace lockstep::spirv
