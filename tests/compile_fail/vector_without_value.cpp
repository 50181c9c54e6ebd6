// A vector that was not written would hold arbitrary values.
// expect-error: a value is needed: vec3 v(0.0f), or a variable: auto v = var(vec3(0.0f))
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
    uvec2 v;
    data[i] = v.x;
#else
    uvec2 v(i, i);
    data[i] = v.x;
#endif
  }
};

#include <lockstep/glsl/keywords_off.hpp>

void run(std::vector<std::uint32_t>& data) { lockstep::Device{}.dispatch<Misused, 8>({1}, data); }
