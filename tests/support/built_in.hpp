#pragma once

#include <span>

#include "support/scalar_subgroup.hpp"

/// \file
/// Calls built-ins that take and return values, through plain arrays: only the call itself is
/// compiled for each type and size. Everything around it is compiled once per type, in
/// built_in.cpp.

namespace lockstep::test {

// A call's compile time is proportional to its lanes, and there are hundreds of calls for each type.
// So one type at a time sweeps many sizes, and the others take a few: with and without padding, one
// register and many, one mask word and several. Calls that are expensive to compile take even fewer.
#if defined(LOCKSTEP_TEST_FULL)
using ManySizes = Sizes;
using OtherSizes = Sizes;
template <class T>
using SomeSizes = Sizes;
template <class T>
using FewestSizes = Sizes;
/// All types of a test, and those that a sample takes.
template <class All, class>
using SampledTypes = All;
#elif defined(LOCKSTEP_TEST_REDUCED)
using ManySizes = SizeList<3, 33>;
using OtherSizes = SizeList<128>;
template <class T>
using SomeSizes = SizeList<24>;
template <class T>
using FewestSizes = SizeList<5>;
template <class, class Sampled>
using SampledTypes = Sampled;
#else
using ManySizes = SizeList<1, 2, 5, 16, 24, 32, 33>;
using OtherSizes = SizeList<4, 31, 64, 127>;
template <class T>
using SomeSizes = std::conditional_t<
    std::is_same_v<T, float16_t>, SizeList<3, 24>,
    std::conditional_t<sizeof(T) == 8, SizeList<8, 128>,
                       std::conditional_t<sizeof(T) == 4, SizeList<4, 100>, SizeList<8, 33>>>>;
template <class T>
using FewestSizes =
    std::conditional_t<sizeof(T) == 8, SizeList<8, 33>,
                       std::conditional_t<sizeof(T) == 4, SizeList<4, 33>, SizeList<24>>>;
template <class, class Sampled>
using SampledTypes = Sampled;
#endif
/// Types for moves, which depend only on a lane's size.
using MovedTypes = SampledTypes<ElementTypes, TypeList<std::int8_t, std::uint16_t, std::int32_t,
                                                       std::uint64_t, float16_t, float>>;

// clang-format off
inline bool announce_subgroup_sample() {
  std::fputs(
#if defined(LOCKSTEP_TEST_FULL)
      "subgroup: every type at every size\n",
#else
      "subgroup: for each built-in, bool and one other type at"
#if defined(LOCKSTEP_TEST_REDUCED)
      " 3 33, others at 24\n"
      "  (clusters, partitions: 5); uint reductions and scans at 128;\n"
#else
      " 1 2 5 16 24 32 33, other 64-bit types at 8 128,\n"
      "  32-bit at 4 100, 8- and 16-bit at 8 33, float16_t at 3 24 (clusters, partitions: 8 33, 4 33, 24, 24);\n"
      "  uint reductions and scans at 4 31 64 127;\n"
#endif
      "  moves, clusters and partitions of one or two types for each lane size;\n"
      "  namespace undefined with bool for moves, with floats and uint16_t for the others\n",
#endif
      stderr);
  return true;
}
// clang-format on
inline const bool subgroup_sample_announced = announce_subgroup_sample();

/// Values of up to four components, component k from k * most_lanes on.
template <class T>
struct alignas(64) Block {
  T lane[4 * most_lanes] = {};

  T* component(int k) { return lane + k * most_lanes; }
  const T* component(int k) const { return lane + k * most_lanes; }
};

/// The arguments as a call at size W sees them.
template <int W>
struct Given {
  Mask<W> active;
  int size;
  std::uint32_t uniform, cluster;
  const Arguments& arguments;

  explicit Given(const Arguments& a)
      : active(to_mask<W>(a.active)),
        size(a.size),
        uniform(a.uniform),
        cluster(a.cluster),
        arguments(a) {}

  [[gnu::noinline]] Lanes<std::uint32_t, W> numbers() const {
    return Lanes<std::uint32_t, W>::generate(
        [&](int i) { return arguments.number[static_cast<std::size_t>(i)]; });
  }
  [[gnu::noinline]] BallotLanes<W> ballots() const {
    return BallotLanes<W>::generate(
        [&](int i) { return arguments.ballot[static_cast<std::size_t>(i)]; });
  }
};

template <class T, int W>
[[gnu::noinline]] Lanes<T, W> load_lanes(const T* from) {
  return Lanes<T, W>::generate([&](int i) { return from[i]; });
}
template <class T, int W>
[[gnu::noinline]] void store_lanes(const Lanes<T, W>& lanes, T* to) {
  for (int i = 0; i < W; ++i) to[i] = lanes[i];
}
template <class T>
[[gnu::noinline]] void store_uniform(T value, int width, T* to) {
  for (int i = 0; i < width; ++i) to[i] = value;
}

/// A value that is Lanes<T, W>. Results are lanes, or T if uniform.
template <class T, int W>
struct AsLanes {
  using value_type = T;
  static constexpr int width = W;
  static constexpr int components = 1;
  static constexpr bool uniform = false;

