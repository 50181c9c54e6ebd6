#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/checked.hpp>
#include <lockstep/lanes/float16.hpp>

/// \file
/// Every operator and function on operands in every form that a kernel can write: an element, a variable, a member of a
/// block. In each form it must compile where it does with named values, give the same bits, and be undefined in the
/// same lanes from the same origin.

namespace lockstep::test {

inline constexpr int operand_lanes = 16;

/// One application of an operator or function.
struct Applied {
  std::vector<std::uint64_t> bits;    ///< of each lane's result
  std::vector<std::uint32_t> origin;  ///< of each lane's undefined result, 0 where it is defined

  friend bool operator==(const Applied&, const Applied&) = default;
};

/// What the kernels of this file tell the test.
struct OperandReport {
  std::map<std::string, bool> compiles;  ///< each operator: whether it does with named values
  std::map<std::string, Applied>
      named;  ///< each operator and function with values read from each form
  std::vector<std::string> differences;  ///< where the form itself gives something else
  int applied = 0;                       ///< in such forms
};
inline OperandReport* operand_report = nullptr;

/// Where operands stand: an operator or function, a form, and what its operands are, with % for that form. Thousands of
/// calls are compiled, so they pass three pointers, and what they do with them is compiled once.
struct Operands {
  std::string_view op;
  const char* form;
  const char* pattern;

  std::string text() const {
    std::string text = std::string(op) + " on ";
    for (const char* c = pattern; *c != 0; ++c)
      if (*c == '%')
        text += form;
      else
        text += *c;
    return text;
  }
};
inline void report_difference(const Operands& where, const char* what) {
  operand_report->differences.push_back(where.text() + what);
}
inline void report_compiles(std::string_view op, const char* kind, bool compiles) {
  operand_report->compiles[std::string(op) + kind] = compiles;
}
inline void keep_named(const Operands& where, const Applied& applied) {
  operand_report->named[where.text()] = applied;
}
/// Compares a result with what named values gave.
inline void compare(const Applied& expected, const Applied& got, const Operands& where) {
  ++operand_report->applied;
  if (got.bits != expected.bits)
    report_difference(where, " gives other bits than with named values");
  if (got.origin != expected.origin)
    report_difference(where,
                      " is undefined in other lanes, or from elsewhere, than with named values");
}

template <class T>
std::uint64_t bits_of(T value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

template <class L>
concept CheckedResult = requires(const L& l) {
  l.poison();
};

/// A result's lanes.
template <class L>
Applied lanes_of(const L& result) {
  Applied applied;
  for (int i = 0; i < operand_lanes; ++i) {
    if constexpr (CheckedResult<L>) {
      applied.bits.push_back(bits_of(result.plain()[i]));
      applied.origin.push_back(
          result.poison().lanes.test(i) ? origins::in_lane(result.poison().since, i) : 0);
    } else if constexpr (requires { result[i]; }) {
      applied.bits.push_back(bits_of(result[i]));
    } else {
      applied.bits.push_back(bits_of(result));
    }
  }
  return applied;
}

/// Operators, as functions on expressions of any kind.
#define LOCKSTEP_BINARY(name, op)                                                              \
  struct name {                                                                                \
    static constexpr std::string_view text = #op;                                              \
    template <class A, class B>                                                                \
    requires requires(A && a, B&& b) { static_cast<A&&>(a) op static_cast<B&&>(b); }           \
    auto operator()(A&& a, B&& b) const { return static_cast<A&&>(a) op static_cast<B&&>(b); } \
  };
LOCKSTEP_BINARY(Plus, +)
LOCKSTEP_BINARY(Minus, -)
LOCKSTEP_BINARY(Times, *)
LOCKSTEP_BINARY(Divided, /)
LOCKSTEP_BINARY(Modulo, %)
LOCKSTEP_BINARY(And, &)
LOCKSTEP_BINARY(Or, |)
LOCKSTEP_BINARY(Xor, ^)
LOCKSTEP_BINARY(ShiftLeft, <<)
LOCKSTEP_BINARY(ShiftRight, >>)
LOCKSTEP_BINARY(Equal, ==)
LOCKSTEP_BINARY(NotEqual, !=)
LOCKSTEP_BINARY(Less, <)
LOCKSTEP_BINARY(LessEqual, <=)
LOCKSTEP_BINARY(Greater, >)
LOCKSTEP_BINARY(GreaterEqual, >=)
#undef LOCKSTEP_BINARY
using Binaries = std::tuple<Plus, Minus, Times, Divided, Modulo, And, Or, Xor, ShiftLeft,
                            ShiftRight, Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual>;

#define LOCKSTEP_UNARY(name, op)                                    \
  struct name {                                                     \
    static constexpr std::string_view text = #op;                   \
    template <class A>                                              \
    requires requires(A && a) { op static_cast<A&&>(a); }           \
    auto operator()(A&& a) const { return op static_cast<A&&>(a); } \
  };
LOCKSTEP_UNARY(Negated, -)
LOCKSTEP_UNARY(Inverted, ~)
LOCKSTEP_UNARY(Not, !)
#undef LOCKSTEP_UNARY
using Unaries = std::tuple<Negated, Inverted, Not>;

// The result, which an operator of vectors or with two results has in a part of its own.
#define LOCKSTEP_FUNCTION_OF(arity, name, ...)                        \
  struct name##_of_##arity {                                          \
    static constexpr std::string_view text = #name;                   \
    template <class... A>                                             \
    requires(sizeof...(A) == arity) auto operator()(A&&... a) const { \
      return name(static_cast<A&&>(a)... __VA_OPT__(, ) __VA_ARGS__); \
    }                                                                 \
  };
#define LOCKSTEP_PART_OF(arity, name, part)                           \
  struct name##_##part {                                              \
    static constexpr std::string_view text = #name "." #part;         \
    template <class... A>                                             \
    requires(sizeof...(A) == arity) auto operator()(A&&... a) const { \
      return name(static_cast<A&&>(a)...).part;                       \
    }                                                                 \
  };
