// Lanes that were not written would hold arbitrary values.
// expect-error: a value is needed: Uint x = 0u, or a variable: auto x = var(0u)
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
    Uint x;
    data[i] = x;
#else
    auto x = var(0u);
    If (i > 3u) x = 1u;
    data[i] = x;
#endif
  }
};

#include <lockstep/glsl/keywords_off.hpp>

void run(std::vector<std::uint32_t>& data) { lockstep::Device{}.dispatch<Misused, 8>({1}, data); }
