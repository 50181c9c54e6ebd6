#include "spirv/exec/ops/reduction_list.hpp"

namespace lockstep::spirv {

Run find_reduction_float16(Code code, Operator op, int width) {
  return for_width(width, [&]<int P>() { return find_float_reduction<float16_t, P>(code, op); });
}

}  // namespace lockstep::spirv
