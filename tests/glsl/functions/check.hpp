#pragma once

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "support/corpus.hpp"
#include "support/expected.hpp"

/// \file
/// Runs a function on lanes against a plain function of one lane's values, over lists of values.

namespace lockstep::test {

/// A class derived from Lanes, as the variables of kernels are.
template <class T, int W>
struct Derived : Lanes<T, W> {
  explicit Derived(const Lanes<T, W>& value) : Lanes<T, W>(value) {}
};

// Functions of one lane's values know nothing of the other lanes: what can differ between sizes is how
// many registers there are, and whether the last is full.
#if defined(LOCKSTEP_TEST_FULL)
using LaneSizes = Sizes;
using OtherLaneSizes = Sizes;
#elif defined(LOCKSTEP_TEST_REDUCED)
using LaneSizes = SizeList<3, 33>;
using OtherLaneSizes = SizeList<24>;
#else
using LaneSizes = SizeList<1, 8, 33, 128>;
using OtherLaneSizes = SizeList<3, 24>;
#endif

/// Calls f(Type<T>{}, Size<W>{}): the first type at LaneSizes, the others at OtherLaneSizes.
template <class First, class... Rest, class F>
void for_each_size_of(TypeList<First, Rest...>, F&& f) {
  for_each_size(LaneSizes{}, [&](auto size) { f(Type<First>{}, size); });
  for_each_type(TypeList<Rest...>{}, [&](auto type) {
    for_each_size(OtherLaneSizes{}, [&](auto size) { f(type, size); });
  });
}

/// Numbers whose mathematics goes wrong easily, of both signs: special_values, halves and their
/// neighbours, integers from which on there are no fractions, and random bits.
template <class T>
std::vector<T> float_values() {
  const auto& special = special_values<T>();
  std::vector<T> values(special.begin(), special.end());
  const int digits = std::numeric_limits<T>::digits;
  const double last = std::ldexp(1.0, -digits);
  for (const double x : {0.25, 0.5 - last / 2, 0.5 + last, 0.75, 1 - last, 1.0, 1.25, 1.5, 2.5, 3.5,
                         3.0, 10.0, 1e-3, 1e-7, 100.25, std::ldexp(1.0, digits - 2) - 0.5,
                         std::ldexp(1.0, digits - 1) - 0.5, std::ldexp(1.0, digits - 1) + 1}) {
    values.push_back(static_cast<T>(x));
    values.push_back(static_cast<T>(-x));
  }
  const T largest_subnormal =
      std::bit_cast<T>(static_cast<BitsOf<T>>(bits_of(std::numeric_limits<T>::min()) - 1));
  values.push_back(largest_subnormal);
  values.push_back(expected::neg(largest_subnormal));
  values.push_back(expected::neg(std::numeric_limits<T>::quiet_NaN()));
  Random random = make_random();
  for (int i = 0; i < 8; ++i) values.push_back(random_bits<T>(random));
  return values;
}

/// special_values, every power of two and one less, and random bits.
template <class T>
std::vector<T> integer_values() {
  const auto& special = special_values<T>();
  std::vector<T> values(special.begin(), special.end());
  for (std::size_t bit = 0; bit < 8 * sizeof(T); ++bit) {
    const auto power = static_cast<BitsOf<T>>(std::uint64_t{1} << bit);
    values.push_back(static_cast<T>(power));
    values.push_back(static_cast<T>(power - 1));
  }
  Random random = make_random();
  for (int i = 0; i < 16; ++i) values.push_back(random_bits<T>(random));
  return values;
}

/// The number nearest to `value`.
template <class T>
T narrow(double value) {
  if constexpr (std::is_same_v<T, float16_t>)
    return expected::make_half(value);
  else
    return static_cast<T>(value);
}

/// Which value of its list each argument takes in case `number`: every combination of up to two
/// arguments, a sample for more.
template <std::size_t Arguments>
struct Cases {
  std::array<std::size_t, Arguments> sizes;

