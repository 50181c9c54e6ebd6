// Each buffer of the kernel needs an array.
// expect-error: this dispatch has fewer arguments (given) than the kernel has members without a value (wanted)
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
  lockstep::Device{}.dispatch<Add, 8>({1}, in);
#else
  lockstep::Device{}.dispatch<Add, 8>({1}, in, out, 3u);
#endif
}
