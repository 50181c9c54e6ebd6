#include <lockstep/glsl/mat.hpp>
#include <lockstep/glsl/vec_var.hpp>

#include <string_view>
#include <type_traits>

#include <catch2/catch.hpp>

#include "support/corpus.hpp"

namespace {

using namespace lockstep;
using namespace lockstep::test;

/// The numbers of a vector or a matrix, part by part: part k of lane i is at [k][i].
template <int Parts, int W>
using Numbers = std::array<LaneArray<float, W>, Parts>;

template <int Parts, int W>
Numbers<Parts, W> random_numbers(Random& random) {
  Numbers<Parts, W> numbers;
  for (auto& part : numbers) part = sample_values<float, W>(random, Values::small);
  return numbers;
}

template <int N, int W>
Vec<float, N, W> vector_from(const Numbers<N, W>& numbers) {
  return Vec<float, N, W>::generate(
      [&](auto k) { return lanes_from<float, W>(numbers[std::size_t{k}]); });
}

template <int N, int W>
std::string differences(const Vec<float, N, W>& got, const Numbers<N, W>& want) {
  std::string all;
  for (int k = 0; k < N; ++k)
    all += difference<float, W>(got[k], want[static_cast<std::size_t>(k)]);
  return all;
}

/// Does the same to a variable and, in the active lanes, to plain numbers.
template <int N, int W>
void check_vector() {
  Random random = make_random(W);
  for (const Mask<W> active : masks<W>()) {
    Numbers<N, W> want = random_numbers<N, W>(random);
    const Numbers<N, W> other = random_numbers<N, W>(random);
    const auto one = sample_values<float, W>(random, Values::small);
    CompoundVar<Vec<float, N, W>> v(active, vector_from<N, W>(want));
    const CompoundVar<Vec<float, N, W>> w(active, vector_from<N, W>(other));
    constexpr std::size_t last = N - 1;

    v += w;
    v = v * 2.0f - w;
    v[0] = lanes_from<float, W>(one);
    v[N - 1] = v[0] + w[N - 1];
    v /= Lanes<float, W>(4.0f);
    for (std::size_t i = 0; i < W; ++i) {
      if (!active.test(static_cast<int>(i))) continue;
      for (std::size_t k = 0; k < N; ++k) {
        want[k][i] = (want[k][i] + other[k][i]) * 2.0f - other[k][i];
      }
      want[0][i] = one[i];
      want[last][i] = want[0][i] + other[last][i];
      for (std::size_t k = 0; k < N; ++k) want[k][i] /= 4.0f;
    }
    INFO("components " << N << ", W = " << W << ", seed " << seed());
    CHECK(differences<N, W>(v, want) == "");

    v = w;
    for (std::size_t i = 0; i < W; ++i) {
      for (std::size_t k = 0; k < N && active.test(static_cast<int>(i)); ++k) {
        want[k][i] = other[k][i];
      }
    }
    CHECK(differences<N, W>(v, want) == "");
  }
}

TEST_CASE("assigning to a vector variable changes its active lanes only") {
  check_vector<2, 5>();
  check_vector<3, 24>();
  check_vector<4, 33>();
}

#define EACH_2(a, b) ENTRY(a##b) ENTRY(b##a)
#define EACH_3(a, b, c) \
  ENTRY(a##b##c) ENTRY(a##c##b) ENTRY(b##a##c) ENTRY(b##c##a) ENTRY(c##a##b) ENTRY(c##b##a)
#define EACH_4(p, a, b, c) \
  ENTRY(p##a##b##c)        \
  ENTRY(p##a##c##b) ENTRY(p##b##a##c) ENTRY(p##b##c##a) ENTRY(p##c##a##b) ENTRY(p##c##b##a)
// clang-format off
#define EACH_OF(x, y, z, w)                                                     \
  ENTRY(x) ENTRY(y) ENTRY(z) ENTRY(w)                                           \
  EACH_2(x, y) EACH_2(x, z) EACH_2(x, w) EACH_2(y, z) EACH_2(y, w) EACH_2(z, w) \
  EACH_3(x, y, z) EACH_3(x, y, w) EACH_3(x, z, w) EACH_3(y, z, w)               \
  EACH_4(x, y, z, w) EACH_4(y, x, z, w) EACH_4(z, x, y, w) EACH_4(w, x, y, z)
// clang-format on

/// Assigns each selection of a variable, and adds to it, in the active lanes; returns how many there are.
template <int N>
int check_selections() {
  constexpr int W = 5;
  using V = Vec<float, N, W>;
  const Mask<W> active = Mask<W>::from_bits(0b01101);
  const Lanes<float, W> lanes = Lanes<float, W>::generate([](int i) { return float(i); });
  int count = 0;
  const auto check = [&](std::string_view name, const V& got) {
    for (int k = 0; k < N; ++k) {
      std::size_t at = name.size();
      for (std::size_t j = 0; j < name.size(); ++j)
        if (static_cast<int>(std::string_view("xyzwrgba").find(name[j]) % 4) == k) at = j;
      for (int i = 0; i < W; ++i) {
        INFO(std::string(name) << " of " << N << ", component " << k << ", lane " << i);
        const bool set = at < name.size() && active.test(i);
        CHECK(got[k][i] == (set ? float(10 + at) + 2 * float(i) : float(100 + k)));
      }
    }
    ++count;
  };
#define ENTRY(name)                                                                                \
  if constexpr (requires(CompoundVar<V> & v) { v.name = v.name(); }) {                             \
    CompoundVar<V> v(active, V::generate([](auto k) { return Lanes<float, W>(float(100 + k)); })); \
    using Value = typename std::remove_cvref_t<decltype(v.name)>::MemoryValue;                     \
    if constexpr (std::is_same_v<Value, Lanes<float, W>>)                                          \
      v.name = lanes + 10.0f;                                                                      \
    else                                                                                           \
      v.name = Value::generate([&](auto k) { return lanes + float(10 + k); });                     \
    v.name += lanes;                                                                               \
    check(#name, v);                                                                               \
  }
  EACH_OF(x, y, z, w)
  EACH_OF(r, g, b, a)
#undef ENTRY
  return count;
}

TEST_CASE("components and selections of a vector variable are assigned by name") {
  CHECK(check_selections<2>() == 2 * (2 + 2));
  CHECK(check_selections<3>() == 2 * (3 + 6 + 6));
  CHECK(check_selections<4>() == 2 * (4 + 12 + 24 + 24));
}

TEST_CASE("a selection is read before another of the same variable is assigned") {
  using V = Vec<float, 3, 2>;
  const Mask<2> active = Mask<2>::all();  // variables refer to it
  CompoundVar<V> v(active, V(1.0f, 2.0f, 3.0f));
  v.xy = v.yx;
  CHECK((v == V(2.0f, 1.0f, 3.0f))[1]);
  v.zx = v.xy;
  CHECK((v == V(1.0f, 1.0f, 2.0f))[0]);
  v.y = v.z;
  v.xz *= v.z;
  CHECK((v == V(2.0f, 2.0f, 4.0f))[1]);
  v.rgb = v.bgr - V(1.0f);
  CHECK((v == V(3.0f, 1.0f, 1.0f))[0]);
  v.yz /= Vec<float, 2, 2>(2.0f, 4.0f);
  CHECK((v == V(3.0f, 0.5f, 0.25f))[0]);
  CompoundVar<Vec<std::uint32_t, 2, 2>> u(active, Vec<std::uint32_t, 2, 2>(6u, 12u));
  u.x <<= 2u;
  u.yx %= 7u;
  u.x |= 8u;
  u.y ^= u.x;
  CHECK((u == Vec<std::uint32_t, 2, 2>(11u, 5u ^ 11u))[1]);
}

TEST_CASE("a vector variable is read as the vector it is") {
  const Mask<4> active = Mask<4>::all();
  CompoundVar<Vec<float, 3, 4>> v(active, Vec<float, 3, 4>(1.0f, 2.0f, 3.0f));
  const Vec<float, 2, 4> swizzled = v.zy();
  CHECK(swizzled.x[3] == 3.0f);
  CHECK(swizzled.y[0] == 2.0f);
  CHECK((v.x + v.z)[2] == 4.0f);
  const Vec<float, 3, 4> copy = v;
  v = Vec<float, 3, 4>(7.0f);
  CHECK(copy.y[1] == 2.0f);
  CHECK((v == copy * 7.0f / copy)[1]);
}

TEST_CASE("assigning to a matrix variable or a column of it changes its active lanes only") {
  using Matrix = Mat<float, 3, 2, 5>;
  const Mask<5> active = Mask<5>::from_bits(0b01101);
  CompoundVar<Matrix> m(active, Matrix(1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f));
  m *= 10.0f;
  m[1] = Vec<float, 2, 5>(-1.0f, -2.0f);
  for (int i = 0; i < 5; ++i) {
    const bool changed = active.test(i);
    CHECK(m[0][1][i] == (changed ? 20.0f : 2.0f));
    CHECK(m[1][0][i] == (changed ? -1.0f : 3.0f));
    CHECK(m[1][1][i] == (changed ? -2.0f : 4.0f));
    CHECK(m[2][1][i] == (changed ? 60.0f : 6.0f));
  }
}

}  // namespace
