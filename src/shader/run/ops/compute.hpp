#pragma once

#include <cmath>
#include <type_traits>
#include <utility>

#include <lockstep/glsl/functions/common.hpp>

#include "shader/ir/operations.hpp"
#include "shader/run/ops/chunk.hpp"

/// \file
/// What component-wise operations compute: a function of lanes for each, and the functions of instructions made of it.

namespace lockstep::spirv {

/// The function of an operation, `operator()(operands)`, on chunks of any type that its row allows. One that does more
/// than compute with each chunk has `run<T>(i, c)` instead.
template <Code code>
struct Compute;

/// Defines the function of an operation with two operands.
#define LOCKSTEP_COMPUTE(code, ...)                                 \
  template <>                                                       \
  struct Compute<Code::code> {                                      \
    template <class L>                                              \
    LOCKSTEP_INLINE auto operator()(const L& a, const L& b) const { \
      return __VA_ARGS__;                                           \
    }                                                               \
  }
/// The same with one operand, and with three.
#define LOCKSTEP_COMPUTE_OF_ONE(code, ...)              \
  template <>                                           \
  struct Compute<Code::code> {                          \
    template <class L>                                  \
    LOCKSTEP_INLINE auto operator()(const L& a) const { \
      return __VA_ARGS__;                               \
    }                                                   \
  }
#define LOCKSTEP_COMPUTE_OF_THREE(code, ...)                                    \
  template <>                                                                   \
  struct Compute<Code::code> {                                                  \
    template <class L>                                                          \
    LOCKSTEP_INLINE auto operator()(const L& a, const L& b, const L& c) const { \
      return __VA_ARGS__;                                                       \
    }                                                                           \
  }

// ---- Any number ----

LOCKSTEP_COMPUTE_OF_ONE(copy, L(a));
LOCKSTEP_COMPUTE(add, a + b);
LOCKSTEP_COMPUTE(sub, a - b);
LOCKSTEP_COMPUTE(mul, a* b);
LOCKSTEP_COMPUTE_OF_ONE(neg, -a);
LOCKSTEP_COMPUTE(equal, a == b);
LOCKSTEP_COMPUTE(not_equal, a != b);
LOCKSTEP_COMPUTE(less, a < b);
LOCKSTEP_COMPUTE(less_equal, a <= b);
LOCKSTEP_COMPUTE(min, min(a, b));
LOCKSTEP_COMPUTE(max, max(a, b));

template <>
struct Compute<Code::select> {
  template <class L>
  LOCKSTEP_INLINE L operator()(const Chunk<bool>& condition, const L& a, const L& b) const {
    return select(condition, a, b);
  }
};
template <>
struct Compute<Code::abs> {
  template <class L>
  LOCKSTEP_INLINE L operator()(const L& a) const {
    if constexpr (std::is_integral_v<typename L::value_type>)
      return select(a < L(0), -a, a);
    else
      return abs(a);
  }
};
template <>
struct Compute<Code::sign> {
  template <class L>
  LOCKSTEP_INLINE L operator()(const L& a) const {
    using T = typename L::value_type;
    if constexpr (std::is_integral_v<T>)
      return select(a < L(0), L(static_cast<T>(-1)), L(a > L(0)));
    else
      return sign(a);
  }
};
template <>
struct Compute<Code::clamp> {
  template <class L>
  LOCKSTEP_INLINE L operator()(const L& x, const L& low, const L& high) const {
    if constexpr (std::is_integral_v<typename L::value_type>)
      return min(max(x, low), high);
    else
      return clamp(x, low, high);
  }
};
/// Division by a uniform integer, usually a power of two, is cheaper.
template <>
struct Compute<Code::div> {
  template <class L>
  LOCKSTEP_INLINE L operator()(const L& a, const L& b) const {
    return a / b;
  }
  template <class T>
  static const Inst* run(const Inst* i, Context& c) {
    if constexpr (std::is_integral_v<T>) {
      if (!i->varying(1)) {
        const T divisor = get_first<T>(c.regs + i->b);
        return each_chunk<T, T>(i, c, [divisor](const Chunk<T>& a) { return a / divisor; });
      }
    }
    return each_chunk<T, T, T>(i, c, Compute{});
  }
};
template <>
struct Compute<Code::mod> {
  template <class T>
  static const Inst* run(const Inst* i, Context& c) {
    if constexpr (std::is_integral_v<T>) {
      if (!i->varying(1)) {
        const T divisor = get_first<T>(c.regs + i->b);
        return each_chunk<T, T>(i, c, [divisor](const Chunk<T>& a) { return a % divisor; });
      }
      return each_chunk<T, T, T>(i, c, [](const Chunk<T>& a, const Chunk<T>& b) { return a % b; });
    } else {
      return each_chunk<T, T, T>(i, c,
                                 [](const Chunk<T>& a, const Chunk<T>& b) { return mod(a, b); });
    }
  }
};
/// The remainder with the sign of the dividend, exactly.
template <>
struct Compute<Code::rem> {
  template <class L>
  LOCKSTEP_INLINE L operator()(const L& a, const L& b) const {
    if constexpr (std::is_integral_v<typename L::value_type>)
      return a - a / b * b;
    else
      return detail::map_real([](auto x, auto y) { return std::fmod(x, y); }, a, b);
  }
};

// ---- Integers ----

LOCKSTEP_COMPUTE(band, a& b);
LOCKSTEP_COMPUTE(bor, a | b);
LOCKSTEP_COMPUTE(bxor, a ^ b);
LOCKSTEP_COMPUTE_OF_ONE(bnot, ~a);
LOCKSTEP_COMPUTE(shl, a << b);
LOCKSTEP_COMPUTE(shr, a >> b);

// ---- The functions of instructions ----

/// The C++ type of an operand or result of an operation on T.
template <class T, Operand::Kind kind, Scalar scalar>
using NumberOf = std::conditional_t<
    kind != Operand::Kind::fixed, T,
    std::conditional_t<scalar == Scalar::boolean, bool,
                       std::conditional_t<scalar == Scalar::i32, std::int32_t, std::uint32_t>>>;
template <Code code, class T>
using ResultOf = NumberOf<T, operation_of(code).result.kind, operation_of(code).result.scalar>;
template <Code code, class T, std::size_t k>
using OperandOf = NumberOf<T, operation_of(code).operands.each[k].kind,
                           operation_of(code).operands.each[k].scalar>;
/// The numbers k of the operation's operands.
template <Code code>
using OperandNumbers = std::make_index_sequence<operation_of(code).operands.count>;

/// Runs an operation on T, chunk by chunk.
template <Code code, class T, std::size_t... k>
const Inst* compute_each(const Inst* i, Context& c) {
  return each_chunk<ResultOf<code, T>, OperandOf<code, T, k>...>(i, c, Compute<code>{});
}
template <Code code, class T, std::size_t... k>
constexpr Run computed(std::index_sequence<k...>) {
  if constexpr (requires(const Inst* i, Context& c) { Compute<code>::template run<T>(i, c); })
    return Compute<code>::template run<T>;
  else
    return compute_each<code, T, k...>;
}

/// The function of an operation on T if the numbers of its row are among these; null for others.
template <Code code, class T, bool among>
constexpr Run computed_if() {
  if constexpr (among)
    return computed<code, T>(OperandNumbers<code>());
  else
    return nullptr;
}
template <class T, Numbers... numbers>
Run find_computed(Code code) {
  static constexpr Run of_rows[] = {
#define LOCKSTEP_ROW(code, ...) \
  computed_if<Code::code, T, ((operation_of(Code::code).numbers == numbers) || ...)>(),
      LOCKSTEP_PURE_OPERATIONS(LOCKSTEP_ROW)
#undef LOCKSTEP_ROW
  };
  return of_rows[static_cast<std::size_t>(code)];
}

}  // namespace lockstep::spirv
