// As an element, a component of a variable has no name: later it would hold what was assigned since.
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
    auto v = var(vec2(1.0f));
#ifdef MUST_FAIL
    auto x = v[0];
    v[0] = x + 1.0f;
#else
    const Float x = v[0];
    v[0] = x + 1.0f;
#endif
    data[i] = Uint(v.x);
  }
};

#include <lockstep/glsl/keywords_off.hpp>

void run(std::vector<std::uint32_t>& data) { lockstep::Device{}.dispatch<Misused, 8>({1}, data); }
