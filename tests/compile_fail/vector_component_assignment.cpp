// A component of a vector that is not a variable is read-only: assigning it would write inactive lanes too.
// expect-error: use of deleted function
// expect-error: overload resolution selected deleted operator '='
#include <lockstep/glsl/vec_var.hpp>

using Vec2 = lockstep::Vec<float, 2, 8>;

void raise(const lockstep::Mask<8>& active, Vec2& v) {
#ifdef MUST_FAIL
  v.x = v.x + 1.0f;
#else
  lockstep::CompoundVar<Vec2> w(active, v);
  w.x = v.x + 1.0f;
#endif
  static_cast<void>(active);
}