LOCKSTEP_FUNCTION_OF(1, radians)
LOCKSTEP_FUNCTION_OF(1, degrees)
LOCKSTEP_FUNCTION_OF(1, sin)
LOCKSTEP_FUNCTION_OF(1, cos)
LOCKSTEP_FUNCTION_OF(1, tan)
LOCKSTEP_FUNCTION_OF(1, asin)
LOCKSTEP_FUNCTION_OF(1, acos)
LOCKSTEP_FUNCTION_OF(1, atan)
LOCKSTEP_FUNCTION_OF(1, sinh)
LOCKSTEP_FUNCTION_OF(1, cosh)
LOCKSTEP_FUNCTION_OF(1, tanh)
LOCKSTEP_FUNCTION_OF(1, asinh)
LOCKSTEP_FUNCTION_OF(1, acosh)
LOCKSTEP_FUNCTION_OF(1, atanh)
LOCKSTEP_FUNCTION_OF(1, exp)
LOCKSTEP_FUNCTION_OF(1, log)
LOCKSTEP_FUNCTION_OF(1, exp2)
LOCKSTEP_FUNCTION_OF(1, log2)
LOCKSTEP_FUNCTION_OF(1, sqrt)
LOCKSTEP_FUNCTION_OF(1, inversesqrt)
LOCKSTEP_FUNCTION_OF(1, abs)
LOCKSTEP_FUNCTION_OF(1, sign)
LOCKSTEP_FUNCTION_OF(1, floor)
LOCKSTEP_FUNCTION_OF(1, trunc)
LOCKSTEP_FUNCTION_OF(1, round)
LOCKSTEP_FUNCTION_OF(1, roundEven)
LOCKSTEP_FUNCTION_OF(1, ceil)
LOCKSTEP_FUNCTION_OF(1, fract)
LOCKSTEP_FUNCTION_OF(1, isnan)
LOCKSTEP_FUNCTION_OF(1, isinf)
LOCKSTEP_FUNCTION_OF(1, floatBitsToInt)
LOCKSTEP_FUNCTION_OF(1, floatBitsToUint)
LOCKSTEP_FUNCTION_OF(1, intBitsToFloat)
LOCKSTEP_FUNCTION_OF(1, uintBitsToFloat)
LOCKSTEP_FUNCTION_OF(1, doubleBitsToInt64)
LOCKSTEP_FUNCTION_OF(1, doubleBitsToUint64)
LOCKSTEP_FUNCTION_OF(1, int64BitsToDouble)
LOCKSTEP_FUNCTION_OF(1, uint64BitsToDouble)
LOCKSTEP_FUNCTION_OF(1, float16BitsToInt16)
LOCKSTEP_FUNCTION_OF(1, float16BitsToUint16)
LOCKSTEP_FUNCTION_OF(1, int16BitsToFloat16)
LOCKSTEP_FUNCTION_OF(1, uint16BitsToFloat16)
LOCKSTEP_FUNCTION_OF(1, ldexp, 3)
LOCKSTEP_FUNCTION_OF(1, bitfieldExtract, 2, 3)
LOCKSTEP_FUNCTION_OF(2, bitfieldInsert, 2, 3)
LOCKSTEP_FUNCTION_OF(1, bitfieldReverse)
LOCKSTEP_FUNCTION_OF(1, bitCount)
LOCKSTEP_FUNCTION_OF(1, findLSB)
LOCKSTEP_FUNCTION_OF(1, findMSB)
LOCKSTEP_FUNCTION_OF(2, atan)
LOCKSTEP_FUNCTION_OF(2, pow)
LOCKSTEP_FUNCTION_OF(2, mod)
LOCKSTEP_FUNCTION_OF(2, min)
LOCKSTEP_FUNCTION_OF(2, max)
LOCKSTEP_FUNCTION_OF(2, step)
LOCKSTEP_FUNCTION_OF(3, clamp)
LOCKSTEP_FUNCTION_OF(3, mix)
LOCKSTEP_FUNCTION_OF(3, smoothstep)
LOCKSTEP_FUNCTION_OF(3, fma)
LOCKSTEP_PART_OF(1, modf, fraction)
LOCKSTEP_PART_OF(1, modf, whole)
LOCKSTEP_PART_OF(1, frexp, significand)
LOCKSTEP_PART_OF(1, frexp, exponent)
LOCKSTEP_PART_OF(2, uaddCarry, sum)
LOCKSTEP_PART_OF(2, uaddCarry, carry)
LOCKSTEP_PART_OF(2, usubBorrow, difference)
LOCKSTEP_PART_OF(2, usubBorrow, borrow)
LOCKSTEP_PART_OF(2, umulExtended, msb)
LOCKSTEP_PART_OF(2, umulExtended, lsb)
LOCKSTEP_PART_OF(2, imulExtended, msb)
LOCKSTEP_PART_OF(2, imulExtended, lsb)
LOCKSTEP_PART_OF(1, unpackHalf2x16, y)
LOCKSTEP_PART_OF(1, unpackUnorm4x8, z)
#undef LOCKSTEP_FUNCTION_OF
#undef LOCKSTEP_PART_OF

