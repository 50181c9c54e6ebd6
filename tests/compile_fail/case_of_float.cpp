// A label has no fraction.
// expect-error: could not convert
// expect-error: cannot convert
// expect-error: no known conversion
// expect-error: invalid initialization of reference
// expect-error: no viable conversion
// expect-error: could not bind
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
    Switch (i) {
      Case(1.5f) { data[i] = 1u; }
    }
#else
    Switch (i) {
      Case(1) { data[i] = 1u; }
    }
#endif
  }
};

#include <lockstep/glsl/keywords_off.hpp>

void run(std::vector<std::uint32_t>& data) { lockstep::Device{}.dispatch<Misused, 8>({1}, data); }
