// A lower-case else would run where no lane is in the If.
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
    If (i > 3u)
      data[i] = 1u;
    else
      data[i] = 2u;
#else
    If (i > 3u) data[i] = 1u;
    Else data[i] = 2u;
#endif
  }
};

#include <lockstep/glsl/keywords_off.hpp>

void run(std::vector<std::uint32_t>& data) { lockstep::Device{}.dispatch<Misused, 8>({1}, data); }
