#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

#include <catch2/catch.hpp>

#include <lockstep/lockstep.hpp>
#include <lockstep/spirv/shader.hpp>

#include "support/with_native.hpp"

/// \file
/// A library that was linked with -ffast-math makes the thread that loads it flush denormals. Runs keep them, and leave
/// the thread's mode as it was.

using namespace lockstep;

namespace {

/// While it lives, this thread flushes denormal results and operands.
class Flushing {
 public:
#if defined(__SSE__)
  static constexpr bool can = true;
  Flushing() : before_(_mm_getcsr()) { _mm_setcsr(before_ | 0x8040); }
  ~Flushing() { _mm_setcsr(before_); }
  static bool holds() { return (_mm_getcsr() & 0x8040) == 0x8040; }

 private:
  unsigned before_;
#else
  static constexpr bool can = false;
  static bool holds() { return true; }
#endif
};

constexpr std::size_t denormals = 4096;
constexpr std::uint32_t tiny = 6, half_of_smallest_normal = 0x00400000;

constexpr const char* flushed_source = R"(#version 450
layout(local_size_x = 64) in;
layout(constant_id = 3) const float chosen = 1.0;
layout(binding = 0) buffer In { uint x[]; };
layout(binding = 1) buffer Out { uint y[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  float value = uintBitsToFloat(x[i]);
  float sum = value + value;
  if (i % 4u == 1u) sum = value * 3.0;
  if (i % 4u == 2u) sum = chosen * 0.5;
  if (i % 4u == 3u) sum = -value / 2.0;
  y[i] = floatBitsToUint(sum);
})";

/// Of x = tiny; each is exact.
constexpr std::array<std::uint32_t, 4> kept{2 * tiny, 3 * tiny, half_of_smallest_normal,
                                            0x80000000u | tiny / 2};

template <class S>
struct Doubled : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{64};
  Buffer<const float> x;
  Buffer<float> y;
  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    y[i] = x[i] + x[i];
  }
};

}  // namespace

TEST_CASE("shaders keep denormals on a thread that flushes them") {
  if (!Flushing::can) return;
  const int threads = GENERATE(1, 0);
  const std::string native = GENERATE(as<std::string>(), "off", "");
  const test::WithNative chosen(native.empty() ? nullptr : native.c_str());
  std::vector<std::uint32_t> x(denormals, tiny), y(denormals);
  {
    const Flushing mode;
    const std::uint32_t smallest_normal = 0x00800000;
    ShaderOptions options;
    options.spec = {{3, SpecConstant::from_bits(smallest_normal)}};
    auto shader = Shader::from_glsl(flushed_source, options);
    shader.bind(0, x).bind(1, y);
    shader.dispatch({denormals / 64}, {.subgroup_size = 32, .threads = threads});
    CHECK(Flushing::holds());
  }
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < denormals; ++i) wrong += y[i] != kept[i % 4] ? 1 : 0;
  CHECK(wrong == 0);
}

TEST_CASE("kernels keep denormals on a thread that flushes them") {
  if (!Flushing::can) return;
  const int threads = GENERATE(1, 0);
  std::vector<std::uint32_t> x(denormals, tiny), y(denormals);
  {
    const Flushing mode;
    const std::span<const float> from(reinterpret_cast<const float*>(x.data()), x.size());
    const std::span<float> to(reinterpret_cast<float*>(y.data()), y.size());
    Device{.subgroup_size = 32, .threads = threads}.dispatch<Doubled, 32>({denormals / 64}, from,
                                                                          to);
    CHECK(Flushing::holds());
  }
  CHECK(y == std::vector<std::uint32_t>(denormals, 2 * tiny));
}
