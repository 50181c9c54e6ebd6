#include "spirv/exec/ops/reduction_list.hpp"

namespace lockstep::spirv {

Run find_reduction_float(Code code, Scalar type, Operator op, int width) {
  if (type == Scalar::f16) return find_reduction_float16(code, op, width);
  return for_width(width, [&]<int P>() {
    return type == Scalar::f32 ? find_float_reduction<float, P>(code, op)
                               : find_float_reduction<double, P>(code, op);
  });
}

}  // namespace lockstep::spirv
