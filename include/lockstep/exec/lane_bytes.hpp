#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

#include <lockstep/exec/lane_set.hpp>

namespace lockstep {

/// Where each lane's access starts, in bytes from the start of an object. Lanes in a row, each as far from the last, have
/// no numbers of their own: most accesses are rows, and telling of one is quick.
///
/// Requires      A lane below size().
/// Active lanes  Lanes that access nothing are `outside`.
/// Errors        None.
/// Cost          A row none; else a number for each lane, in storage that is kept.
/// Spec          None.
/// Example       tests/exec/lane_bytes.cpp
class LaneBytes {
 public:
  /// The byte of a lane that touches nothing: its place is outside the object or an array in it.
  static constexpr std::uint64_t outside = ~std::uint64_t{0};

  LaneBytes() = default;
  LaneBytes(std::initializer_list<std::uint64_t> bytes) : LaneBytes(std::vector(bytes)) {}
  LaneBytes(std::vector<std::uint64_t> bytes) : size_(bytes.size()), bytes_(std::move(bytes)) {}

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::uint64_t operator[](std::size_t lane) const {
    if (!is_row_) return bytes_[lane];
    if (!row_.test(static_cast<int>(lane))) return outside;
    return of_lane_0_ + lane * static_cast<std::uint64_t>(stride_);
  }

  /// A row of lanes, of so many lanes: lane i's access starts at of_lane_0 + i * stride, modulo 2^64. The others are
  /// outside.
  void set_row(std::size_t size, LaneSet lanes, std::uint64_t of_lane_0, std::int64_t stride) {
    size_ = size;
    is_row_ = true;
    row_ = lanes;
    of_lane_0_ = of_lane_0;
    stride_ = stride;
  }
  /// The number of each lane.
  void set(const std::uint64_t* bytes, std::size_t size) {
    size_ = size;
    is_row_ = false;
    bytes_.assign(bytes, bytes + size);
  }
  void reserve(std::size_t size) { bytes_.reserve(size); }
  /// Adds a lane. Not to a row.
  void push_back(std::uint64_t byte) {
    bytes_.push_back(byte);
    ++size_;
  }
  void clear() {
    size_ = 0;
    is_row_ = false;
    bytes_.clear();
  }

  /// Whether it was set as a row.
  bool is_row() const { return is_row_; }
  /// Of a row, its lanes.
  LaneSet row() const { return row_; }
  /// Of a row, the bytes from lane to lane.
  std::int64_t stride() const { return stride_; }
  /// The numbers of all lanes. Not of a row.
  const std::uint64_t* data() const { return bytes_.data(); }

  /// Whether all lanes have the same numbers.
  friend bool operator==(const LaneBytes& a, const LaneBytes& b) {
    if (a.size_ != b.size_) return false;
    for (std::size_t lane = 0; lane < a.size_; ++lane)
      if (a[lane] != b[lane]) return false;
    return true;
  }

 private:
  std::size_t size_ = 0;
  bool is_row_ = false;
  LaneSet row_;
  std::uint64_t of_lane_0_ = 0;
  std::int64_t stride_ = 0;
  std::vector<std::uint64_t> bytes_;  ///< of no row
};

}  // namespace lockstep
