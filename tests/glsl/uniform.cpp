#include <lockstep/glsl/uniform.hpp>

#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/lockstep.hpp>

// After all other headers: the macros rename ordinary words.
#include <lockstep/glsl/keywords.hpp>

namespace {

using namespace lockstep;

/// Uniform variables in uniform control flow, also after some lanes have returned.
template <class S>
struct CountsTogether : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{10};
  Buffer<uint> out;

  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    auto n = uniform(1u);
    for (int k = 0; k < 3; ++k) n += 2u;  // 7
    n *= 5u;                              // 35
    n -= 3u;                              // 32
    n /= 2u;                              // 16
    n %= 11u;                             // 5
    n <<= 3u;                             // 40
    n >>= 1u;                             // 20
    n |= 3u;                              // 23
    n &= 29u;                             // 21
    n ^= 1u;                              // 20
    ++n;
    auto other = uniform(0u);
    other = n;  // 21
    --other;
    If (i % 10u == 9u) Return;
    n = other;  // 20: the lanes that are gone do not count
    other = 4u;
    If (i % 10u < 5u) {
      auto inner = uniform(true);
      inner = n == 20u && gl_NumSubgroups > 0u;
      out[i] = Uint(n) + Uint(Bool(bool{inner}));
    }
    Else { out[i] = n + other; }
  }
};

TEST_CASE("a uniform variable is written where all its lanes are active") {
  for (const int size : {1, 3, 10}) {
    const Device device{.subgroup_size = size};
    std::vector<std::uint32_t> out(20);
    device.dispatch<CountsTogether, 16>({2}, out);
    for (std::size_t i = 0; i < out.size(); ++i)
      CHECK(out[i] == (i % 10 == 9 ? 0u : i % 10 < 5 ? 21u : 24u));
    std::vector<std::uint32_t> tangled(20);
    device.dispatch<CountsTogether, 16>(Convergence{}, {2}, tangled);
    CHECK(tangled == out);
  }
}

/// A lane of a function that has returned from it is missing, but not one of the kernel.
template <class S>
struct WritesInFunction : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Buffer<uint> out;

  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    count(i);
    out[i] = 1u;
  }
  void count(const Uint& i) {
    Function;
    auto n = uniform(0u);
    If (i < 3u) Return;
    n += 1u;
  }
};

TEST_CASE("a uniform variable is not written where lanes have left its function") {
  using Catch::Matchers::Contains;
  std::vector<std::uint32_t> out(8);
  const Device device{.subgroup_size = 8};
  CHECK_THROWS_WITH((device.dispatch<WritesInFunction, 8>({1}, out)),
                    Contains("lanes 3-7 while lanes 0-2 are not active"));
  CHECK_THROWS_WITH((device.dispatch<WritesInFunction, 8>(Convergence{}, {1}, out)),
                    Contains("lanes 3-7 while lanes 0-2 are not active"));
}

}  // namespace
