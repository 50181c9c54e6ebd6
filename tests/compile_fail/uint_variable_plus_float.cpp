// GLSL adds no float to a uint.
// expect-error: no match for 'operator+='
// expect-error: no viable overloaded
// expect-error: invalid operands to binary expression
#include <vector>

#include <lockstep/glsl/keywords.hpp>

template <class S>
struct Misused : lockstep::Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr lockstep::Size3 local_size{8};
  Buffer<uint> data;

  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    auto x = var(0u);
#ifdef MUST_FAIL
    x += 1.5f;
#else
    x += 1u;
#endif
    data[i] = x;
  }
};

#include <lockstep/glsl/keywords_off.hpp>

void run(std::vector<std::uint32_t>& data) { lockstep::Device{}.dispatch<Misused, 8>({1}, data); }
