// As an element, a selection of components has no name: later it would hold what was assigned since.
// expect-error: an element cannot be named by auto
#include <vector>

#include <lockstep/glsl/keywords.hpp>

template <class S>
struct Misused : lockstep::Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr lockstep::Size3 local_size{8};
  Buffer<uint> data;

  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    auto v = var(uvec2(i, 1u));
#ifdef MUST_FAIL
    auto p = v.xy;
    v.xy = p + 1u;
#else
    const uvec2 p = v.xy;
    v.xy = p + 1u;
#endif
    data[i] = v.x;
  }
};

#include <lockstep/glsl/keywords_off.hpp>

void run(std::vector<std::uint32_t>& data) { lockstep::Device{}.dispatch<Misused, 8>({1}, data); }