using FloatingFunctions =
    std::tuple<radians_of_1, degrees_of_1, sin_of_1, cos_of_1, tan_of_1, asin_of_1, acos_of_1,
               atan_of_1, sinh_of_1, cosh_of_1, tanh_of_1, asinh_of_1, acosh_of_1, atanh_of_1,
               exp_of_1, log_of_1, exp2_of_1, log2_of_1, atan_of_2, pow_of_2>;
using NumberFunctions = std::tuple<abs_of_1, sign_of_1, min_of_2, max_of_2, clamp_of_3>;
using RealFunctions =
    std::tuple<sqrt_of_1, inversesqrt_of_1, floor_of_1, trunc_of_1, round_of_1, roundEven_of_1,
               ceil_of_1, fract_of_1, isnan_of_1, isinf_of_1, ldexp_of_1, mod_of_2, step_of_2,
               mix_of_3, smoothstep_of_3, fma_of_3, modf_fraction, modf_whole, frexp_significand,
               frexp_exponent>;
using IntegerFunctions = std::tuple<bitfieldExtract_of_1, bitfieldInsert_of_2, bitfieldReverse_of_1,
                                    bitCount_of_1, findLSB_of_1, findMSB_of_1>;

/// The functions that GLSL has for a type, after those that it has for every number.
template <class T>
struct FunctionsFor {
  using type = std::tuple<min_of_2, max_of_2, clamp_of_3>;
};
template <>
struct FunctionsFor<float> {
  using type = decltype(std::tuple_cat(NumberFunctions(), RealFunctions(), FloatingFunctions(),
                                       std::tuple<floatBitsToInt_of_1, floatBitsToUint_of_1>()));
};
template <>
struct FunctionsFor<float16_t> {
  using type = decltype(std::tuple_cat(
      NumberFunctions(), RealFunctions(),
      std::tuple<float16BitsToInt16_of_1, float16BitsToUint16_of_1, sin_of_1, pow_of_2>()));
};
template <>
struct FunctionsFor<double> {
  using type =
      decltype(std::tuple_cat(NumberFunctions(), RealFunctions(),
                              std::tuple<doubleBitsToInt64_of_1, doubleBitsToUint64_of_1>()));
};
template <>
struct FunctionsFor<std::int32_t> {
  using type = decltype(std::tuple_cat(
      NumberFunctions(), IntegerFunctions(),
      std::tuple<intBitsToFloat_of_1, imulExtended_msb, imulExtended_lsb>()));
};
template <>
struct FunctionsFor<std::uint32_t> {
  using type =
      decltype(std::tuple_cat(std::tuple<min_of_2, max_of_2, clamp_of_3>(), IntegerFunctions(),
                              std::tuple<uintBitsToFloat_of_1, uaddCarry_sum, uaddCarry_carry,
                                         usubBorrow_difference, usubBorrow_borrow, umulExtended_msb,
                                         umulExtended_lsb, unpackHalf2x16_y, unpackUnorm4x8_z>()));
};
template <>
struct FunctionsFor<std::int64_t> {
  using type = decltype(std::tuple_cat(NumberFunctions(), std::tuple<int64BitsToDouble_of_1>()));
};
template <>
struct FunctionsFor<std::uint64_t> {
  using type = std::tuple<min_of_2, max_of_2, clamp_of_3, uint64BitsToDouble_of_1>;
};
template <>
struct FunctionsFor<bool> {
  using type = std::tuple<>;
};

