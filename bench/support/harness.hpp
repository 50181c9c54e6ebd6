#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <type_traits>

#include "support/inputs.hpp"

/// \file
/// Registers a built-in and its scalar loop as two benchmarks, `subgroupAdd/uint/32` and
/// `subgroupAdd/uint/32/scalar`, that are checked against each other before they are timed.

namespace lockstep::bench {

/// The operands of one call, in the form that a built-in takes.
template <class T, int W>
struct Operands {
  using value_type = T;
  using Inputs = bench::Inputs<T, W>;
  static constexpr int width = W;

  const Inputs& inputs;
  int set;

  LOCKSTEP_INLINE Mask<W> active() const { return Mask<W>::from_bits(inputs.active_bits[set]); }
  LOCKSTEP_INLINE Lanes<bool, W> condition() const {
    return Mask<W>::from_bits(inputs.condition_bits[set]);
  }
  LOCKSTEP_INLINE Ballot ballot() const { return condition().mask(); }
  LOCKSTEP_INLINE Lanes<T, W> value() const { return Lanes<T, W>::load(inputs.value[set]); }
  LOCKSTEP_INLINE Lanes<std::uint32_t, W> number() const {
    return Lanes<std::uint32_t, W>::load(inputs.number[set]);
  }
  LOCKSTEP_INLINE BallotLanes<W> ballots() const {
    const auto word = [&](int w) __attribute__((always_inline)) {
      return w < Inputs::words ? Lanes<std::uint32_t, W>::load(inputs.ballot[set][w])
                               : Lanes<std::uint32_t, W>(0u);
    };
    return {word(0), word(1), word(2), word(3)};
  }
  LOCKSTEP_INLINE std::uint32_t id() const { return inputs.id[set]; }
  LOCKSTEP_INLINE int size() const { return inputs.size; }
};

// Results in memory. Both sides store all of a result, in the same form, except that one bool per
// lane is a bit of a mask for the built-in and an array element for the loop.

template <int W>
inline constexpr int ballot_words = (W + 31) / 32;
/// A ballot's bits up to W: the rest is known to be zero, and costs nothing.
template <int W>
using BallotWords = std::array<std::uint32_t, ballot_words<W>>;
/// A ballot for each lane, word by word.
template <int W>
struct BallotLaneWords {
  std::array<std::uint32_t, W> word[ballot_words<W>];
};

template <int W, class R>
struct StoredAs {
  using type = R;
  LOCKSTEP_INLINE static void store(R& to, const R& result) { to = result; }
};
template <int W, class T>
struct StoredAs<W, Lanes<T, W>> {
  using type = std::array<T, W>;
  LOCKSTEP_INLINE static void store(type& to, const Lanes<T, W>& result) {
    result.store(to.data());
  }
};
template <int W>
struct StoredAs<W, Lanes<bool, W>> {
  using type = typename Mask<W>::Word;
  LOCKSTEP_INLINE static void store(type& to, const Lanes<bool, W>& result) {
    to = result.mask().bits();
  }
};
template <int W>
struct StoredAs<W, Ballot> {
  using type = BallotWords<W>;
  LOCKSTEP_INLINE static void store(type& to, Ballot result) {
    const std::uint32_t all[4] = {result.x, result.y, result.z, result.w};
    for (std::size_t w = 0; w < to.size(); ++w) to[w] = all[w];
  }
};
template <int W>
struct StoredAs<W, BallotLanes<W>> {
  using type = BallotLaneWords<W>;
  LOCKSTEP_INLINE static void store(type& to, const BallotLanes<W>& result) {
    const Lanes<std::uint32_t, W>* all[4] = {&result.x, &result.y, &result.z, &result.w};
    for (int w = 0; w < ballot_words<W>; ++w) all[w]->store(to.word[w].data());
  }
};

/// Calls it once with every set of operands.
template <class Call, class In>
[[gnu::noinline, gnu::flatten]] void run(const void* operands, void* to) {
  using Result = StoredAs<In::width, std::remove_cvref_t<std::invoke_result_t<Call, In>>>;
  const auto& inputs = *static_cast<const typename In::Inputs*>(operands);
  auto* __restrict results = static_cast<typename Result::type*>(to);
  for (int set = 0; set < In::Inputs::count; ++set) {
    Result::store(results[set], Call{}(In{inputs, set}));
    asm volatile("" ::: "memory");  // one call at a time, each result actually stored
  }
}

// Whether the two sides produced the same values in the active lanes.

template <int W, class R>
bool same(const bool*, const R& a, const R& b) {
  return a == b;
}
template <int W, class T>
bool same(const bool* active, const std::array<T, W>& a, const std::array<T, W>& b) {
  for (std::size_t i = 0; i < W; ++i) {
    if (active[i] && a[i] != b[i]) return false;
  }
  return true;
}
template <int W>
bool same(const bool* active, typename Mask<W>::Word bits, const std::array<bool, W>& b) {
  for (std::size_t i = 0; i < W; ++i) {
    if (active[i] && ((bits >> i & 1) != 0) != b[i]) return false;
  }
  return true;
}
template <int W>
bool same(const bool* active, const BallotLaneWords<W>& a, const BallotLaneWords<W>& b) {
  for (int w = 0; w < ballot_words<W>; ++w) {
    if (!same<W>(active, a.word[w], b.word[w])) return false;
  }
  return true;
}

template <class In, class A, class B>
bool same_results(const void* operands, const void* a, const void* b) {
  const auto& inputs = *static_cast<const typename In::Inputs*>(operands);
  for (int set = 0; set < In::Inputs::count; ++set) {
    if (!same<In::width>(inputs.active[set], static_cast<const A*>(a)[set],
                         static_cast<const B*>(b)[set]))
      return false;
  }
  return true;
}

using Run = void (*)(const void* operands, void* results);
using Same = bool (*)(const void* operands, const void* a, const void* b);

/// A built-in at one type and size next to the equivalent scalar loop.
struct Pair {
  std::string name;
  const void* operands;
  int calls;  ///< in one run
  Run built_in, scalar;
  Same same;
};
void add(const Pair& pair);

template <class T, int W>
const Inputs<T, W>* inputs(Values values, Numbers numbers) {
  static Inputs<T, W>* made[4][4] = {};
  auto*& mine = made[static_cast<int>(values)][static_cast<int>(numbers)];
  if (mine == nullptr) fill(*(mine = new Inputs<T, W>), values, numbers);
  return mine;
}

/// The operands that a group of benchmarks shares, and the name of their type.
struct Group {
  const char* type;
  Values values = Values::any;
  Numbers numbers = Numbers::lane;
};

/// Registers `name`: built_in(operands) next to scalar(operands).
template <class In, class BuiltIn, class Scalar>
void compare(const char* name, const Group& group, BuiltIn, Scalar) {
  using T = typename In::value_type;
  constexpr int W = In::width;
  using A = StoredAs<W, std::remove_cvref_t<std::invoke_result_t<BuiltIn, In>>>;
  using B = StoredAs<W, std::remove_cvref_t<std::invoke_result_t<Scalar, In>>>;
  add({std::string(name) + "/" + group.type + "/" + std::to_string(W),
       inputs<T, W>(group.values, group.numbers), In::Inputs::count, run<BuiltIn, In>,
       run<Scalar, In>, same_results<In, typename A::type, typename B::type>});
}

/// Calls f.operator()<Operands<T, W>>(name of T) at each size and type.
template <class... T, class F>
bool at_all_sizes(F&& f) {
  const auto of_type = [&]<class U>(const char* name, U*) {
    f.template operator()<Operands<U, 32>>(name);
#if !defined(LOCKSTEP_BENCH_ONE_SIZE)
    f.template operator()<Operands<U, 8>>(name);
    f.template operator()<Operands<U, 64>>(name);
    f.template operator()<Operands<U, 128>>(name);
#endif
  };
  (of_type(std::is_same_v<T, float> ? "float" : "uint", static_cast<T*>(nullptr)), ...);
  return true;
}

/// A lambda over operands that is inlined into its caller.
#define LOCKSTEP_CALL(...) \
  [](const auto& in) __attribute__((always_inline)) { return __VA_ARGS__; }

}  // namespace lockstep::bench
