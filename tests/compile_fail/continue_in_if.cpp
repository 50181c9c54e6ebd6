// A lower-case continue would move all lanes, also those that are not in the If.
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
    For (auto k = var(0u), k < 4u, k += 1u) {
      If (i == k) continue;
      data[i] = k;
    }
#else
    For (auto k = var(0u), k < 4u, k += 1u) {
      If (i == k) Continue;
      if (gl_NumSubgroups == 3u) continue;
      data[i] = k;
    }
#endif
  }
};

#include <lockstep/glsl/keywords_off.hpp>

void run(std::vector<std::uint32_t>& data) { lockstep::Device{}.dispatch<Misused, 8>({1}, data); }
