#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace lockstep::spirv {

/// A component of a value or variable: a scalar in each lane.
using Reg = std::uint32_t;
inline constexpr Reg no_reg = std::numeric_limits<Reg>::max();

/// The registers that an operation reads or writes. Nearly all operations have few, which need no memory elsewhere:
/// passes over a large shader move and copy every operation many times.
class RegList {
 public:
  static constexpr std::uint32_t most_inside = 4;

  RegList() = default;
  RegList(std::span<const Reg> regs) { assign(regs.data(), regs.size()); }
  RegList(const std::vector<Reg>& regs) { assign(regs.data(), regs.size()); }
  RegList(std::initializer_list<Reg> regs) { assign(regs.begin(), regs.size()); }
  RegList(const RegList& other) { assign(other.data(), other.size()); }
  RegList(RegList&& other) noexcept { take(other); }
  RegList& operator=(const RegList& other) {
    if (this != &other) *this = RegList(other);
    return *this;
  }
  RegList& operator=(RegList&& other) noexcept {
    if (this == &other) return *this;
    if (is_outside()) delete[] outside_;
    take(other);
    return *this;
  }
  ~RegList() {
    if (is_outside()) delete[] outside_;
  }
  operator std::vector<Reg>() const { return {begin(), end()}; }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Reg* data() { return is_outside() ? outside_ : inside_; }
  const Reg* data() const { return is_outside() ? outside_ : inside_; }
  Reg* begin() { return data(); }
  const Reg* begin() const { return data(); }
  Reg* end() { return data() + size_; }
  const Reg* end() const { return data() + size_; }
  Reg& operator[](std::size_t k) { return data()[k]; }
  const Reg& operator[](std::size_t k) const { return data()[k]; }
  Reg& front() { return data()[0]; }
  const Reg& front() const { return data()[0]; }
  Reg& back() { return data()[size_ - 1]; }
  const Reg& back() const { return data()[size_ - 1]; }

  void push_back(Reg reg) {
    if (size_ == room_) grow(2 * room_);
    data()[size_++] = reg;
  }
  void pop_back() { --size_; }

  friend bool operator==(const RegList& a, const RegList& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  bool is_outside() const { return room_ > most_inside; }

  void assign(const Reg* from, std::size_t count) {
    if (count > most_inside) grow(static_cast<std::uint32_t>(count));
    std::copy_n(from, count, data());
    size_ = static_cast<std::uint32_t>(count);
  }
  void grow(std::uint32_t room) {
    Reg* const to = new Reg[room];
    std::copy_n(data(), size_, to);
    if (is_outside()) delete[] outside_;
    outside_ = to;
    room_ = room;
  }
  /// Leaves the other empty; what this one held outside is forgotten.
  void take(RegList& other) noexcept {
    size_ = std::exchange(other.size_, 0);
    room_ = std::exchange(other.room_, most_inside);
    if (is_outside())
      outside_ = other.outside_;
    else
      std::copy_n(other.inside_, most_inside, inside_);
  }

  std::uint32_t size_ = 0, room_ = most_inside;
  union {
    Reg inside_[most_inside] = {};
    Reg* outside_;
  };
};

}  // namespace lockstep::spirv
