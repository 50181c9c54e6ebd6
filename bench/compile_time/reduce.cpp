#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/keywords.hpp>

#include "tests.hpp"

template <class S>
struct Reduce : lockstep::Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr lockstep::Size3 local_size{128};
  Buffer<const uint> values;
  Buffer<uint> maximum;

  void main() {
    If (gl_GlobalInvocationID.x < values.length()) {
      const uint largest = subgroupMax(values[gl_GlobalInvocationID.x]);
      If (subgroupElect()) atomicMax(maximum[0], largest);
    }
  }
};

#include <lockstep/glsl/keywords_off.hpp>

bool test_reduce(const lockstep::Device& device) {
  const std::vector<std::uint32_t> values = numbers(500);
  std::vector<std::uint32_t> maximum(1);
  device.dispatch<Reduce>({4}, values, maximum);
  std::uint32_t expected = 0;
  for (const std::uint32_t value : values) expected = value > expected ? value : expected;
  return maximum[0] == expected;
}
