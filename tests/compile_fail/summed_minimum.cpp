// Only additions can be done in any order by each thread on its own, beginning with 0.
// expect-error: a kernel only adds to a Summed
#include <vector>

#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/keywords.hpp>

namespace {

template <class S>
struct Total : lockstep::Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr lockstep::Size3 local_size{8};
  Summed<uint> total;
  void main() {
    atomicAdd(total[0], gl_LocalInvocationIndex);
#ifdef MUST_FAIL
    atomicMin(total[0], 1u);
#endif
  }
};

}  // namespace

#include <lockstep/glsl/keywords_off.hpp>

void run() {
  std::vector<std::uint32_t> total(2);
  lockstep::Device{}.dispatch<Total, 8>({1}, total);
}
