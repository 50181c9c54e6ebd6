#include <array>
#include <catch2/catch.hpp>
#include <set>
#include <string_view>
#include <vector>

#include <lockstep/glsl/functions/packing.hpp>
#include <lockstep/glsl/vec.hpp>
#include <lockstep/lanes/ballot.hpp>

#include "glsl/check_vec.hpp"
#include "support/expected.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

template <class T, int N, int W, class... A>
constexpr bool constructible = std::is_constructible_v<Vec<T, N, W>, A...>;

/// The components of each argument in order, up to the length of the vector.
template <class T, int N, int W>
struct Want {
  VecArray<T, N, W> components{};
  std::size_t filled = 0;

  template <class From, std::size_t P>
  void add(const std::array<From, P>& values) {
    if (filled == N) return;
    for (std::size_t i = 0; i < W; ++i) components[filled][i] = expected::convert<T>(values[i]);
    ++filled;
  }
  template <class From, std::size_t P, std::size_t M>
  void add(const std::array<std::array<From, P>, M>& values) {
    for (const auto& component : values) add(component);
  }
};

template <int W, class T, std::size_t P>
auto value_from(const std::array<T, P>& values) {
  return lanes_from<T, W>(values);
}
template <int W, class T, std::size_t P, std::size_t N>
auto value_from(const std::array<std::array<T, P>, N>& values) {
  return vec_from<T, W>(values);
}

/// Makes a vector of N from arrays.
template <class T, int N, int W, class... Array>
void check_construction(const Array&... arrays) {
  Want<T, N, W> want;
  (want.add(arrays), ...);
  CHECK(difference_of(Vec<T, N, W>(value_from<W>(arrays)...), want.components) == "");
}
/// The same, and from a kernel's variables.
template <class T, int N, int W, class... Array>
void check_construction_of_variables(const Array&... arrays) {
  check_construction<T, N, W>(arrays...);
  Want<T, N, W> want;
  (want.add(arrays), ...);
  CHECK(difference_of(Vec<T, N, W>(Variable(value_from<W>(arrays))...), want.components) == "");
}

template <int N, int W, class T, class Got, class Expected, class... Array>
void check_operation(const char* name, Got got, Expected expected, const Array&... arrays) {
  INFO(name << " of vectors of " << N << " " << type_name<T>() << ", " << W << " lanes");
  CHECK(difference_of(got, each_lane<N, W>(expected, arrays...)) == "");
}

template <class T, int N, int W>
struct Operands {
  VecArray<T, N, W> a, b;
  LaneArray<T, W> s;
  T u;
  // The scalars once more, as if they were vectors.
  VecArray<T, N, W> every_s{}, every_u{};

  explicit Operands(Random& random, Values kind)
      : a(sample_vec<T, N, W>(random, Values::special)),
        b(sample_vec<T, N, W>(random, kind)),
        s(sample_values<T, W>(random, kind)),
        u(sample_value<T>(random, kind)) {
    every_s.fill(s);
    for (auto& component : every_u) component.fill(u);
  }
};

/// vector op vector, vector op lanes, lanes op vector, vector op uniform, uniform op vector.
template <class T, int N, int W, class Op, class Expected>
void check_binary(const char* name, Op op, Expected expected, Random& random) {
  for (const Values kind : {Values::special, Values::small}) {
    const Operands<T, N, W> in(random, kind);
    const auto a = vec_from<T, W>(in.a);
    const auto b = vec_from<T, W>(in.b);
    const Variable s(lanes_from<T, W>(in.s));
    check_operation<N, W, T>(name, op(a, b), expected, in.a, in.b);
    check_operation<N, W, T>(name, op(Variable(a), Variable(b)), expected, in.a, in.b);
    check_operation<N, W, T>(name, op(a, s), expected, in.a, in.every_s);
    check_operation<N, W, T>(name, op(s, a), expected, in.every_s, in.a);
    check_operation<N, W, T>(name, op(a, in.u), expected, in.a, in.every_u);
    check_operation<N, W, T>(name, op(in.u, a), expected, in.every_u, in.a);
  }
}

