#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include <lockstep/exec/lane_set.hpp>

namespace lockstep {

/// A set of lanes that execute the same dynamic instance together.
struct Tangle {
  LaneSet lanes;
  /// Whether all other lanes of the workgroup execute that instance, too.
  bool whole_workgroup = false;

  /// Stores both halves of the lanes at once. Of two stores, a copy of the set would have to wait until they are over.
  void set(LaneSet all, bool whole) {
    using Halves [[gnu::vector_size(sizeof(LaneSet))]] = std::uint64_t;
    const Halves halves{all.low, all.high};
    __builtin_memcpy(static_cast<void*>(&lanes), &halves, sizeof halves);
    whole_workgroup = whole;
  }

  friend bool operator==(const Tangle&, const Tangle&) = default;
};

/// Disjoint tangles in the order in which they came about.
///
/// Requires      Nothing is added to a set from itself.
/// Active lanes  None of its own.
/// Errors        None.
/// Cost          No allocation for up to two, which is what nearly all constructs have; for more, one that is kept.
/// Spec          SPIR-V 2.2.5: tangle
/// Example       tests/exec/tangles.cpp
class Tangles {
 public:
  using value_type = Tangle;

  Tangles() = default;
  Tangles(std::initializer_list<Tangle> tangles) {
    for (const Tangle& t : tangles) push_back(t);
  }
  Tangles(const Tangles& other) { *this = other; }
  Tangles& operator=(const Tangles& other) {
    copy_few(other);
    if (other.count_ > most_few && this != &other) copy_many(other);
    return *this;
  }
  /// Leaves the other one empty.
  Tangles(Tangles&& other) noexcept { *this = static_cast<Tangles&&>(other); }
  /// Leaves the other one empty.
  Tangles& operator=(Tangles&& other) noexcept {
    if (this == &other) return *this;
    copy_few(other);
    if (other.count_ > most_few) many_.swap(other.many_);
    other.count_ = 0;
    return *this;
  }
  ~Tangles() = default;

  std::size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  const Tangle* begin() const { return count_ > most_few ? many_.data() : few_; }
  const Tangle* end() const { return begin() + count_; }
  Tangle* begin() { return count_ > most_few ? many_.data() : few_; }
  Tangle* end() { return begin() + count_; }
  const Tangle& operator[](std::size_t k) const { return begin()[k]; }
  Tangle& operator[](std::size_t k) { return begin()[k]; }
  const Tangle& front() const { return *begin(); }
  const Tangle& back() const { return end()[-1]; }

  void push_back(const Tangle& tangle) {
    if (count_ < most_few)
      few_[count_] = tangle;
    else
      push_back_many(tangle);
    ++count_;
  }
  /// Adds a tangle of these lanes.
  void add(LaneSet lanes, bool whole_workgroup) {
    if (count_ < most_few) {
      few_[count_++].set(lanes, whole_workgroup);
    } else {
      push_back({lanes, whole_workgroup});
    }
  }
  /// Keeps the first ones.
  void shrink(std::size_t count) {
    if (count == count_) return;
    if (count_ > most_few && count <= most_few)
      for (std::size_t k = 0; k < count; ++k) few_[k] = many_[k];
    if (count > most_few) resize_many(count);
    count_ = count;
  }
  /// Moves the tangles of the other set after the tangles of this one.
  void take(Tangles& other) {
    if (empty() && this != &other) {
      *this = static_cast<Tangles&&>(other);
      return;
    }
    for (const Tangle& t : other) push_back(t);
    other.clear();
  }
  void clear() { count_ = 0; }
  /// The lanes of all tangles.
  LaneSet lanes() const {
    if (count_ == 1) return few_[0].lanes;
    LaneSet all;
    for (const Tangle& t : *this) all = all | t.lanes;
    return all;
  }

  friend bool operator==(const Tangles& a, const Tangles& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t k = 0; k < a.size(); ++k)
      if (!(a[k] == b[k])) return false;
    return true;
  }

 private:
  static constexpr std::size_t most_few = 2;

  void copy_few(const Tangles& other) {
    count_ = other.count_;
    for (std::size_t k = 0; k < most_few; ++k) few_[k] = other.few_[k];
  }
  // Rare, and what a vector costs to compile.
  void copy_many(const Tangles& other);
  void resize_many(std::size_t count);
  void push_back_many(const Tangle& tangle);

  std::size_t count_ = 0;
  Tangle few_[most_few];      ///< all of them, if there is room
  std::vector<Tangle> many_;  ///< all of them otherwise
};

}  // namespace lockstep
