// An element that had a name would be read again when it is assigned.
// expect-error: an element cannot be named by auto
// expect-errors: 1
#include <utility>
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
    auto e = data[i];
    data[i + 1u] = e;
#else
    const Uint e = data[i];
    data[i + 1u] = e;
#endif
  }
};

#include <lockstep/glsl/keywords_off.hpp>

void run(std::vector<std::uint32_t>& data) { lockstep::Device{}.dispatch<Misused, 8>({1}, data); }
