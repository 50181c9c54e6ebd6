#pragma once

#include "shader/run/ops/reduction.hpp"

namespace lockstep::spirv {

Run find_reduction_int8(spec::Name name, bool as_signed, int width);
Run find_reduction_int16(spec::Name name, bool as_signed, int width);
Run find_reduction_int32(spec::Name name, bool as_signed, int width);
Run find_reduction_int64(spec::Name name, bool as_signed, int width);
Run find_reduction_float16(spec::Name name, int width);
Run find_reduction_float(spec::Name name, Scalar type, int width);

template <class Signed, class Unsigned, int P>
Run find_integer_reduction(spec::Name name, bool as_signed) {
  if (as_signed && reads_sign(name)) return find_reduction_on<reads_sign, Signed, P>(name);
  return find_reduction_on<is_reduction, Unsigned, P>(name);
}

}  // namespace lockstep::spirv