  static Lanes<T, W> load(const Block<T>& values) { return load_lanes<T, W>(values.lane); }
  static void store(const Lanes<T, W>& result, Block<T>& to) { store_lanes<T, W>(result, to.lane); }
  static void store(T result, Block<T>& to) { store_uniform<T>(result, W, to.lane); }
};

/// A value that is one uniform T.
template <class T, int W>
struct AsUniform : AsLanes<T, W> {
  static constexpr bool uniform = true;

  static T load(const Block<T>& values) { return values.lane[0]; }
};

/// One built-in at one type and size.
template <class T>
struct BuiltIn {
  using Run = void (*)(const Arguments&, const Block<T>& values, Block<T>& result);
  using Undefined = MaskBits (*)(const Arguments&, const Block<T>& values);

  const char* name;
  int width, components;
  bool uniform;  ///< whether it takes one uniform value
  Run run;
  Undefined undefined;  ///< null if no result is ever undefined, or if left out
  bool left_out;        ///< whether the sibling is tested with other types only
};

struct NeverUndefined {};

template <class Shape, class Call>
void run_call(const Arguments& a, const Block<typename Shape::value_type>& values,
              Block<typename Shape::value_type>& result) {
  Shape::store(Call{}(Given<Shape::width>(a), Shape::load(values)), result);
}
template <class Shape, class Call>
MaskBits run_undefined(const Arguments& a, const Block<typename Shape::value_type>& values) {
  const Mask<Shape::width> lanes = Call{}(Given<Shape::width>(a), Shape::load(values));
  return {lanes.low64(), lanes.high64()};
}

/// A built-in that returns another lane's value in each lane.
template <class T>
struct Move {
  BuiltIn<T> call;
  source::Function from;
};
/// A built-in that combines the values of several lanes.
template <class T>
struct Combination {
  BuiltIn<T> call;
  Op op;
  Form form;
};

// A sibling's result does not depend on the value, except for NaN. A sample calls it with one type.
#if defined(LOCKSTEP_TEST_FULL)
template <class T>
inline constexpr bool tries_sibling_of_move = true;
template <class T>
inline constexpr bool tries_sibling_of_combination = true;
#else
template <class T>
inline constexpr bool tries_sibling_of_move = std::is_same_v<T, bool>;
template <class T>
inline constexpr bool tries_sibling_of_combination =
    is_floating<T> || std::is_same_v<T, std::uint16_t>;
#endif

template <class Shape, bool TriesSibling, class Call, class Undefined>
constexpr BuiltIn<typename Shape::value_type> built_in(const char* name, Call, Undefined) {
  constexpr bool exists = !std::is_same_v<Undefined, NeverUndefined>;
  typename BuiltIn<typename Shape::value_type>::Undefined sibling = nullptr;
  if constexpr (exists && TriesSibling) sibling = run_undefined<Shape, Undefined>;
  return {name,    Shape::width,           Shape::components, Shape::uniform, run_call<Shape, Call>,
          sibling, exists && !TriesSibling};
}

/// The move that `call(given, value)` calls; `undefined(given, value)` calls its sibling.
template <class Shape, class Call, class Undefined = NeverUndefined>
constexpr Move<typename Shape::value_type> move(const char* name, source::Function from, Call call,
                                                Undefined undefined = {}) {
  using T = typename Shape::value_type;
  return {built_in<Shape, tries_sibling_of_move<T>>(name, call, undefined), from};
}
/// The combination that `call(given, value)` calls; `undefined(given, value)` calls its sibling.
template <class Shape, class Call, class Undefined = NeverUndefined>
constexpr Combination<typename Shape::value_type> combination(const char* name, Op op, Form form,
                                                              Call call, Undefined undefined = {}) {
  using T = typename Shape::value_type;
  return {built_in<Shape, tries_sibling_of_combination<T>>(name, call, undefined), op, form};
}

/// Calls each built-in under every mask of the corpus, at the full subgroup size and a smaller one,
/// twice with different garbage in inactive lanes. Compares the active lanes with a defined result,
/// bit for bit, and the set of lanes that the sibling returns as undefined.
template <class T>
void check(std::span<const Move<T>> moves);
/// The same for combinations. Float sums and products are compared exactly where the numbers allow
/// it, and otherwise with what any order of evaluation may give.
template <class T>
void check(std::span<const Combination<T>> combinations);

/// Checks the built-ins of Calls for lanes of T at each size.
template <template <class> class Calls, class T, int... W>
void check_at(SizeList<W...>) {
  (Calls<AsLanes<T, W>>::check(), ...);
}
/// Checks the built-ins of Calls for each of the types at its sizes.
template <template <class> class Calls, template <class> class SizesOf = SomeSizes, class... T>
void check_types(TypeList<T...>) {
  (check_at<Calls, T>(SizesOf<T>{}), ...);
}
/// Checks the built-ins of Calls: moves, for all types, for Dense and bool at many sizes, and for
/// uniform values.
template <template <class> class Calls, class Dense>
void check_moves() {
  check_types<Calls>(MovedTypes{});
  check_at<Calls, Dense>(ManySizes{});
  check_at<Calls, bool>(ManySizes{});
  check_at<Calls, bool>(OtherSizes{});
  Calls<AsUniform<float, 5>>::check();
  Calls<AsUniform<std::uint32_t, 33>>::check();
  Calls<AsUniform<bool, 24>>::check();
}

}  // namespace lockstep::test
