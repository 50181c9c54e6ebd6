#pragma once

#include <lockstep/subgroup/arithmetic.hpp>
#include <lockstep/subgroup/clustered.hpp>

#include "spirv/exec/ops/find.hpp"
#include "spirv/exec/ops/number.hpp"
#include "spirv/exec/ops/wide.hpp"

/// \file
/// Reductions and scans. One file per family of types, because each is many functions.

namespace lockstep::spirv {

/// The built-in of an operator.
template <Operator op>
struct BuiltIn;

#define LOCKSTEP_REDUCTIONS(op, Name)                                       \
  template <>                                                               \
  struct BuiltIn<Operator::op> {                                            \
    template <int P, class V>                                               \
    static auto reduce(Mask<P> active, const V& v) {                        \
      return subgroup##Name(active, v);                                     \
    }                                                                       \
    template <int P, class V>                                               \
    static auto inclusive(Mask<P> active, const V& v) {                     \
      return subgroupInclusive##Name(active, v);                            \
    }                                                                       \
    template <int P, class V>                                               \
    static auto exclusive(Mask<P> active, const V& v) {                     \
      return subgroupExclusive##Name(active, v);                            \
    }                                                                       \
    template <int P, class V>                                               \
    static auto clustered(Mask<P> active, const V& v, std::uint32_t size) { \
      return subgroupClustered##Name(active, v, size);                      \
    }                                                                       \
  }
LOCKSTEP_REDUCTIONS(add, Add);
LOCKSTEP_REDUCTIONS(mul, Mul);
LOCKSTEP_REDUCTIONS(min, Min);
LOCKSTEP_REDUCTIONS(max, Max);
LOCKSTEP_REDUCTIONS(band, And);
LOCKSTEP_REDUCTIONS(bor, Or);
LOCKSTEP_REDUCTIONS(bxor, Xor);
#undef LOCKSTEP_REDUCTIONS

enum class Shape { reduce, inclusive, exclusive };

template <Shape shape, Operator op, int P, class V>
auto of_shape(Mask<P> active, const V& v) {
  if constexpr (shape == Shape::reduce)
    return BuiltIn<op>::reduce(active, v);
  else if constexpr (shape == Shape::inclusive)
    return BuiltIn<op>::inclusive(active, v);
  else
    return BuiltIn<op>::exclusive(active, v);
}

template <Shape shape, Operator op, class T, int P>
const Inst* reduction(const Inst* i, Context& c) {
  return give<P>(
      i, c,
      of_shape<shape, op, P>(active_lanes<P>(c), get_wide<T, P>(c.regs + i->a, i->varying(0))));
}

template <Operator op, class T, int P>
const Inst* clustered(const Inst* i, Context& c) {
  return give<P>(
      i, c,
      BuiltIn<op>::clustered(active_lanes<P>(c), get_wide<T, P>(c.regs + i->a, i->varying(0)),
                             static_cast<std::uint32_t>(i->imm)));
}

template <Operator op, class T, int P>
Run find_shape(Code code) {
  switch (code) {
    case Code::reduce:
      return reduction<Shape::reduce, op, T, P>;
    case Code::inclusive_scan:
      return reduction<Shape::inclusive, op, T, P>;
    case Code::exclusive_scan:
      return reduction<Shape::exclusive, op, T, P>;
    case Code::clustered:
      return clustered<op, T, P>;
    default:
      return nullptr;
  }
}

template <class T, int P>
Run find_sum(Code code, Operator op) {
  return op == Operator::add ? find_shape<Operator::add, T, P>(code)
                             : find_shape<Operator::mul, T, P>(code);
}
template <class T, int P>
Run find_bitwise(Code code, Operator op) {
  switch (op) {
    case Operator::band:
      return find_shape<Operator::band, T, P>(code);
    case Operator::bor:
      return find_shape<Operator::bor, T, P>(code);
    case Operator::bxor:
      return find_shape<Operator::bxor, T, P>(code);
    default:
      return nullptr;
  }
}

/// f.template operator()<P>() for the register width.
template <class F>
Run for_width(int width, F f) {
  Run run = nullptr;
  [&]<int... P>(std::integer_sequence<int, P...>) {
    static_cast<void>(((P == width && (run = f.template operator()<P>(), true)) || ...));
  }
  (RegisterWidths());
  return run;
}

}  // namespace lockstep::spirv
