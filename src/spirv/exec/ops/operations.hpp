#pragma once

#include <lockstep/glsl/functions/common.hpp>

#include "spirv/exec/ops/chunk.hpp"

/// \file
/// Operations on lanes as types, for the functions that run instructions.

namespace lockstep::spirv::operation {

#define LOCKSTEP_OPERATION(Name, ...)                               \
  struct Name {                                                     \
    template <class L>                                              \
    LOCKSTEP_INLINE auto operator()(const L& a, const L& b) const { \
      return __VA_ARGS__;                                           \
    }                                                               \
  }
LOCKSTEP_OPERATION(Add, a + b);
LOCKSTEP_OPERATION(Sub, a - b);
LOCKSTEP_OPERATION(Mul, a* b);
LOCKSTEP_OPERATION(Div, a / b);
LOCKSTEP_OPERATION(And, a& b);
LOCKSTEP_OPERATION(Or, a | b);
LOCKSTEP_OPERATION(Xor, a ^ b);
LOCKSTEP_OPERATION(Shl, a << b);
LOCKSTEP_OPERATION(Shr, a >> b);
LOCKSTEP_OPERATION(Equal, a == b);
LOCKSTEP_OPERATION(NotEqual, a != b);
LOCKSTEP_OPERATION(Less, a < b);
LOCKSTEP_OPERATION(LessEqual, a <= b);
LOCKSTEP_OPERATION(Min, min(a, b));
LOCKSTEP_OPERATION(Max, max(a, b));
LOCKSTEP_OPERATION(AddCarry, L(a + b < a));
LOCKSTEP_OPERATION(SubBorrow, L(a < b));
#undef LOCKSTEP_OPERATION

struct Copy {
  template <class L>
  LOCKSTEP_INLINE L operator()(const L& a) const {
    return a;
  }
};
struct Neg {
  template <class L>
  LOCKSTEP_INLINE auto operator()(const L& a) const {
    return -a;
  }
};
struct Not {
  template <class L>
  LOCKSTEP_INLINE auto operator()(const L& a) const {
    return ~a;
  }
};
struct Choose {
  template <class L>
  LOCKSTEP_INLINE L operator()(const Chunk<bool>& condition, const L& a, const L& b) const {
    return select(condition, a, b);
  }
};

}  // namespace lockstep::spirv::operation
