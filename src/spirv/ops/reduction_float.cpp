#include "spirv/ops/reduction_list.hpp"

namespace lockstep::spirv {
namespace {

template <class T, int P>
Run find_of(Code code, Operator op) {
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

}  // namespace

Run find_reduction_float(Code code, Scalar type, Operator op, int width) {
  return for_width(width, [&]<int P>() {
    return for_float(type, [&]<class T>() { return find_of<T, P>(code, op); });
  });
}

}  // namespace lockstep::spirv
