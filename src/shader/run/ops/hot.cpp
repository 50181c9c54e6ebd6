#include "shader/ir/comparisons.hpp"
#include "shader/run/ops/compute.hpp"
#include "shader/run/ops/find.hpp"

/// \file
/// The most frequent operations of shaders, compiled for each number of chunks of the usual subgroup
/// sizes, so that executing them does not check the instruction's form.

namespace lockstep::spirv {
namespace {

using U32 = std::uint32_t;
using I32 = std::int32_t;

template <int N, bool masked, class F, class R, class... A>
const Inst* chunks(const Inst* i, Context& c) {
  each_of_chunks<N, masked, R, A...>(i, c, F{}, std::index_sequence_for<A...>{});
  return i + 1;
}

/// F on registers of this many chunks.
template <class F, class R, class... A>
Run of_chunks(const HotForm& form) {
  constexpr bool may_mask = !std::same_as<R, bool>;
  if (may_mask && form.masked) {
    switch (form.chunks) {
      case 1:
        return chunks<1, may_mask, F, R, A...>;
      case 2:
        return chunks<2, may_mask, F, R, A...>;
      case 4:
        return chunks<4, may_mask, F, R, A...>;
      default:
        return chunks<0, may_mask, F, R, A...>;
    }
  }
  switch (form.chunks) {
    case 1:
      return chunks<1, false, F, R, A...>;
    case 2:
      return chunks<2, false, F, R, A...>;
    case 4:
      return chunks<4, false, F, R, A...>;
    default:
      return chunks<0, false, F, R, A...>;
  }
}

/// Division and remainder by a uniform power of two.
template <int N, bool masked>
const Inst* shift_down(const Inst* i, Context& c) {
  const Chunk<U32> count(static_cast<U32>(i->imm));
  each_of_chunks<N, masked, U32, U32>(
      i, c, [&](const Chunk<U32>& a) __attribute__((always_inline)) { return a >> count; },
      std::index_sequence<0>{});
  return i + 1;
}
template <int N, bool masked>
const Inst* keep_low(const Inst* i, Context& c) {
  const Chunk<U32> bits(static_cast<U32>(i->imm));
  each_of_chunks<N, masked, U32, U32>(
      i, c, [&](const Chunk<U32>& a) __attribute__((always_inline)) { return a & bits; },
      std::index_sequence<0>{});
  return i + 1;
}

/// Run f<N, masked> for the form.
template <class F>
Run for_form(const HotForm& form, F f) {
  const auto with = [&]<bool masked>() -> Run {
    switch (form.chunks) {
      case 1:
        return f.template operator()<1, masked>();
      case 2:
        return f.template operator()<2, masked>();
      case 4:
        return f.template operator()<4, masked>();
      default:
        return f.template operator()<0, masked>();
    }
  };
  return form.masked ? with.template operator()<true>() : with.template operator()<false>();
}

// The effects of a test on the lanes where its comparison holds.
struct Enter {
  static constexpr bool jumps = false;
  LOCKSTEP_INLINE static bool test(const Inst* i, Context& c, Mask<128> holds) {
    exec::Entered<128>& entered = c.frames[i->number].entered;
    entered = exec::enter(c.state, holds);
    if (entered.any) count_divergence(c, c.state.active, entered.waiting);
    return entered.any;
  }
};
struct Stay {
  static constexpr bool jumps = false;
  LOCKSTEP_INLINE static bool test(const Inst*, Context& c, Mask<128> holds) {
    return stay(c, holds);
  }
};
struct Leave {
  static constexpr bool jumps = false;
  LOCKSTEP_INLINE static bool test(const Inst*, Context& c, Mask<128> holds) {
    return stay(c, ~holds);
  }
};
struct Jump {
  static constexpr bool jumps = true;
};

template <int N, class Then, class F, class T>
const Inst* test(const Inst* i, Context& c) {
  const BoolResult holds = bool_of_chunks<N, T, T>(i, c, F{}, std::index_sequence<0, 1>{});
  bool any;
  if constexpr (Then::jumps) {
    any = holds.first();
  } else {
    // The result of a uniform comparison applies to all chunks.
    const bool one = N <= 1 && !i->varying_result();
    any = Then::test(i, c, !one ? holds.mask() : holds.first() ? Mask<128>::all() : Mask<128>());
  }
  return any ? i + 1 : i->target;
}

template <class F, class T>
Run find_test_of(Test kind, int chunks) {
  const auto with = [&]<class Then>() -> Run {
    switch (chunks) {
      case 1:
        return test<1, Then, F, T>;
      case 2:
        return test<2, Then, F, T>;
      case 4:
        return test<4, Then, F, T>;
      default:
        return test<0, Then, F, T>;
    }
  };
  switch (kind) {
    case Test::enter:
      return with.template operator()<Enter>();
    case Test::stay:
      return with.template operator()<Stay>();
    case Test::leave:
      return with.template operator()<Leave>();
    default:
      return test<1, Jump, F, T>;
  }
}

/// Whether the operation on T, of 32 bits, is compiled for each form.
template <class T>
constexpr bool is_hot(const Operation& row) {
  using enum Numbers;
  if (std::same_as<T, float> && row.numbers != any && row.numbers != number &&
      row.numbers != wrapping_number)
    return false;
  return row.cost == Cost::cheap;
}
/// The type that it is compiled on: operations that only move bits, and those of integers that wrap, share one.
template <Code code, class T>
using CompiledOn =
    std::conditional_t<operation_of(code).numbers == Numbers::any ||
                           (std::same_as<T, I32> &&
                            (operation_of(code).numbers == Numbers::wrapping_number ||
                             operation_of(code).numbers == Numbers::wrapping_integer)),
                       U32, T>;

using HotRule = Run (*)(const HotForm& form);
template <Code code, class T, std::size_t... k>
constexpr HotRule hot_rule_of(std::index_sequence<k...>) {
  return of_chunks<Compute<code>, ResultOf<code, T>, OperandOf<code, T, k>...>;
}
template <Code code, class T>
constexpr HotRule hot_rule() {
  if constexpr (is_hot<T>(operation_of(code)) || (code == Code::div && std::same_as<T, float>))
    return hot_rule_of<code, CompiledOn<code, T>>(OperandNumbers<code>());
  else
    return nullptr;
}
template <class T>
Run find_hot_on(Code code, const HotForm& form) {
  static constexpr HotRule of_rows[] = {
#define LOCKSTEP_ROW(code, ...) hot_rule<Code::code, T>(),
      LOCKSTEP_PURE_OPERATIONS(LOCKSTEP_ROW)
#undef LOCKSTEP_ROW
  };
  const HotRule rule = of_rows[static_cast<std::size_t>(code)];
  return rule == nullptr ? nullptr : rule(form);
}

using TestRule = Run (*)(Test kind, int chunks);
template <Code code, class T>
constexpr TestRule test_rule() {
  if constexpr (is_comparison(code))
    return find_test_of<Compute<code>, CompiledOn<code, T>>;
  else
    return nullptr;
}
template <class T>
Run find_test_on(Code code, Test kind, int chunks) {
  static constexpr TestRule of_rows[] = {
#define LOCKSTEP_ROW(code, ...) test_rule<Code::code, T>(),
      LOCKSTEP_PURE_OPERATIONS(LOCKSTEP_ROW)
#undef LOCKSTEP_ROW
  };
  if (!is_pure(code)) return nullptr;
  const TestRule rule = of_rows[static_cast<std::size_t>(code)];
  return rule == nullptr ? nullptr : rule(kind, chunks);
}

}  // namespace

Run find_hot(Code code, Scalar type, const HotForm& form) {
  if (code == Code::move) code = Code::copy;
  switch (type) {
    case Scalar::u32:
      return find_hot_on<U32>(code, form);
    case Scalar::i32:
      return find_hot_on<I32>(code, form);
    case Scalar::f32:
      return find_hot_on<float>(code, form);
    default:
      return nullptr;
  }
}

Run find_power_of_two(Code code, const HotForm& form) {
  if (code == Code::div)
    return for_form(form, []<int N, bool masked>() -> Run { return shift_down<N, masked>; });
  return for_form(form, []<int N, bool masked>() -> Run { return keep_low<N, masked>; });
}

Run find_test(Code code, Scalar type, Test kind, int chunks) {
  switch (type) {
    case Scalar::u32:
      return find_test_on<U32>(code, kind, chunks);
    case Scalar::i32:
      return find_test_on<I32>(code, kind, chunks);
    case Scalar::f32:
      return find_test_on<float>(code, kind, chunks);
    default:
      return nullptr;
  }
}

}  // namespace lockstep::spirv
