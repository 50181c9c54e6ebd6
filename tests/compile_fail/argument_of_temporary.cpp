// What the kernel writes to a temporary array is lost.
// expect-error: this argument of the dispatch is a temporary or const array, but the kernel's member is writable
// expect-line: 4
// expect-errors: 1
#include <vector>

#include <lockstep/checked.hpp>

template <class S>
struct Add : lockstep::Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr lockstep::Size3 local_size{8};
  Buffer<const float> in;
  Buffer<uint> out;
  uint number;

  void main() { out[gl_GlobalInvocationID.x] = Uint(in[gl_GlobalInvocationID.x]) + number; }
};

void run(const std::vector<float>& in, std::vector<std::uint32_t>& out) {
#ifdef MUST_FAIL
  lockstep::Device{}.dispatch<Add, 8>({1}, in, std::vector<std::uint32_t>(8), 3u);
#else
  lockstep::Device{}.dispatch<Add, 8>({1}, std::vector<float>(8), out, 3u);
#endif
}
