#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/keywords.hpp>

#include "tests.hpp"

template <class S>
struct Loops : lockstep::Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr lockstep::Size3 local_size{64};
  Buffer<const uint> numbers;
  Buffer<uint> results;

  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    results[i] = steps(numbers[i] % 1000u + 1u) + odd_bits(numbers[i]);
  }

  Uint steps(const Uint& number) {
    auto n = var(number);
    auto count = var(0u);
    While (n > 1u) {
      If (n % 2u == 0u) n = n / 2u;
      Else n = n * 3u + 1u;
      count += 1u;
    }
    return count;
  }

  Uint odd_bits(const Uint& number) {
    auto bits = var(0u);
    For (auto k = var(0u), k < 32u, k += 1u) {
      If ((number >> k) == 0u) Break;
      Switch (number >> k & 3u) {
        Case(0) { Continue; }
        Case(1, 2) {
          bits += 1u;
          Break;
        }
        Default { bits += 2u; }
      }
    }
    return bits;
  }
};

#include <lockstep/glsl/keywords_off.hpp>

bool test_loops(const lockstep::Device& device) {
  const std::vector<std::uint32_t> in = numbers(128);
  std::vector<std::uint32_t> out(128);
  device.dispatch<Loops>({2}, in, out);
  for (std::size_t i = 0; i < in.size(); ++i) {
    std::uint32_t expected = 0;
    for (std::uint32_t n = in[i] % 1000 + 1; n > 1; ++expected) n = n % 2 == 0 ? n / 2 : n * 3 + 1;
    for (std::uint32_t bits = in[i]; bits != 0; bits /= 2) {
      expected += bits % 4 == 0 ? 0 : bits % 4 == 3 ? 2 : 1;
    }
    if (out[i] != expected) return false;
  }
  return true;
}
