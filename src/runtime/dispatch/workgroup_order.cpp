#include <lockstep/dispatch/workgroup_order.hpp>

#include <algorithm>
#include <bit>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include <lockstep/exec/error.hpp>

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

/// The element at a position of permutation number `number` of 0 to count - 1.
std::uint64_t permuted_of_all(std::uint64_t position, std::uint64_t count, std::uint64_t number) {
  std::vector<std::uint64_t> left(count);
  std::iota(left.begin(), left.end(), std::uint64_t{0});
  for (std::uint64_t at = 0;; ++at) {
    std::uint64_t each = 1;  // permutations with the same element here
    for (std::uint64_t k = 2; k < left.size(); ++k) each *= k;
    const auto chosen = left.begin() + static_cast<std::ptrdiff_t>(number / each);
    if (at == position) return *chosen;
    number %= each;
    left.erase(chosen);
  }
}

constexpr std::uint64_t most_permuted = 20;

void check_permutation(std::uint64_t number, std::uint64_t count) {
  std::uint64_t all = 1;
  for (std::uint64_t k = 2; k <= std::min(count, most_permuted); ++k) all *= k;
  if (count > most_permuted || number >= all)
    throw Error(
        fmt::format("order {} of {} workgroups does not exist: up to 20 have numbered orders, {} "
                    "these",
                    number, count, count > most_permuted ? 0 : all));
}

}  // namespace

std::uint64_t WorkgroupOrder::at(std::uint64_t position, std::uint64_t count) const {
  if (kind == Kind::linear) return position;
  if (kind == Kind::reversed) return count - 1 - position;
  if (kind == Kind::permutation) {
    check_permutation(seed, count);
    return permuted_of_all(position, count, seed);
  }
  const int half_bits = (static_cast<int>(std::bit_width(count)) + 1) / 2;
  // At most every fourth number on average is below the count; the permutation stays one if others are passed over.
  std::uint64_t number = position;
  do number = permuted(number, half_bits, seed);
  while (number >= count);
  return number;
}

}  // namespace lockstep
