#include <lockstep/dispatch/workgroup_order.hpp>

#include <bit>

namespace lockstep {
namespace {

std::uint64_t mixed(std::uint64_t x) {  // the finalizer of SplitMix64
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

/// A permutation of the numbers of 2 * half_bits bits: a Feistel network.
std::uint64_t permuted(std::uint64_t x, int half_bits, std::uint64_t seed) {
  const std::uint64_t mask = (std::uint64_t{1} << half_bits) - 1;
  std::uint64_t left = x >> half_bits, right = x & mask;
  constexpr std::uint64_t rounds = 6;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    const std::uint64_t next = left ^ (mixed(right + mixed(seed + round)) & mask);
    left = right;
    right = next;
  }
  return left << half_bits | right;
}

}  // namespace

std::uint64_t WorkgroupOrder::at(std::uint64_t position, std::uint64_t count) const {
  if (kind == Kind::linear) return position;
  if (kind == Kind::reversed) return count - 1 - position;
  const int half_bits = (static_cast<int>(std::bit_width(count)) + 1) / 2;
  // At most every fourth number on average is below the count; the permutation stays one if others are passed over.
  std::uint64_t number = position;
  do number = permuted(number, half_bits, seed);
  while (number >= count);
  return number;
}

}  // namespace lockstep
