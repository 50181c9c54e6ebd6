#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/keywords.hpp>

#include "tests.hpp"

template <class S>
struct Ballots : lockstep::Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr lockstep::Size3 local_size{64};
  Buffer<const uint> in;
  Buffer<uint> count;
  Buffer<uint> out;

  void main() {
    const Uint value = in[gl_GlobalInvocationID.x];
    If (value % 3u == 0u) {
      const auto kept = subgroupBallot(true);
      auto place = var(0u);
      If (subgroupElect()) place = atomicAdd(count[0], subgroupBallotBitCount(kept));
      out[subgroupBroadcastFirst(place) + subgroupBallotExclusiveBitCount(kept)] = value;
    }
  }
};

#include <lockstep/glsl/keywords_off.hpp>

bool test_ballots(const lockstep::Device& device) {
  const std::vector<std::uint32_t> in = numbers(256);
  std::vector<std::uint32_t> count(1), out(256);
  device.dispatch<Ballots>({4}, in, count, out);
  std::uint32_t kept = 0, sum = 0;
  for (const std::uint32_t number : in) {
    if (number % 3 == 0) ++kept, sum += number;
  }
  for (const std::uint32_t number : out) sum -= number;
  return count[0] == kept && sum == 0;
}
