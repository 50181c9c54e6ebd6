#pragma once

#include <cstdint>

/// \file
/// Random numbers that are the same everywhere: neither engine nor distribution from a library.

namespace lockstep::test {

/// Spreads every bit of x over all bits.
inline std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

/// One number that depends on all of these and their order.
template <class... N>
std::uint64_t hash_of(std::uint64_t first, N... rest) {
  std::uint64_t x = first;
  ((x = mixed(x * 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(rest) + 1)), ...);
  return x;
}

/// A sequence of random numbers, determined by its seed.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : state_(mixed(seed ^ 0x5bf0363546a1f2d9u)) {}

  std::uint64_t next() { return mixed(state_ += 0x9e3779b97f4a7c15u); }
  /// One of 0 to n - 1.
  int below(int n) { return static_cast<int>(next() % static_cast<std::uint64_t>(n)); }
  bool chance(int percent) { return below(100) < percent; }

 private:
  std::uint64_t state_;
};

}  // namespace lockstep::test