enum Enumerators : std::uint8_t { enumerator_3 = 3 };

/// A form of an operand: of(is_right) is the expression, on the left or on the right of an operator.
template <class F>
struct Form {
  const char* name;
  F of;
};
template <class F>
Form(const char*, F) -> Form<F>;  // clang 14 finds none for aggregates

/// The reference to a member, which no function can return, once more.
template <class Ref>
Ref again(Ref&& ref) {
  return Ref(ref.place());
}

/// How many of the forms: those that differ most, or all.
enum class Forms { few, all };

/// Those for a type.
template <class T>
inline constexpr Forms forms_of_type =
#if defined(LOCKSTEP_TEST_REDUCED)
    Forms::few;
#else
    std::same_as<T, float> || std::same_as<T, std::int32_t> || std::same_as<T, std::uint32_t> ||
            std::same_as<T, bool>
        ? Forms::all
        : Forms::few;
#endif

/// Applies everything to operands in these forms. Body is a struct of buffers with a T named number.
template <class S, class T, class Body, Forms forms>
struct AppliesToOperands : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{operand_lanes};
  static constexpr bool in_buffers = !std::same_as<T, bool>;
  using L = ValueOn<S, T>;
  using Stored = std::conditional_t<in_buffers, T, std::uint32_t>;
  Buffer<const Stored> in;  ///< the left operands, then the right ones
  Buffer<Body> bodies;      ///< the same
  uint written;             ///< whether shared memory has values
  Shared<T, 2 * operand_lanes> tile{this};
  Shared<Body, 2 * operand_lanes> shared_bodies{this};

  Barriers main() {
    const Uint left = gl_LocalInvocationIndex;
    const Uint right = left + uint{operand_lanes};
    if (written != 0) {
      for (const Uint& i : {left, right}) {
        tile[i] = L(in[i]);
        if constexpr (in_buffers) shared_bodies[i].number = in[i];
      }
    }
    co_await barrier();
    apply(left, right);
  }

 private:
  void apply(const Uint& left, const Uint& right) {
    constexpr uint lane = 3;
    const L a = tile[left], b = tile[right];
    auto var_a = var(a), var_b = var(b);
    Array<T, 2> local{this};
    local[0u] = a;
    local[1u] = b;
    const Uint zero(0u), one(1u);
    const auto index = [&](bool is_right) -> const Uint& { return is_right ? right : left; };
    const auto lane_of = [&](bool is_right) { return lane + (is_right ? operand_lanes : 0u); };

    apply_in(Form{"shared element", [&](bool r) { return tile[index(r)]; }});
    apply_in(Form{"shared element at a uniform index", [&](bool r) { return tile[lane_of(r)]; }});
    if constexpr (in_buffers)
      apply_in(
          Form{"shared member", [&](bool r) { return again(shared_bodies[index(r)].number); }});
    if constexpr (forms == Forms::all) {
      apply_in(Form{"variable", [&](bool r) -> decltype(var_a)& { return r ? var_b : var_a; }});
      apply_in(Form{"element of a local array", [&](bool r) { return local[r ? one : zero]; }});
      apply_in(Form{"element of a local array at a uniform index",
                    [&](bool r) { return local[uint{r}]; }});
    }
    if constexpr (in_buffers && forms == Forms::all) {
      apply_in(Form{"element", [&](bool r) { return in[index(r)]; }});
      apply_in(Form{"element at a uniform index", [&](bool r) { return in[lane_of(r)]; }});
      apply_in(Form{"member", [&](bool r) { return again(bodies[index(r)].number); }});
      apply_in(Form{"shared member at a uniform index",
                    [&](bool r) { return again(shared_bodies[lane_of(r)].number); }});
    }
  }

  template <class F>
  void apply_in(const Form<F>& form) {
    const L a = form.of(false), b = form.of(true);
    std::apply([&](const auto&... op) { (apply_binary(op, form, a, b), ...); }, Binaries());
    std::apply([&](const auto&... op) { (apply_unary(op, form, a), ...); }, Unaries());
    std::apply([&](const auto&... f) { (apply_function(f, form, a, b), ...); },
               typename FunctionsFor<T>::type());
    apply_calls(form, a);
  }

  /// Compares a result with what named values gave.
  template <class Op, class F, class... A>
  static void expect(const Form<F>& form, const Applied& expected, const char* pattern, A&&... a) {
    const Operands where{Op::text, form.name, pattern};
    if constexpr (std::invocable<Op, A...>)
      compare(expected, lanes_of(Op()(static_cast<A&&>(a)...)), where);
    else
      report_difference(where, " does not compile, but does with named values");
  }
  template <class Op, class F, class... V>
  static Applied named(const Form<F>& form, const V&... values) {
    const Applied applied = lanes_of(Op()(values...));
    keep_named({Op::text, form.name, "%"}, applied);
    return applied;
  }
  /// Where an operator is not GLSL's, it is not in this form either.
  template <class Op, class F, class... A>
  static void expect_none(const Form<F>& form) {
    if constexpr (std::invocable<Op, A...>)
      report_difference({Op::text, form.name, "%"}, " compiles, but does not with named values");
  }

  template <class Op, class F>
  void apply_binary(const Op&, const Form<F>& form, const L& a, const L& b) {
    constexpr bool compiles = std::invocable<Op, const L&, const L&>;
    report_compiles(Op::text, "", compiles);
    if constexpr (compiles) {
      const T number(3);
      const L scalar(number);
      const auto one_number = uniform(number);
      const Applied with_scalar = lanes_of(Op()(a, scalar)), of_scalar = lanes_of(Op()(scalar, b));
      const Applied both = named<Op>(form, a, b);
      expect<Op>(form, both, "%, %", form.of(false), form.of(true));
      expect<Op>(form, both, "%, value", form.of(false), b);
      expect<Op>(form, both, "value, %", a, form.of(true));
      expect<Op>(form, with_scalar, "%, number", form.of(false), number);
      expect<Op>(form, of_scalar, "number, %", number, form.of(true));
      expect<Op>(form, with_scalar, "%, uniform", form.of(false), one_number);
      expect<Op>(form, of_scalar, "uniform, %", one_number, form.of(true));
      if constexpr (std::integral<T> && !std::same_as<T, bool>) {
        expect<Op>(form, with_scalar, "%, enumerator", form.of(false), enumerator_3);
        expect<Op>(form, of_scalar, "enumerator, %", enumerator_3, form.of(true));
      }
    } else {
      expect_none<Op, F, decltype(form.of(false)), decltype(form.of(true))>(form);
    }
  }
  template <class Op, class F>
  void apply_unary(const Op&, const Form<F>& form, const L& a) {
    constexpr bool compiles = std::invocable<Op, const L&>;
    report_compiles(Op::text, " of one", compiles);
    if constexpr (compiles)
      expect<Op>(form, lanes_of(Op()(a)), "%", form.of(false));
    else
      expect_none<Op, F, decltype(form.of(false))>(form);
  }
  template <class Op, class F>
  void apply_function(const Op&, const Form<F>& form, const L& a, const L& b) {
    const T number(3);
    const L scalar(number);
    if constexpr (std::invocable<Op, const L&>) {
      expect<Op>(form, named<Op>(form, a), "%", form.of(false));
    } else if constexpr (std::invocable<Op, const L&, const L&>) {
      const Applied both = named<Op>(form, a, b);
      expect<Op>(form, both, "%, %", form.of(false), form.of(true));
      expect<Op>(form, both, "%, value", form.of(false), b);
      expect<Op>(form, both, "value, %", a, form.of(true));
      expect<Op>(form, lanes_of(Op()(a, scalar)), "%, number", form.of(false), number);
    } else {
      const Applied all = named<Op>(form, a, b, scalar);
      expect<Op>(form, all, "%, %, value", form.of(false), form.of(true), scalar);
      expect<Op>(form, all, "value, %, number", a, form.of(true), number);
      expect<Op>(form, all, "%, value, number", form.of(false), b, number);
    }
  }

  /// GLSL's constructors and the subgroup built-ins, which are members of the kernel.
  template <class F>
  void apply_calls(const Form<F>& form, const L& a) {
    const auto apply_call = [&](const char* name, const auto& call) {
      compare(lanes_of(call(a)), lanes_of(call(form.of(false))), {name, form.name, "%"});
    };
#define LOCKSTEP_CONVERSION(name) \
  apply_call(#name, [](auto&& x) { return name(static_cast<decltype(x)>(x)); })
#define LOCKSTEP_CALL(name, ...)                                               \
  apply_call(#name, [this](auto&& x) {                                         \
    return this->name(static_cast<decltype(x)>(x) __VA_OPT__(, ) __VA_ARGS__); \
  })
    LOCKSTEP_CONVERSION(Bool);
    LOCKSTEP_CONVERSION(L);
    if constexpr (!std::same_as<T, bool>) {
      LOCKSTEP_CONVERSION(Uint);
      LOCKSTEP_CONVERSION(Int);
      LOCKSTEP_CONVERSION(Float);
      LOCKSTEP_CONVERSION(Double);
      LOCKSTEP_CALL(subgroupAdd);
      LOCKSTEP_CALL(subgroupInclusiveMul);
      LOCKSTEP_CALL(subgroupExclusiveMax);
      LOCKSTEP_CALL(subgroupClusteredMin, 4u);
    }
    LOCKSTEP_CALL(subgroupBroadcast, 5u);
    LOCKSTEP_CALL(subgroupBroadcastFirst);
    LOCKSTEP_CALL(subgroupShuffle, 7u);
    LOCKSTEP_CALL(subgroupShuffleXor, 1u);
    LOCKSTEP_CALL(subgroupShuffleUp, 2u);
    LOCKSTEP_CALL(subgroupRotate, 3u);
    LOCKSTEP_CALL(subgroupQuadSwapDiagonal);
    LOCKSTEP_CALL(subgroupAllEqual);
#undef LOCKSTEP_CONVERSION
#undef LOCKSTEP_CALL
  }
};