/// One swizzle: its name, its number of components, and lane i of component k: as a member, as a function, and of
/// the sum of both. There are a thousand of these functions, so what compares is outside of them.
template <class V>
struct Swizzle {
  std::string_view name;
  int components;
  std::array<std::int32_t, 3> (*values)(const V& v, int k, int i);
};

#define EACH_4(p, q, r, s, a, b, c) \
  ENTRY(a##b##c##p) ENTRY(a##b##c##q) ENTRY(a##b##c##r) ENTRY(a##b##c##s)
#define EACH_3(p, q, r, s, a, b, c) ENTRY(a##b##c) EACH_4(p, q, r, s, a, b, c)
#define EACH_2(p, q, r, s, a, b) \
  ENTRY(a##b)                    \
  EACH_3(p, q, r, s, a, b, p)    \
  EACH_3(p, q, r, s, a, b, q) EACH_3(p, q, r, s, a, b, r) EACH_3(p, q, r, s, a, b, s)
#define EACH_1(p, q, r, s, a) \
  EACH_2(p, q, r, s, a, p)    \
  EACH_2(p, q, r, s, a, q) EACH_2(p, q, r, s, a, r) EACH_2(p, q, r, s, a, s)
#define EACH_OF(p, q, r, s) \
  EACH_1(p, q, r, s, p) EACH_1(p, q, r, s, q) EACH_1(p, q, r, s, r) EACH_1(p, q, r, s, s)
#define EACH_SWIZZLE EACH_OF(x, y, z, w) EACH_OF(r, g, b, a)

/// The swizzles that a vector type has.
template <class V>
std::vector<Swizzle<V>> swizzles() {
  std::vector<Swizzle<V>> all;
#define ENTRY(name)                                                                  \
  if constexpr (requires(const V& v) { v.name; }) {                                  \
    using Member = std::remove_cvref_t<decltype(std::declval<V>().name)>;            \
    using Value = typename Member::MemoryValue;                                      \
    all.push_back({#name, Value::components, [](const V& v, int k, int i) {          \
                     const Value value = v.name;                                     \
                     return std::array<std::int32_t, 3>{value[k][i], v.name()[k][i], \
                                                        (v.name + value)[k][i]};     \
                   }});                                                              \
  }
  EACH_SWIZZLE
#undef ENTRY
  return all;
}

}  // namespace

TEST_CASE("A vector is made of scalars and vectors one after another, each converted") {
  for_each_vec([]<class T, int W>(Type<T>, auto, Size<W>) {
    INFO(type_name<T>() << ", " << W << " lanes");
    Random random = make_random(W);
    const auto a = sample_values<T, W>(random, Values::special);
    const auto b = sample_values<T, W>(random, Values::special);
    const auto c = sample_values<std::int32_t, W>(random, Values::finite);
    const auto d = sample_values<bool, W>(random, Values::special);
    const auto v2 = sample_vec<T, 2, W>(random, Values::special);
    const auto v3 = sample_vec<float, 3, W>(random, Values::special);
    const auto v4 = sample_vec<T, 4, W>(random, Values::special);
    const auto b4 = sample_vec<bool, 4, W>(random, Values::special);

    check_construction<T, 2, W>(a, b);
    check_construction_of_variables<T, 3, W>(a, b, c);
    check_construction<T, 4, W>(d, c, b, a);
    check_construction<T, 3, W>(v2, a);
    check_construction<T, 3, W>(a, v2);
    check_construction_of_variables<T, 4, W>(v2, a, d);
    check_construction<T, 4, W>(a, v2, c);
    check_construction<T, 4, W>(a, b, v2);
    check_construction<T, 4, W>(v2, v2);
    check_construction_of_variables<T, 4, W>(v3, a);
    check_construction<T, 4, W>(a, v3);
    check_construction<T, 3, W>(a, v4);
    check_construction<T, 4, W>(v2, v3);
    check_construction<T, 2, W>(v2);
    check_construction<T, 2, W>(v3);
    check_construction<T, 3, W>(v3);
    check_construction<T, 2, W>(v4);
    check_construction_of_variables<T, 3, W>(v4);
    check_construction<T, 4, W>(v4);
    check_construction<T, 4, W>(b4);
    check_construction<bool, 3, W>(v4);
    check_construction<bool, 4, W>(a, d, v3);
  });
}

