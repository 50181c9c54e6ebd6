#include <catch2/catch.hpp>
#include <cmath>

#include <lockstep/glsl/vec_functions.hpp>

#include "glsl/check_vec.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

constexpr int width = 5;

template <class T>
using L = Lanes<T, width>;
template <class T, int N>
using V = Vec<T, N, width>;

/// Checks that component k of `got` is the function's result for component k.
template <class T, int N, class F>
void check_each(const char* name, const Vec<T, N, width>& got, F of_component) {
  for (int k = 0; k < N; ++k) {
    INFO(name << ", component " << k);
    CHECK(difference(got[k], to_array(of_component(k))) == "");
  }
}

template <class T>
V<T, 3> sample(std::uint64_t salt, Values kind = Values::special) {
  Random random = make_random(salt);
  return vec_from<T, width>(sample_vec<T, 3, width>(random, kind));
}

}  // namespace

#define CHECK_1(name, v) check_each(#name, name(v), [&](int k) { return name((v)[k]); })
#define CHECK_2(name, v, w) \
  check_each(#name, name(v, w), [&](int k) { return name((v)[k], (w)[k]); })
#define CHECK_3(name, u, v, w) \
  check_each(#name, name(u, v, w), [&](int k) { return name((u)[k], (v)[k], (w)[k]); })

TEST_CASE("Functions of one vector work component by component") {
  const auto x = sample<float>(1);
  CHECK_1(radians, x);
  CHECK_1(degrees, x);
  CHECK_1(sin, x);
  CHECK_1(cos, x);
  CHECK_1(tan, x);
  CHECK_1(asin, x);
  CHECK_1(acos, x);
  CHECK_1(atan, x);
  CHECK_1(sinh, x);
  CHECK_1(cosh, x);
  CHECK_1(tanh, x);
  CHECK_1(asinh, x);
  CHECK_1(acosh, x);
  CHECK_1(atanh, x);
  CHECK_1(exp, x);
  CHECK_1(log, x);
  CHECK_1(exp2, x);
  CHECK_1(log2, x);
  CHECK_1(sqrt, x);
  CHECK_1(inversesqrt, x);
  CHECK_1(abs, x);
  CHECK_1(sign, x);
  CHECK_1(floor, x);
  CHECK_1(trunc, x);
  CHECK_1(round, x);
  CHECK_1(roundEven, x);
  CHECK_1(ceil, x);
  CHECK_1(fract, x);
  CHECK_1(isnan, x);
  CHECK_1(isinf, x);
  CHECK_1(floatBitsToInt, x);
  CHECK_1(floatBitsToUint, x);

  const auto i = sample<std::int32_t>(2);
  CHECK_1(abs, i);
  CHECK_1(sign, i);
  CHECK_1(intBitsToFloat, i);
  CHECK_1(bitfieldReverse, i);
  CHECK_1(bitCount, i);
  CHECK_1(findLSB, i);
  CHECK_1(findMSB, i);
  CHECK_1(uintBitsToFloat, sample<std::uint32_t>(3));

  CHECK_1(doubleBitsToInt64, sample<double>(4));
  CHECK_1(doubleBitsToUint64, sample<double>(4));
  CHECK_1(int64BitsToDouble, sample<std::int64_t>(5));
  CHECK_1(uint64BitsToDouble, sample<std::uint64_t>(6));
  CHECK_1(float16BitsToInt16, sample<float16_t>(7));
  CHECK_1(float16BitsToUint16, sample<float16_t>(7));
  CHECK_1(int16BitsToFloat16, sample<std::int16_t>(8));
  CHECK_1(uint16BitsToFloat16, sample<std::uint16_t>(9));
}

TEST_CASE("Functions of several vectors work component by component") {
  const auto x = sample<float>(1);
  const auto y = sample<float>(2);
  const Variable z(sample<float>(3));
  const auto i = sample<std::int32_t>(4);
  const auto small = sample<std::int32_t>(5, Values::small);
  CHECK_2(atan, x, y);
  CHECK_2(pow, x, y);
  CHECK_2(mod, x, y);
  CHECK_2(min, x, y);
  CHECK_2(max, x, z);
  CHECK_2(min, i, small);
  CHECK_2(step, x, y);
  CHECK_2(ldexp, x, small);
  CHECK_3(clamp, x, y, z);
  CHECK_3(mix, x, y, z);
  CHECK_3(smoothstep, x, y, z);
  CHECK_3(fma, x, y, z);
  const auto chosen = sample<bool>(6);
  CHECK_3(mix, x, y, chosen);
  CHECK_3(mix, chosen, sample<bool>(7), sample<bool>(8));
}

TEST_CASE("Lanes and uniform scalars stand for every component") {
  const auto v = sample<float>(1);
  const Variable s(sample<float>(2).x);
  const auto i = sample<std::int32_t>(3);
  const auto u = sample<std::uint32_t>(4);
  const auto c = sample<bool>(5);
  check_each("min", min(v, s), [&](int k) { return min(v[k], s); });
  check_each("max", max(v, 0.5f), [&](int k) { return max(v[k], 0.5f); });
  check_each("max", max(v, 0.5), [&](int k) { return max(v[k], 0.5f); });
  check_each("mod", mod(v, 3.0f), [&](int k) { return mod(v[k], 3.0f); });
  check_each("step", step(0.25f, v), [&](int k) { return step(0.25f, v[k]); });
  check_each("clamp", clamp(v, -1.0f, 1.0f), [&](int k) { return clamp(v[k], -1.0f, 1.0f); });
  check_each("clamp", clamp(i, -7, 100), [&](int k) { return clamp(i[k], -7, 100); });
  check_each("mix", mix(v, v, s), [&](int k) { return mix(v[k], v[k], s); });
  check_each("mix", mix(v, v.zyx(), c.x), [&](int k) { return mix(v[k], v.zyx()[k], c.x); });
  check_each("smoothstep", smoothstep(0.0f, 2.0f, v),
             [&](int k) { return smoothstep(0.0f, 2.0f, v[k]); });
  check_each("ldexp", ldexp(v, 3), [&](int k) { return ldexp(v[k], 3); });
  check_each("bitfieldExtract", bitfieldExtract(u, 3, 9),
             [&](int k) { return bitfieldExtract(u[k], 3, 9); });
  check_each("bitfieldInsert", bitfieldInsert(i, i.yzx(), 5, 7),
             [&](int k) { return bitfieldInsert(i[k], i.yzx()[k], 5, 7); });
}

TEST_CASE("Functions with two results give two vectors") {
  const auto x = sample<float>(1);
  const auto parts = modf(x);
  check_each("modf", parts.fraction, [&](int k) { return modf(x[k]).fraction; });
  check_each("modf", parts.whole, [&](int k) { return modf(x[k]).whole; });
  const auto split = frexp(x);
  check_each("frexp", split.significand, [&](int k) { return frexp(x[k]).significand; });
  check_each("frexp", split.exponent, [&](int k) { return frexp(x[k]).exponent; });

  const auto a = sample<std::uint32_t>(2);
  const auto b = sample<std::uint32_t>(3);
  const auto added = uaddCarry(a, b);
  check_each("uaddCarry", added.sum, [&](int k) { return a[k] + b[k]; });
  check_each("uaddCarry", added.carry, [&](int k) { return uaddCarry(a[k], b[k]).carry; });
  const auto taken = usubBorrow(a, b);
  check_each("usubBorrow", taken.difference, [&](int k) { return a[k] - b[k]; });
  check_each("usubBorrow", taken.borrow, [&](int k) { return usubBorrow(a[k], b[k]).borrow; });
  const auto wide = umulExtended(a, b);
  check_each("umulExtended", wide.msb, [&](int k) { return umulExtended(a[k], b[k]).msb; });
  check_each("umulExtended", wide.lsb, [&](int k) { return a[k] * b[k]; });
  const auto c = sample<std::int32_t>(4);
  const auto wider = imulExtended(c, 12345);
  check_each("imulExtended", wider.msb, [&](int k) { return imulExtended(c[k], 12345).msb; });
  check_each("imulExtended", wider.lsb, [&](int k) { return c[k] * 12345; });
}

TEST_CASE("Packing takes a vector, unpacking makes one") {
  Random random = make_random();
  const auto v = vec_from<float, width>(sample_vec<float, 4, width>(random, Values::small)) / 16.0f;
  const auto same = [](const L<std::uint32_t>& got, const L<std::uint32_t>& want) {
    CHECK(difference(got, to_array(want)) == "");
  };
  same(packUnorm2x16(v.xy()), packUnorm2x16(v.x, v.y));
  same(packSnorm2x16(v.xy()), packSnorm2x16(v.x, v.y));
  same(packHalf2x16(v.xy()), packHalf2x16(v.x, v.y));
  same(packUnorm4x8(v), packUnorm4x8(v.x, v.y, v.z, v.w));
  same(packSnorm4x8(v), packSnorm4x8(v.x, v.y, v.z, v.w));
  // Sixteenths are exact in 16 bits.
  const V<float, 2> halves = unpackHalf2x16(packHalf2x16(v.xy()));
  check_each("unpackHalf2x16", halves, [&](int k) { return v[k]; });
  const auto words =
      vec_from<std::uint32_t, width>(sample_vec<std::uint32_t, 2, width>(random, Values::small));
  const V<std::uint32_t, 2> again = unpackDouble2x32(packDouble2x32(words));
  check_each("unpackDouble2x32", again, [&](int k) { return words[k]; });
}

TEST_CASE("Vectors of different lengths do not mix") {
  const auto both = []<class A, class B>(const Type<A>&, const Type<B>&) {
    return requires(A a, B b) { min(a, b); };
  };
  CHECK(both(Type<V<float, 3>>{}, Type<V<float, 3>>{}));
  CHECK(both(Type<V<float, 3>>{}, Type<float>{}));
  CHECK(!both(Type<V<float, 3>>{}, Type<V<float, 2>>{}));
}

TEST_CASE("A vector function gives the scalar function's numbers in every lane") {
  Random random = make_random();
  const auto x = sample_vec<float, 4, width>(random, Values::finite);
  const auto y = sample_vec<float, 4, width>(random, Values::finite);
  const auto got_floor = floor(vec_from<float, width>(x));
  const auto got_min = min(vec_from<float, width>(x), vec_from<float, width>(y));
  CHECK(difference_of(got_floor, each_lane<4, width>([](float a) { return std::floor(a); }, x)) ==
        "");
  CHECK(difference_of(got_min, each_lane<4, width>([](float a, float b) { return b < a ? b : a; },
                                                   x, y)) == "");
}
