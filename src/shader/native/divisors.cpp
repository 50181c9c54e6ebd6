#if LOCKSTEP_SPIRV_NATIVE

#include "shader/native/divisors.hpp"

#include <bit>

namespace lockstep::spirv {

/// Let n = floor(log2(divisor)) and round the factor up. The product is then too large, but the quotient is right if
/// factor * divisor - 2^(32 + n) <= 2^(n + 32 - bits). Where that fails, the factor of an odd divisor is rounded down and
/// added once more; a number is halved first until an even divisor is odd, which leaves it fewer bits.
UnsignedDivisor unsigned_divisor(std::uint32_t divisor, unsigned bits) {
  UnsignedDivisor found;
  const auto factor_of = [&](std::uint32_t by) {
    const int log = static_cast<int>(std::bit_width(by)) - 1;
    found.after = static_cast<std::uint8_t>(log);
    const std::uint64_t power = std::uint64_t{1} << (32 + log);
    found.factor = static_cast<std::uint32_t>(power / by + 1);
    const std::uint64_t above = std::uint64_t{found.factor} * by - power;
    return above <= std::uint64_t{1} << (log + 32 - static_cast<int>(bits));
  };
  if (factor_of(divisor)) return found;
  if (divisor % 2 != 0) {
    --found.factor;
    found.adds = true;
    return found;
  }
  found.before = static_cast<std::uint8_t>(std::countr_zero(divisor));
  bits -= found.before;
  factor_of(divisor >> found.before);
  return found;
}

/// Products are too large by an error that grows within each multiple of the divisor: if the quotients of the largest
/// number before the last multiple and of the largest number are right, all are. Those of negative numbers, which are
/// rounded down before one is added, may be the next whole number.
SignedDivisor signed_divisor(std::uint32_t divisor) {
  constexpr std::uint64_t end = std::uint64_t{1} << 31;
  const int log = static_cast<int>(std::bit_width(divisor)) - 1;
  const std::uint64_t factor = (std::uint64_t{1} << (31 + log)) / divisor + 1;
  const auto is_right = [&](std::uint64_t x, std::uint64_t less) {
    return (x * factor - less) >> (31 + log) == x / divisor;
  };
  if (factor < end && is_right(end / divisor * divisor - 1, 0) && is_right(end - 1, 0) &&
      is_right(end, 1))
    return {static_cast<std::int32_t>(factor), static_cast<std::uint8_t>(log - 1), false};
  const std::uint64_t longer = (std::uint64_t{1} << (32 + log)) / divisor + 1;
  return {static_cast<std::int32_t>(static_cast<std::uint32_t>(longer)),
          static_cast<std::uint8_t>(log), true};
}

}  // namespace lockstep::spirv

#endif