TEST_CASE("One scalar stands for every component, a uniform one also for every lane") {
  for_each_vec([]<class T, int N, int W>(Type<T>, Size<N>, Size<W>) {
    Random random = make_random(W);
    const auto s = sample_values<T, W>(random, Values::special);
    const auto flag = sample_values<bool, W>(random, Values::special);
    const T uniform = sample_value<T>(random, Values::small);
    const auto want_s = each_lane<N, W>([](T x) { return x; },
                                        [&] {
                                          VecArray<T, N, W> every;
                                          every.fill(s);
                                          return every;
                                        }());
    CHECK(difference_of(Vec<T, N, W>(lanes_from<T, W>(s)), want_s) == "");
    CHECK(difference_of(Vec<T, N, W>(Variable(lanes_from<T, W>(s))), want_s) == "");
    VecArray<T, N, W> want_flag{}, want_uniform{};
    for (auto& component : want_uniform) component.fill(uniform);
    for (auto& component : want_flag) {
      for (std::size_t i = 0; i < W; ++i) component[i] = flag[i] ? T(1) : T(0);
    }
    CHECK(difference_of(Vec<T, N, W>(lanes_from<bool, W>(flag)), want_flag) == "");
    CHECK(difference_of(Vec<T, N, W>(uniform), want_uniform) == "");
  });
}

TEST_CASE("Uniform scalars of any type are components") {
  const auto s = Lanes<std::int32_t, 24>::iota();
  const Vec<std::int32_t, 4, 24> v(s, 3.75f, true, -2.5);
  for (int i = 0; i < 24; ++i) {
    CHECK(v.x[i] == i);
    CHECK(v.y[i] == 3);
    CHECK(v.z[i] == 1);
    CHECK(v.w[i] == -2);
  }
}

TEST_CASE("What has as many components of the same names makes a vector") {
  using Uint4 = Vec<std::uint32_t, 4, 24>;
  const Ballot ballot{1, 20, 300, 4000};
  const Uint4 uniform = ballot;
  const Uint4 varying = BallotLanes<24>::generate([](int i) {
    return Ballot(static_cast<std::uint32_t>(i), 7, static_cast<std::uint32_t>(2 * i), 9);
  });
  const Vec<float, 2, 24> unpacked = unpackUnorm2x16(Lanes<std::uint32_t, 24>(0xffffu));
  for (int i = 0; i < 24; ++i) {
    const auto lane = static_cast<std::uint32_t>(i);
    CHECK(uniform.x[i] == 1);
    CHECK(uniform.y[i] == 20);
    CHECK(uniform.z[i] == 300);
    CHECK(uniform.w[i] == 4000);
    CHECK(varying.x[i] == lane);
    CHECK(varying.y[i] == 7);
    CHECK(varying.z[i] == 2 * lane);
    CHECK(varying.w[i] == 9);
    CHECK(unpacked.x[i] == 1.0f);
    CHECK(unpacked.y[i] == 0.0f);
  }
  STATIC_REQUIRE(!constructible<std::uint32_t, 3, 24, Ballot>);
  STATIC_REQUIRE(!constructible<float, 4, 24, Ballot>);
  STATIC_REQUIRE(!constructible<float, 4, 24, Unpacked2<float, 24>>);
}

