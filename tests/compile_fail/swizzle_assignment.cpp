// A selection of components is read-only, too, unless the vector is a variable.
// expect-error: use of deleted function
// expect-error: no match for 'operator='
// expect-error: no viable overloaded '='
// expect-error: overload resolution selected deleted operator '='
#include <lockstep/glsl/vec_var.hpp>

using Vec2 = lockstep::Vec<float, 2, 8>;

void swap(const lockstep::Mask<8>& active, Vec2& v) {
#ifdef MUST_FAIL
  v.xy = v.yx;
#else
  lockstep::CompoundVar<Vec2> w(active, v);
  w.xy = v.yx;
#endif
  static_cast<void>(active);
}
