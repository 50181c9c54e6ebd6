#include <lockstep/dispatch/detail/subgroup_masks.hpp>

namespace lockstep {
namespace {

/// One bit per lane of a subgroup.
__extension__ using Bits = unsigned __int128;

Bits first(int lanes) { return lanes >= 128 ? ~Bits{0} : (Bits{1} << lanes) - 1; }

Bits mask_of(LanesAt at, int lane) {
  switch (at) {
    case LanesAt::same:
      return first(lane + 1) & ~first(lane);
    case LanesAt::same_or_above:
      return ~first(lane);
    case LanesAt::above:
      return ~first(lane + 1);
    case LanesAt::same_or_below:
      return first(lane + 1);
    case LanesAt::below:
      return first(lane);
  }
  return 0;
}

}  // namespace

void write_subgroup_masks(LanesAt at, int size, int lanes, std::uint32_t* words) {
  for (int lane = 0; lane < lanes; ++lane) {
    const Bits mask = mask_of(at, lane) & first(size);
    for (int k = 0; k < 4; ++k)
      words[k * lanes + lane] = static_cast<std::uint32_t>(mask >> (32 * k));
  }
}

}  // namespace lockstep