TEST_CASE("Constructors take as many components as GLSL allows") {
  using F = Lanes<float, 8>;
  using F2 = Vec<float, 2, 8>;
  using F3 = Vec<float, 3, 8>;
  using F4 = Vec<float, 4, 8>;
  STATIC_REQUIRE(constructible<float, 3, 8, F2, F2>);
  STATIC_REQUIRE(!constructible<float, 2, 8, F2, F>);    // the last argument adds nothing
  STATIC_REQUIRE(!constructible<float, 2, 8, F, F, F>);  // as above
  STATIC_REQUIRE(!constructible<float, 3, 8, F4, F>);    // as above
  STATIC_REQUIRE(!constructible<float, 4, 8, F2, F>);    // too few
  STATIC_REQUIRE(!constructible<float, 3, 8, F2>);       // too few
  STATIC_REQUIRE(!constructible<float, 3, 8, F2, std::string>);
  STATIC_REQUIRE(!constructible<float, 2, 8, Vec<float, 2, 16>>);
  STATIC_REQUIRE(!std::is_convertible_v<F, F2>);
  STATIC_REQUIRE(!std::is_convertible_v<float, F2>);
  STATIC_REQUIRE(!std::is_convertible_v<Vec<int, 2, 8>, F2>);
  STATIC_REQUIRE(!std::is_convertible_v<F3, F2>);
  STATIC_REQUIRE(!std::is_copy_assignable_v<F2>);
  STATIC_REQUIRE(!std::is_move_assignable_v<F2>);
}

TEST_CASE("Vectors are recognised, and so are variables that derive from them") {
  STATIC_REQUIRE(VecOfLanes<Vec<float, 3, 5>>);
  STATIC_REQUIRE(VecOfLanes<Vec<bool, 2, 128>>);
  STATIC_REQUIRE(VecOfLanes<Variable<Vec<float, 3, 5>>>);
  STATIC_REQUIRE(!VecOfLanes<Lanes<float, 5>>);
  STATIC_REQUIRE(!VecOfLanes<float>);
  STATIC_REQUIRE(!VecOfLanes<Ballot>);
  STATIC_REQUIRE(std::is_same_v<Vec<float, 3, 5>::lane_type, Lanes<float, 5>>);
  STATIC_REQUIRE(Vec<float, 3, 5>::components == 3);
}

TEST_CASE("Every swizzle selects the components it names") {
  for_each_length([]<int N>(Size<N>) {
    using V = Vec<std::int32_t, N, 3>;
    const auto v = V::generate(
        [](auto k) { return Lanes<std::int32_t, 3>::generate([&](int i) { return 10 * k + i; }); });
    std::set<std::string_view> names;
    for (const auto& swizzle : swizzles<V>()) {
      INFO(std::string(swizzle.name) << " of a vector of " << N);
      names.insert(swizzle.name);
      REQUIRE(swizzle.components == static_cast<int>(swizzle.name.size()));
      for (int k = 0; k < swizzle.components; ++k) {
        const char letter = swizzle.name[static_cast<std::size_t>(k)];
        const int component = static_cast<int>(std::string_view("xyzwrgba").find(letter) % 4);
        CHECK(component < N);
        for (int i = 0; i < 3; ++i) {
          const std::int32_t want = 10 * component + i;
          CHECK(swizzle.values(v, k, i) == std::array<std::int32_t, 3>{want, want, 2 * want});
        }
      }
    }
    // Two, three or four letters out of N, of one set or the other.
    CHECK(names.size() == std::size_t{2 * (N * N + N * N * N + N * N * N * N)});
  });
}

