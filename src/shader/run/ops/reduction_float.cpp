#include "shader/run/ops/reduction_list.hpp"

namespace lockstep::spirv {

Run find_reduction_float(spec::Name name, Scalar type, int width) {
  if (type == Scalar::f16) return find_reduction_float16(name, width);
  return for_width(width, [&]<int P>() {
    return type == Scalar::f32 ? find_reduction_on<is_reduction_of_floats, float, P>(name)
                               : find_reduction_on<is_reduction_of_floats, double, P>(name);
  });
}

}  // namespace lockstep::spirv