/// The left operands, then the right ones: small, and with zeros and negative numbers among them.
template <class T>
std::vector<T> operand_numbers() {
  std::vector<T> numbers;
  for (int i = 0; i < 2 * operand_lanes; ++i) {
    const int k = (i * 7 + i / 16) % 11;
    numbers.push_back(static_cast<T>(std::is_signed_v<T> ? k - 4 : k));
  }
  return numbers;
}

/// An operator on two numbers, where it is defined: what C++ gives.
template <class Op, class T>
std::optional<std::uint64_t> scalar_result(T a, T b) {
  if constexpr (std::invocable<Op, const T&, const T&>) {
    constexpr bool divides = std::same_as<Op, Divided> || std::same_as<Op, Modulo>;
    constexpr bool shifts = std::same_as<Op, ShiftLeft> || std::same_as<Op, ShiftRight>;
    // GLSL leaves % of negative numbers open.
    if (std::same_as<Op, Modulo> && (a < T(0) || b < T(0))) return std::nullopt;
    if (divides && (b == T(0) || !std::is_integral_v<T>)&&std::is_integral_v<T>)
      return std::nullopt;
    if (shifts && (b < T(0) || a < T(0) || b >= T(8 * sizeof(T) - 1))) return std::nullopt;
    const auto result = Op()(a, b);
    if constexpr (std::same_as<decltype(result), const bool>)
      return bits_of(result);
    else
      return bits_of(static_cast<T>(result));
  }
  return std::nullopt;
}

