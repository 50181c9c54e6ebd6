// A component named by a letter is read-only: assigning it would write inactive lanes too.
// expect-error: use of deleted function
// expect-error: overload resolution selected deleted operator '='
#include <lockstep/glsl/vec_var.hpp>

using Vec2 = lockstep::Vec<float, 2, 8>;

void raise(lockstep::CompoundVar<Vec2>& v) {
#ifdef MUST_FAIL
  v.x = v.x + 1.0f;
#else
  v[0] = v.x + 1.0f;
#endif
}
