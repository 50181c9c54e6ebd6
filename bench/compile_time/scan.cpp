#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/keywords.hpp>

#include "tests.hpp"

template <class S>
struct Scan : lockstep::Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr lockstep::Size3 local_size{256};
  Buffer<const uint> in;
  Buffer<uint> out;
  Shared<uint, 256> totals{this};

  Barriers main() {
    const Uint i = gl_GlobalInvocationID.x;
    const Uint sum = subgroupInclusiveAdd(in[i]);
    const uint total = subgroupAdd(in[i]);
    If (subgroupElect()) totals[gl_SubgroupID] = total;
    co_await barrier();
    auto before = var(0u);
    for (uint s = 0; s < gl_SubgroupID; ++s) before += totals[s];
    out[i] = sum + before;
  }
};

#include <lockstep/glsl/keywords_off.hpp>

bool test_scan(const lockstep::Device& device) {
  const std::vector<std::uint32_t> in = numbers(512);
  std::vector<std::uint32_t> out(512);
  device.dispatch<Scan>({2}, in, out);
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < in.size(); ++i) {
    sum = i % 256 == 0 ? in[i] : sum + in[i];
    if (out[i] != sum) return false;
  }
  return true;
}