/// Runs K on the plain machine and on both checked ones, where shared memory has values and where it has none.
template <class T, class Body, template <class> class K>
void check_operands() {
  using Stored = std::conditional_t<std::same_as<T, bool>, std::uint32_t, T>;
  const std::vector<Stored> in = operand_numbers<Stored>();
  std::vector<Body> bodies(in.size());
  for (std::size_t k = 0; k < in.size(); ++k)
    bodies[k].number = static_cast<decltype(Body::number)>(in[k]);
  const Device device{.subgroup_size = operand_lanes, .threads = 1, .faults = Faults::counted};

  for (const std::uint32_t written : {1u, 0u}) {
    const auto run = [&](const auto& dispatch) {
      OperandReport report;
      operand_report = &report;
      dispatch();
      operand_report = nullptr;
      CHECK(report.differences == std::vector<std::string>());
      CHECK(report.applied > 80);
      return report;
    };
    INFO("shared memory " << (written != 0 ? "has values" : "has no values"));
    const OperandReport plain =
        run([&] { device.dispatch<K, operand_lanes>(1, in, bodies, written); });
    const OperandReport checked =
        run([&] { device.dispatch_checked<K, operand_lanes>(1, in, bodies, written); });
    const OperandReport tangled = run(
        [&] { device.dispatch_checked<K, operand_lanes>(Convergence(), 1, in, bodies, written); });
    CHECK(plain.compiles == checked.compiles);
    CHECK(plain.compiles == tangled.compiles);
    CHECK(plain.applied == checked.applied);
    REQUIRE(plain.named.size() == checked.named.size());
    for (const auto& [what, applied] : plain.named) {
      CAPTURE(what);
      CHECK(checked.named.at(what).bits == applied.bits);
      CHECK(tangled.named.at(what).bits == applied.bits);
      CHECK(tangled.named.at(what).origin == checked.named.at(what).origin);
    }
    // Whether an operand is undefined decides whether a sum is, in all lanes.
    for (const char* form : {"shared element", "shared element at a uniform index"}) {
      for (const std::uint32_t origin :
           checked.named.at(std::string(std::same_as<T, bool> ? "^" : "+") + " on " + form).origin)
        CHECK((origin == 0) == (written != 0));
    }
    if (written == 0) continue;
    // C++ on each lane's numbers.
    const auto check_against_numbers = [&](auto op) {
      using Op = decltype(op);
      for (std::size_t i = 0; i < operand_lanes; ++i) {
        const auto expected =
            scalar_result<Op>(static_cast<T>(in[i]), static_cast<T>(in[i + operand_lanes]));
        if (!expected || !plain.compiles.at(std::string(Op::text))) continue;
        CAPTURE(Op::text, i);
        CHECK(plain.named.at(std::string(Op::text) + " on shared element").bits[i] == *expected);
      }
    };
    std::apply([&](auto... op) { (check_against_numbers(op), ...); }, Binaries());
  }
}

}  // namespace lockstep::test

/// The test of operands of type T, which buffers hold as numbers of type Number.
#define LOCKSTEP_TEST_OPERANDS(T, Number)                                                          \
  namespace {                                                                                      \
  LOCKSTEP_STRUCT(Body, (std::uint32_t, before), (Number, number));                                \
  template <class S>                                                                               \
  using Applies = lockstep::test::AppliesToOperands<S, T, Body, lockstep::test::forms_of_type<T>>; \
  TEST_CASE("operators and functions on operands in every form: " #T) {                            \
    lockstep::test::check_operands<T, Body, Applies>();                                            \
  }                                                                                                \
  }
