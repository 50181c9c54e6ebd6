#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/keywords.hpp>

#include "tests.hpp"

template <class S>
struct Shuffles : lockstep::Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr lockstep::Size3 local_size{64};
  Buffer<const float> in;
  Buffer<float> out;

  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    auto sum = var(in[i]);
    for (uint distance = 1; distance < 4; distance *= 2) sum += subgroupShuffleXor(sum, distance);
    out[i] = select(subgroupAny(sum > 1e30f), 0.0f, sum);
  }
};

#include <lockstep/glsl/keywords_off.hpp>

bool test_shuffles(const lockstep::Device& device) {
  std::vector<float> in(128), out(128);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
  device.dispatch<Shuffles>({2}, in, out);
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (out[i] != static_cast<float>(i / 4 * 16 + 6)) return false;
  }
  return true;
}
