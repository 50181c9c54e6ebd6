// A swap would exchange inactive lanes, too.
// expect-error: const Uint x = a; a = b; b = x;
// expect-errors: 1
#include <utility>
#include <vector>

#include <lockstep/glsl/keywords.hpp>

template <class S>
struct Misused : lockstep::Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr lockstep::Size3 local_size{8};
  Buffer<uint> data;

  void main() {
    const Uint i = gl_GlobalInvocationID.x;
#ifdef MUST_FAIL
    auto a = var(i), b = var(0u);
    std::swap(a, b);
    data[i] = a + b;
#else
    auto a = var(i), b = var(0u);
    const Uint x = a;
    a = b;
    b = x;
    data[i] = a + b;
#endif
  }
};

#include <lockstep/glsl/keywords_off.hpp>

void run(std::vector<std::uint32_t>& data) { lockstep::Device{}.dispatch<Misused, 8>({1}, data); }
