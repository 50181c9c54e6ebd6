// Lanes of int and of uint have no common type: GLSL's implicit conversion is written.
// expect-error: lanes of different types: convert one, as in Uint(a) + b
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
    const Int step(-1);
    data[i] = i + step;
#else
    const Int step(-1);
    data[i] = i + Uint(step);
#endif
  }
};

#include <lockstep/glsl/keywords_off.hpp>

void run(std::vector<std::uint32_t>& data) { lockstep::Device{}.dispatch<Misused, 8>({1}, data); }