  std::size_t count() const {
    std::size_t all = sizes[0];
    if (Arguments > 1) all *= sizes[1];
    return Arguments > 2 ? 4096 : all;
  }
  std::size_t index(std::size_t number, std::size_t argument) const {
    if (Arguments > 2)
      return (number * 0x9e3779b97f4a7c15u >> (13 + 15 * argument)) % sizes[argument];
    return (argument == 0 ? number : number / sizes[0]) % sizes[argument];
  }
};

/// Lanes from and to arrays of all physical lanes.
template <class T, int W>
Lanes<T, W> from_memory(const T* lanes) {
  if constexpr (std::is_same_v<T, bool>)
    return Lanes<T, W>::load(lanes);
  else
    return Lanes<T, W>(detail::load_packs<T, physical_lanes(W)>(lanes));
}
template <class T, int W>
void to_memory(T* lanes, const Lanes<T, W>& value) {
  if constexpr (std::is_same_v<T, bool>)
    value.store(lanes);
  else
    detail::store_packs<T, physical_lanes(W)>(lanes, value.packs());
}

/// Refers to a function object; lighter to compile than std::function.
template <class Signature>
class FunctionRef;
template <class R, class... A>
class FunctionRef<R(A...)> {
 public:
  template <class F>
  explicit FunctionRef(const F& f)
      : object_(&f), call_([](const void* object, A... a) -> R {
          return (*static_cast<const F*>(object))(a...);
        }) {}
  R operator()(A... a) const { return call_(object_, a...); }

 private:
  const void* object_;
  R (*call_)(const void*, A...);
};

// Everything that need not know W is compiled once for all sizes.
template <class Result, class... T>
void check_cases(const char* name, int width,
                 std::type_identity_t<FunctionRef<void(Result*, const T*...)>> function,
                 std::type_identity_t<FunctionRef<Result(T...)>> expected,
                 const std::vector<T>&... values) {
  constexpr std::size_t room = max_subgroup_size;
  const Cases<sizeof...(T)> cases{{values.size()...}};
  Random random = make_random(static_cast<std::uint64_t>(width));
  std::tuple<std::array<T, room>...> in;
  std::array<Result, room> got{}, want{};
  const auto lanes = static_cast<std::size_t>(width);
  std::string wrong;
  for (std::size_t first = 0; first < cases.count() && wrong.empty(); first += lanes) {
    std::size_t argument = 0;
    const auto fill = [&](auto& to, const auto& list) {
      for (std::size_t i = 0; i < room; ++i) {
        to[i] = i < lanes ? list[cases.index(first + i, argument)]
                          : garbage<std::remove_cvref_t<decltype(to[i])>>(random);
      }
      ++argument;
    };
    std::apply([&](auto&... to) { (fill(to, values), ...); }, in);
    std::apply([&](const auto&... from) { function(got.data(), from.data()...); }, in);
    for (std::size_t i = 0; i < lanes; ++i) {
      want[i] = std::apply([&](const auto&... from) { return expected(from[i]...); }, in);
    }
    wrong = difference(got.data(), want.data(), MaskBits::first_n(width), width);
  }
  INFO(name << " of " << width << " lanes of " << type_name<Result>());
  CHECK(wrong == "");
}

/// Checks function(lanes...) against expected(value...) in every lane. Padding holds garbage.
template <int W, class F, class E, class... T>
void check(const char* name, F function, E expected, const std::vector<T>&... values) {
  using Result = decltype(expected(T()...));
  const auto in_memory = [&](Result* to, const T*... from) {
    to_memory<Result, W>(to, function(from_memory<T, W>(from)...));
  };
  check_cases<Result>(name, W, FunctionRef<void(Result*, const T*...)>(in_memory),
                      FunctionRef<Result(T...)>(expected), values...);
}

}  // namespace lockstep::test
