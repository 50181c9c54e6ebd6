// ReturnValue needs a function that knows the type of its values.
// expect-error: ReturnValue leaves a function whose first statement is FunctionOf (Type);
// expect-line: 4
#include <vector>

#include <lockstep/glsl/keywords.hpp>

template <class S>
struct Misused : lockstep::Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr lockstep::Size3 local_size{8};
  Buffer<uint> data;

#ifdef MUST_FAIL
  Uint twice(const Uint& i) {
    Function;
    If (i > 3u) ReturnValue(i);
    return i * 2u;
  }
#else
  Uint twice(const Uint& i) {
    FunctionOf(Uint);
    If (i > 3u) ReturnValue(i);
    return ReturnValue(i * 2u);
  }
#endif

  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    data[i] = twice(i);
  }
};

#include <lockstep/glsl/keywords_off.hpp>

void run(std::vector<std::uint32_t>& data) { lockstep::Device{}.dispatch<Misused, 8>({1}, data); }
