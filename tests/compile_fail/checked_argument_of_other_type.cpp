// The same in a checked dispatch, and with a rule of convergence.
// expect-error: this argument of the dispatch (its number, the type Given) does not fit the kernel's Member
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
  lockstep::Device{}.dispatch_checked<Add, 8>(lockstep::Convergence(), {1}, out, out, 3u);
#else
  lockstep::Device{}.dispatch_checked<Add, 8>(lockstep::Convergence(), {1}, in, out, 3u);
#endif
}
