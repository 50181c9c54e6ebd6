// A lower-case continue would skip the test at the end.
// expect-error: a lower-case continue inside If, Else, Case, Switch or Do moves all lanes
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
    Do {
      if (gl_NumSubgroups == 3u) continue;
      LoopWhile(i > 9u);
    }
#else
    Do {
      if (gl_NumSubgroups == 3u) Continue;
      LoopWhile(i > 9u);
    }
#endif
  }
};

#include <lockstep/glsl/keywords_off.hpp>

void run(std::vector<std::uint32_t>& data) { lockstep::Device{}.dispatch<Misused, 8>({1}, data); }
