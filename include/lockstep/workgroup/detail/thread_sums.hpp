#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <lockstep/config.hpp>

/// \file
/// What the threads of a dispatch add to the same arrays.

namespace lockstep {

/// An array of integers of 4 or 8 bytes that a kernel only adds to.
struct SummedArray {
  void* data;
  std::uint64_t bytes;
  std::uint32_t bytes_each;
};

/// The arrays that one thread adds to in place of those that all threads add to. In the end what it added goes there.
class ThreadSums {
 public:
  /// Clearing and adding more than this takes longer than threads wait for each other.
  static constexpr std::uint64_t most_bytes = 1 << 14;

  ThreadSums();
  ThreadSums(const ThreadSums&) = delete;
  ThreadSums& operator=(const ThreadSums&) = delete;
  ~ThreadSums();

  /// Makes an array of 0 for each of these that is small enough.
  void start(std::span<const SummedArray> arrays);
  /// The thread's array in place of this one, or null.
  LOCKSTEP_INLINE void* in_place_of(const void* data) const {
    for (const Sum& sum : sums_)
      if (sum.to.data == data) return sum.own;
    return nullptr;
  }

 private:
  /// No other thread's array is in the same cache line.
  struct alignas(64) Line {
    std::uint64_t words[8];
  };
  struct Sum {
    SummedArray to;
    void* own;
    std::vector<Line> memory;
  };

  std::vector<Sum> sums_;
};

}  // namespace lockstep
