#pragma once

#include "spirv/exec/ops/reduction.hpp"

namespace lockstep::spirv {

Run find_reduction_int8(Code code, bool as_signed, Operator op, int width);
Run find_reduction_int16(Code code, bool as_signed, Operator op, int width);
Run find_reduction_int32(Code code, bool as_signed, Operator op, int width);
Run find_reduction_int64(Code code, bool as_signed, Operator op, int width);
Run find_reduction_float16(Code code, Operator op, int width);
Run find_reduction_float(Code code, Scalar type, Operator op, int width);

/// Signed and unsigned integers differ only in minimum and maximum.
template <class Signed, class Unsigned, int P>
Run find_integer_reduction(Code code, bool as_signed, Operator op) {
  switch (op) {
    case Operator::min:
      return as_signed ? find_shape<Operator::min, Signed, P>(code)
                       : find_shape<Operator::min, Unsigned, P>(code);
    case Operator::max:
      return as_signed ? find_shape<Operator::max, Signed, P>(code)
                       : find_shape<Operator::max, Unsigned, P>(code);
    case Operator::add:
    case Operator::mul:
      return find_sum<Unsigned, P>(code, op);
    default:
      return find_bitwise<Unsigned, P>(code, op);
  }
}

template <class T, int P>
Run find_float_reduction(Code code, Operator op) {
  switch (op) {
    case Operator::add:
    case Operator::mul:
      return find_sum<T, P>(code, op);
    case Operator::min:
      return find_shape<Operator::min, T, P>(code);
    case Operator::max:
      return find_shape<Operator::max, T, P>(code);
    default:
      return nullptr;
  }
}

}  // namespace lockstep::spirv
