#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/keywords.hpp>

#include "tests.hpp"

template <class S>
struct Histogram : lockstep::Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr lockstep::Size3 local_size{64};
  Buffer<const uint> in;
  Buffer<uint> counts;
  Shared<uint, 16> part{this};

  Barriers main() {
    const Uint i = gl_LocalInvocationIndex;
    If (i < 16u) part[i] = 0u;
    co_await barrier();
    atomicAdd(part[in[gl_GlobalInvocationID.x] % 16u], 1u);
    co_await barrier();
    If (i < 16u) atomicAdd(counts[i], part[i]);
  }
};

#include <lockstep/glsl/keywords_off.hpp>

bool test_histogram(const lockstep::Device& device) {
  const std::vector<std::uint32_t> in = numbers(256);
  std::vector<std::uint32_t> counts(16), expected(16);
  device.dispatch<Histogram>({4}, in, counts);
  for (const std::uint32_t number : in) ++expected[number % 16];
  return counts == expected;
}
