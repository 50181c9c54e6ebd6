#include "spirv/exec/ops/reduction_list.hpp"

namespace lockstep::spirv {

Run find_reduction_int8(Code code, bool as_signed, Operator op, int width) {
  return for_width(width, [&]<int P>() {
    return find_integer_reduction<std::int8_t, std::uint8_t, P>(code, as_signed, op);
  });
}

}  // namespace lockstep::spirv