TEST_CASE("Components are members and indexed") {
  using V = Vec<float, 4, 5>;
  const V v(0.5f, 1.5f, 2.5f, 3.5f);
  for (int k = 0; k < 4; ++k) {
    for (int i = 0; i < 5; ++i) CHECK(v[k][i] == static_cast<float>(k) + 0.5f);
  }
  CHECK(&v[0] == &v.x);
  CHECK(&v[1] == &v.y);
  CHECK(&v[2] == &v.z);
  CHECK(&v[3] == &v.w);
  CHECK(v.r[4] == 0.5f);
  CHECK((v.g + v.b * v.a)[0] == 1.5f + 2.5f * 3.5f);
  const auto three = v.xyz();
  CHECK(&three[2] == &three.z);
  const auto two = v.xy();
  CHECK(&two[1] == &two.y);
}

TEST_CASE("Swizzles are empty members, and values wherever a vector is expected") {
  using V = Vec<float, 4, 5>;
  STATIC_REQUIRE(sizeof(V) == 4 * sizeof(Lanes<float, 5>));
  const V v(0.5f, 1.5f, 2.5f, 3.5f);
  const V same(v.xy, v.zw), mixed(v.wzy, v.r), some(v.x, v.bg, 9.0f);
  for (int i = 0; i < 5; ++i) {
    CHECK((same == v)[i]);
    CHECK((mixed == V(3.5f, 2.5f, 1.5f, 0.5f))[i]);
    CHECK((some == V(0.5f, 2.5f, 1.5f, 9.0f))[i]);
    CHECK((-v.yx == Vec<float, 2, 5>(-1.5f, -0.5f))[i]);
    CHECK((v.xy == v.rg)[i]);
    CHECK((v.xy != v.yx)[i]);
    CHECK((2.0f * v.ba / v.xx == Vec<float, 2, 5>(10.0f, 14.0f))[i]);
  }
}

TEST_CASE("Arithmetic works component by component, scalars stand for each") {
  for_each_vec([]<class T, int N, int W>(Type<T>, Size<N>, Size<W>) {
    Random random = make_random(W);
    check_binary<T, N, W>(
        "+", [](const auto& a, const auto& b) { return a + b; }, expected::add<T>, random);
    check_binary<T, N, W>(
        "-", [](const auto& a, const auto& b) { return a - b; }, expected::sub<T>, random);
    check_binary<T, N, W>(
        "*", [](const auto& a, const auto& b) { return a * b; }, expected::mul<T>, random);
    check_binary<T, N, W>(
        "/", [](const auto& a, const auto& b) { return a / b; }, expected::div<T>, random);
    const auto a = sample_vec<T, N, W>(random, Values::special);
    check_operation<N, W, T>("unary -", -vec_from<T, W>(a), expected::neg<T>, a);
  });
}

TEST_CASE("Integer operators work component by component, scalars stand for each") {
  const auto check = []<class T, int N, int W>(Type<T>, Size<N>, Size<W>) {
    Random random = make_random(W);
    check_binary<T, N, W>(
        "%", [](const auto& a, const auto& b) { return a % b; }, expected::mod<T>, random);
    check_binary<T, N, W>(
        "&", [](const auto& a, const auto& b) { return a & b; }, expected::bit_and<T>, random);
    check_binary<T, N, W>(
        "|", [](const auto& a, const auto& b) { return a | b; }, expected::bit_or<T>, random);
    check_binary<T, N, W>(
        "^", [](const auto& a, const auto& b) { return a ^ b; }, expected::bit_xor<T>, random);
    check_binary<T, N, W>(
        "<<", [](const auto& a, const auto& b) { return a << b; }, expected::shl<T>, random);
    check_binary<T, N, W>(
        ">>", [](const auto& a, const auto& b) { return a >> b; }, expected::shr<T>, random);
    const auto in = sample_vec<T, N, W>(random, Values::special);
    const auto a = vec_from<T, W>(in);
    check_operation<N, W, T>("~", ~a, expected::bit_not<T>, in);
    for (const T power : {T(1), T(4), T(64)}) {
      check_operation<N, W, T>(
          "/ 2^n", a / power, [&](T x) { return expected::div(x, power); }, in);
      check_operation<N, W, T>(
          "% 2^n", a % power, [&](T x) { return expected::mod(x, power); }, in);
    }
  };
  check(Type<std::int8_t>{}, Size<2>{}, Size<16>{});
  check(Type<std::int32_t>{}, Size<3>{}, Size<16>{});
  check(Type<std::uint32_t>{}, Size<4>{}, Size<3>{});
  check(Type<std::int64_t>{}, Size<2>{}, Size<3>{});
  const auto has_remainder = []<class V>(const Type<V>&) {
    return requires(V v) { v % v; };
  };
  const auto has_and = []<class V>(const Type<V>&) {
    return requires(V v) { v& v; };
  };
  CHECK(!has_remainder(Type<Vec<float, 2, 8>>{}));
  CHECK(!has_and(Type<Vec<float, 2, 8>>{}));
  CHECK(!has_remainder(Type<Vec<bool, 2, 8>>{}));
  CHECK(has_and(Type<Vec<bool, 2, 8>>{}));
}

