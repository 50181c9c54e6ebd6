// A uniform variable refers to its machine's state, which must therefore outlive it.
// expect-error: use of deleted function
// expect-error: call to deleted constructor
#include <lockstep/glsl/uniform.hpp>

struct State {
  lockstep::Mask<8> active;
};

int total(const lockstep::Mask<8>& active) {
#ifdef MUST_FAIL
  lockstep::Uniform<State, int> sum(State{active}, 1, {});
#else
  const State state{active};
  lockstep::Uniform<State, int> sum(state, 1, {});
#endif
  return sum;
}
