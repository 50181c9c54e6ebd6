#pragma once

#include <cstdint>
#include <type_traits>

#include <lockstep/lanes/float16.hpp>

/// \file
/// The subgroup sizes and element types the tests sweep.

namespace lockstep::test {

template <int... W>
struct SizeList {};
template <class... T>
struct TypeList {};

/// Stands for one size or type in a call, so that a lambda can name it: []<int W>(Size<W>) { ... }.
template <int W>
using Size = std::integral_constant<int, W>;
template <class T>
using Type = std::type_identity<T>;

// Around every change of representation: tiny, one register, one word, two words, each with odd
// neighbours.
//
// FewSizes is for tests that combine every type with sizes: with and without padding, one register
// and many.
#if defined(LOCKSTEP_TEST_REDUCED)
using Sizes = SizeList<1, 3, 24, 33, 128>;
using FewSizes = SizeList<33>;
#else
using Sizes = SizeList<1, 2, 3, 4, 5, 8, 16, 24, 31, 32, 33, 64, 100, 127, 128>;
#if defined(LOCKSTEP_TEST_FULL)
using FewSizes = Sizes;
#else
using FewSizes = SizeList<3, 100>;
#endif
#endif

using SignedTypes = TypeList<std::int8_t, std::int16_t, std::int32_t, std::int64_t>;
using UnsignedTypes = TypeList<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>;
using IntegerTypes = TypeList<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                              std::uint16_t, std::uint32_t, std::uint64_t>;
using FloatTypes = TypeList<float16_t, float, double>;
/// Every element type except bool, whose Lanes are a mask and behave differently.
using ElementTypes =
    TypeList<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
             std::uint32_t, std::uint64_t, float16_t, float, double>;
/// For tests that sweep every size: an integer that promotes, and a float.
#if defined(LOCKSTEP_TEST_FULL)
using FewTypes = ElementTypes;
#else
using FewTypes = TypeList<std::int8_t, float>;
#endif

/// Calls f(Size<W>{}) for each size of a list.
template <int... W, class F>
void for_each_size(SizeList<W...>, F&& f) {
  (f(Size<W>{}), ...);
}
/// Calls f(Size<W>{}) for every size of Sizes.
template <class F>
void for_each_size(F&& f) {
  for_each_size(Sizes{}, f);
}

/// Calls f(Type<T>{}) for each type of a list.
template <class... T, class F>
void for_each_type(TypeList<T...>, F&& f) {
  (f(Type<T>{}), ...);
}
/// Calls f(Type<T>{}) for every type of ElementTypes.
template <class F>
void for_each_type(F&& f) {
  for_each_type(ElementTypes{}, f);
}

/// Calls f(Type<T>{}, Size<W>{}): every type at FewSizes, then FewTypes at every size (once each in
/// a full build).
template <class F>
void for_each_type_and_size(F&& f) {
  for_each_type([&](auto type) { for_each_size(FewSizes{}, [&](auto size) { f(type, size); }); });
#if !defined(LOCKSTEP_TEST_FULL)
  for_each_type(FewTypes{}, [&](auto type) { for_each_size([&](auto size) { f(type, size); }); });
#endif
}

/// How GLSL spells the type.
template <class T>
constexpr const char* type_name() {
  if constexpr (std::is_same_v<T, bool>)
    return "bool";
  else if constexpr (std::is_same_v<T, float16_t>)
    return "float16_t";
  else if constexpr (std::is_same_v<T, float>)
    return "float";
  else if constexpr (std::is_same_v<T, double>)
    return "double";
  else if constexpr (std::is_same_v<T, std::int8_t>)
    return "int8_t";
  else if constexpr (std::is_same_v<T, std::int16_t>)
    return "int16_t";
  else if constexpr (std::is_same_v<T, std::int32_t>)
    return "int32_t";
  else if constexpr (std::is_same_v<T, std::int64_t>)
    return "int64_t";
  else if constexpr (std::is_same_v<T, std::uint8_t>)
    return "uint8_t";
  else if constexpr (std::is_same_v<T, std::uint16_t>)
    return "uint16_t";
  else if constexpr (std::is_same_v<T, std::uint32_t>)
    return "uint32_t";
  else
    return "uint64_t";
}

}  // namespace lockstep::test
