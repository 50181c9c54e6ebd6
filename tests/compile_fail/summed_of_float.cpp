// A sum of floats depends on the order of the additions, which would depend on the threads.
// expect-error: a Summed adds int, uint, int64_t or uint64_t
#include <vector>

#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/keywords.hpp>

namespace {

#ifdef MUST_FAIL
using T = float;
#else
using T = int;
#endif

template <class S>
struct Total : lockstep::Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr lockstep::Size3 local_size{8};
  Summed<T> total;
  void main() { atomicAdd(total[0], T(1)); }
};

}  // namespace

#include <lockstep/glsl/keywords_off.hpp>

void run() {
  std::vector<T> total(2);
  lockstep::Device{}.dispatch<Total, 8>({1}, total);
}
