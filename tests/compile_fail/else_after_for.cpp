// A lower-case else after a loop belongs to nothing.
// expect-error: without a previous
// expect-error: expected expression
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
    For (auto k = var(0u), k < 4u, k += 1u) data[i] = k;
    else data[i] = 2u;
#else
    For (auto k = var(0u), k < 4u, k += 1u) data[i] = k;
#endif
  }
};

#include <lockstep/glsl/keywords_off.hpp>

void run(std::vector<std::uint32_t>& data) { lockstep::Device{}.dispatch<Misused, 8>({1}, data); }
