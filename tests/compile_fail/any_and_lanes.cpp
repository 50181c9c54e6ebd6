// The result of a vote and a bool per lane are not one condition.
// expect-error: Bool is one value per lane: If, While, Choose; && is AndAlso or &, || is OrElse or |
// expect-errors: 1
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
    if (subgroupAny(i > 3u) && i > 5u) data[i] = 1u;
#else
    if (subgroupAny(i > 3u) && subgroupAny(i > 5u)) data[i] = 1u;
#endif
  }
};

#include <lockstep/glsl/keywords_off.hpp>

void run(std::vector<std::uint32_t>& data) {
  lockstep::Device{}.dispatch<Misused, 8>(lockstep::Convergence{}, {1}, data);
}