TEST_CASE("Vectors of bool combine with & | ^") {
  for_each_size(VecSizes{}, []<int W>(Size<W>) {
    Random random = make_random(W);
    const auto in_a = sample_vec<bool, 3, W>(random, Values::special);
    const auto in_b = sample_vec<bool, 3, W>(random, Values::special);
    const auto a = vec_from<bool, W>(in_a);
    const auto b = vec_from<bool, W>(in_b);
    check_operation<3, W, bool>(
        "&", a & b, [](bool x, bool y) { return x && y; }, in_a, in_b);
    check_operation<3, W, bool>(
        "|", a | b, [](bool x, bool y) { return x || y; }, in_a, in_b);
    check_operation<3, W, bool>(
        "^", a ^ b, [](bool x, bool y) { return x != y; }, in_a, in_b);
  });
}

TEST_CASE("== asks for all components, != for any, in each lane") {
  const auto check = []<class T, int N, int W>(Type<T>, Size<N>, Size<W>) {
    Random random = make_random(W);
    const auto a = sample_vec<T, N, W>(random, Values::special);
    auto b = sample_vec<T, N, W>(random, Values::special);
    LaneArray<bool, W> equal{}, different{};
    for (std::size_t i = 0; i < W; ++i) {
      // All components alike, all but one, or none in particular.
      const std::size_t other = random() % (2 * N);
      bool all = true;
      for (std::size_t k = 0; k < N; ++k) {
        if (k != other) b[k][i] = a[k][i];
        all = all && a[k][i] == b[k][i];
      }
      equal[i] = all;
      different[i] = !all;
    }
    CHECK(difference(vec_from<T, W>(a) == vec_from<T, W>(b), equal) == "");
    CHECK(difference(vec_from<T, W>(a) != vec_from<T, W>(b), different) == "");
    CHECK(difference(Variable(vec_from<T, W>(a)) == Variable(vec_from<T, W>(b)), equal) == "");
  };
  for_each_vec(check);
  check(Type<bool>{}, Size<2>{}, Size<33>{});
  check(Type<bool>{}, Size<4>{}, Size<16>{});
}

