#include <lockstep/glsl/return_value.hpp>

#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/lockstep.hpp>

// After all other headers: the macros rename ordinary words.
#include <lockstep/glsl/keywords.hpp>

namespace {

using namespace lockstep;

/// Functions that return numbers, vectors and conditions early, also from loops and in one another.
template <class S>
struct ReturnsValues : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{40};
  Buffer<uint> out;
  Buffer<vec2> pairs;

  Uint smallest_divisor(const Uint& x) {
    FunctionOf(Uint);
    If (x < 2u) ReturnValue(0u);
    For (auto d = var(2u), d * d <= x, d += 1u) {
      If (x % d == 0u) ReturnValue(d);
    }
    return ReturnValue(x);
  }
  Bool is_prime(const Uint& x) {
    FunctionOf(Bool);
    If (x > 30u) {
      const Uint divisor = smallest_divisor(x);
      ReturnValue(divisor == x);
    }
    Else If (x == 9u) { ReturnValue(false); }
    return ReturnValue((x > 1u) & (smallest_divisor(x) == x));
  }
  vec2 pair(const Uint& x) {
    FunctionOf(vec2);
    If (is_prime(x)) ReturnValue(vec2(1.0f, Float(x)));
    return ReturnValue(vec2(2.0f, 0.0f));
  }

  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    If (i == 7u) Return;
    out[i] = smallest_divisor(i);
    pairs[i] = pair(i);
  }
};

TEST_CASE("lanes return values early") {
  for (const int size : {1, 7, 32}) {
    const Device device{.subgroup_size = size};
    std::vector<std::uint32_t> out(80, 1), tangled = out;
    std::vector<std::array<float, 2>> pairs(80), tangled_pairs = pairs;
    device.dispatch<ReturnsValues, 32>({2}, out, pairs);
    device.dispatch<ReturnsValues, 32>(Convergence{}, {2}, tangled, tangled_pairs);
    CHECK(tangled == out);
    CHECK(tangled_pairs == pairs);
    for (std::uint32_t i = 0; i < out.size(); ++i) {
      if (i == 7) {
        CHECK(out[i] == 1);
        continue;
      }
      std::uint32_t divisor = i < 2 ? 0 : i;
      for (std::uint32_t d = i - 1; d > 1 && i > 1; --d) {
        if (i % d == 0) divisor = d;
      }
      CHECK(out[i] == divisor);
      const bool prime = i > 1 && divisor == i;
      CHECK(pairs[i][0] == (prime ? 1.0f : 2.0f));
      CHECK(pairs[i][1] == (prime ? static_cast<float>(i) : 0.0f));
    }
  }
}

}  // namespace
