// A component cannot get two values at once.
// expect-error: no match for 'operator='
// expect-error: use of deleted function
// expect-error: no viable overloaded '='
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
    v.xx = uvec2(2u, 3u);
#else
    v.xy = uvec2(2u, 3u);
#endif
    data[i] = v.x;
  }
};

#include <lockstep/glsl/keywords_off.hpp>

void run(std::vector<std::uint32_t>& data) { lockstep::Device{}.dispatch<Misused, 8>({1}, data); }