TEST_CASE("select chooses vectors by a mask, by a bool a lane, and by a bool a component") {
  const auto check = []<class T, int N, int W>(Type<T>, Size<N>, Size<W>) {
    Random random = make_random(W);
    const auto in_a = sample_vec<T, N, W>(random, Values::special);
    const auto in_b = sample_vec<T, N, W>(random, Values::special);
    const auto in_c = sample_vec<bool, N, W>(random, Values::special);
    VecArray<bool, N, W> every;
    every.fill(in_c[0]);
    const auto a = vec_from<T, W>(in_a);
    const auto b = vec_from<T, W>(in_b);
    const auto c = vec_from<bool, W>(in_c);
    const auto choose = [](bool condition, T x, T y) { return condition ? x : y; };
    check_operation<N, W, T>("select", select(c, a, b), choose, in_c, in_a, in_b);
    check_operation<N, W, T>("select", select(c.x, a, b), choose, every, in_a, in_b);
    check_operation<N, W, T>("select", select(c.x.mask(), a, b), choose, every, in_a, in_b);
    check_operation<N, W, T>("select", select(Variable(c), Variable(a), Variable(b)), choose, in_c,
                             in_a, in_b);
  };
  for_each_vec(check);
  check(Type<bool>{}, Size<2>{}, Size<33>{});
  check(Type<bool>{}, Size<4>{}, Size<16>{});
}

TEST_CASE("map and map_components apply a function to each component") {
  for_each_size(TwoSizes{}, []<int W>(Size<W>) {
    Random random = make_random(W);
    for_each_length([&]<int N>(Size<N>) {
      const auto in_a = sample_vec<std::int32_t, N, W>(random, Values::small);
      const auto in_b = sample_vec<std::int32_t, N, W>(random, Values::small);
      const auto a = vec_from<std::int32_t, W>(in_a);
      const Variable b(vec_from<std::int32_t, W>(in_b));
      // The same type, another type, and one uniform value.
      check_operation<N, W, std::int32_t>(
          "map", a.map([](const auto& c) { return c + c; }), [](std::int32_t x) { return x + x; },
          in_a);
      check_operation<N, W, bool>(
          "map", a.map([](const auto& c) { return c < 3; }), [](std::int32_t x) { return x < 3; },
          in_a);
      VecArray<std::int32_t, N, W> first;
      VecArray<bool, N, W> first_is_positive;
      for (std::size_t k = 0; k < N; ++k) {
        first[k].fill(in_a[k][0]);
        first_is_positive[k].fill(in_a[k][0] > 0);
      }
      CHECK(difference_of(a.map([](const auto& c) { return c[0]; }), first) == "");
      CHECK(difference_of(a.map([](const auto& c) { return c[0] > 0; }), first_is_positive) == "");
      check_operation<N, W, std::int32_t>(
          "map_components",
          map_components([](const auto& x, const auto& y, int z) { return x * y + z; }, a, b, 5),
          [](std::int32_t x, std::int32_t y) { return x * y + 5; }, in_a, in_b);
    });
  });
}

TEST_CASE("Vectors work at every subgroup size") {
  for_each_size(VecSizes{}, []<int W>(Size<W>) {
    Random random = make_random(W);
    const auto v2 = sample_vec<float, 2, W>(random, Values::special);
    const auto v4 = sample_vec<float, 4, W>(random, Values::special);
    const auto s = sample_values<float, W>(random, Values::special);
    const auto c = sample_vec<bool, 4, W>(random, Values::special);
    check_construction_of_variables<float, 4, W>(v2, s, s);
    check_construction<std::int32_t, 3, W>(v4);
    check_construction<float, 4, W>(c);
    check_binary<float, 3, W>(
        "+", [](const auto& a, const auto& b) { return a + b; }, expected::add<float>, random);

    const auto a = vec_from<float, W>(v4);
    const VecArray<float, 4, W> turned{v4[3], v4[0], v4[0], v4[2]};
    CHECK(difference_of(a.wxxz(), turned) == "");
    check_operation<4, W, float>(
        "select", select(vec_from<bool, W>(c), a, a.wxxz()),
        [](bool first, float x, float y) { return first ? x : y; }, c, v4, turned);
    LaneArray<bool, W> equal{};
    for (std::size_t i = 0; i < W; ++i) {
      equal[i] = true;
      for (std::size_t k = 0; k < 4; ++k) equal[i] = equal[i] && v4[k][i] == turned[k][i];
    }
    CHECK(difference(a == a.wxxz(), equal) == "");
  });
}
