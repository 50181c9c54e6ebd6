// Three consecutive floats are not an element of an array of vec3, which takes the space of four.
// expect-error: a Buffer<T>, which is an Array<T>, takes an array of T, or of std430::vec3 for vec3
// expect-line: 4
// expect-errors: 1
#include <array>
#include <vector>

#include <lockstep/lockstep.hpp>

template <class S>
struct Clear : lockstep::Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr lockstep::Size3 local_size{8};
  Buffer<vec3> data;

  void main() { data[gl_GlobalInvocationID.x] = vec3(0.0f); }
};

#ifdef MUST_FAIL
using Element = std::array<float, 3>;
#else
using Element = lockstep::std430::vec3;
#endif

void run(std::vector<Element>& data) { lockstep::Device{}.dispatch<Clear, 8>({1}, data); }
