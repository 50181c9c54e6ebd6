// Without Function, lanes that Return from a function would not be there after its call.
// expect-error: Return outside of main() leaves only a function whose first statement is Function;
#include <vector>

#include <lockstep/glsl/keywords.hpp>

template <class S>
struct Misused : lockstep::Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr lockstep::Size3 local_size{8};
  Buffer<uint> data;

#ifdef MUST_FAIL
  void set(const Uint& i) {
    If (i > 3u) Return;
    data[i] = 1u;
  }
#else
  void set(const Uint& i) {
    Function;
    If (i > 3u) Return;
    data[i] = 1u;
  }
#endif

  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    set(i);
  }
};

#include <lockstep/glsl/keywords_off.hpp>

void run(std::vector<std::uint32_t>& data) { lockstep::Device{}.dispatch<Misused, 8>({1}, data); }
