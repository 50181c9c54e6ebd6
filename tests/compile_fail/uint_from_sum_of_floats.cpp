// With -Wconversion: the sum is a float of C++, which converts it to uint, unlike GLSL.
// flags: -Wconversion
// expect-warning: may change value [-Wfloat-conversion]
// expect-warning: implicit conversion turns floating-point number into integer
#include <vector>

#include <lockstep/checked.hpp>

#include <lockstep/glsl/keywords.hpp>

template <class S>
struct Misused : lockstep::Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr lockstep::Size3 local_size{8};
  Buffer<const float> in;
  Buffer<uint> out;

  void main() {
    const Uint i = gl_GlobalInvocationID.x;
#ifdef MUST_FAIL
    const uint sum = subgroupAdd(in[i]);
#else
    const uint sum = uint(subgroupAdd(in[i]));
#endif
    out[i] = sum;
  }
};

#include <lockstep/glsl/keywords_off.hpp>

void run(const std::vector<float>& in, std::vector<std::uint32_t>& out) {
  lockstep::Device{}.dispatch<Misused, 8>({1}, in, out);
  lockstep::Device{}.dispatch_checked<Misused, 8>({1}, in, out);
}
