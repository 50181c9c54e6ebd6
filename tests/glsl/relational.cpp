#include <catch2/catch.hpp>

#include <lockstep/glsl/relational.hpp>

#include "glsl/check_vec.hpp"
#include "support/expected.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// Two random vectors that often agree in a component.
template <class T, int N, int W>
std::array<VecArray<T, N, W>, 2> sample_pair(Random& random) {
  std::array<VecArray<T, N, W>, 2> pair{sample_vec<T, N, W>(random, Values::special),
                                        sample_vec<T, N, W>(random, Values::special)};
  for (std::size_t k = 0; k < N; ++k) {
    for (std::size_t i = 0; i < W; ++i) {
      if (random() % 3 == 0) pair[1][k][i] = pair[0][k][i];
    }
  }
  return pair;
}

template <int N, class T, int W>
void check_order(Type<T>, Size<W>) {
  INFO(N << " components of " << type_name<T>() << ", " << W << " lanes");
  Random random = make_random(W);
  const auto in = sample_pair<T, N, W>(random);
  const auto x = vec_from<T, W>(in[0]);
  const Variable y(vec_from<T, W>(in[1]));
  const auto want = [&](bool (*expected)(T, T)) { return each_lane<N, W>(expected, in[0], in[1]); };
  CHECK(difference_of(lessThan(x, y), want(expected::less<T>)) == "");
  CHECK(difference_of(lessThanEqual(x, y), want(expected::less_equal<T>)) == "");
  CHECK(difference_of(greaterThan(x, y), want(expected::greater<T>)) == "");
  CHECK(difference_of(greaterThanEqual(x, y), want(expected::greater_equal<T>)) == "");
  CHECK(difference_of(equal(x, y), want(expected::equal<T>)) == "");
  CHECK(difference_of(notEqual(x, y), want(expected::not_equal<T>)) == "");
}

}  // namespace

TEST_CASE("Relations compare component by component") {
  for_each_vec([](auto type, auto length, auto width) { check_order<length>(type, width); });
  for_each_size(VecSizes{}, [](auto width) { check_order<3>(Type<float>{}, width); });
}

TEST_CASE("equal and notEqual also compare vectors of bool") {
  for_each_size(VecSizes{}, []<int W>(Size<W>) {
    Random random = make_random(W);
    const auto [x, y] = sample_pair<bool, 4, W>(random);
    const auto same = each_lane<4, W>([](bool a, bool b) { return a == b; }, x, y);
    const auto other = each_lane<4, W>([](bool a, bool b) { return a != b; }, x, y);
    CHECK(difference_of(equal(vec_from<bool, W>(x), vec_from<bool, W>(y)), same) == "");
    CHECK(difference_of(notEqual(vec_from<bool, W>(x), vec_from<bool, W>(y)), other) == "");
  });
  const auto ordered = []<class V>(const Type<V>&) {
    return requires(V v) { lessThan(v, v); };
  };
  CHECK(!ordered(Type<Vec<bool, 2, 8>>{}));
  CHECK(ordered(Type<Vec<int, 2, 8>>{}));
}

TEST_CASE("any, all and not_ look at each lane's components") {
  for_each_size(VecSizes{}, []<int W>(Size<W>) {
    Random random = make_random(W);
    for_each_length([&]<int N>(Size<N>) {
      INFO(N << " components, " << W << " lanes");
      auto in = sample_vec<bool, N, W>(random, Values::special);
      LaneArray<bool, W> some{}, every{};
      for (std::size_t i = 0; i < W; ++i) {
        // Lanes that are all false or all true, which are too rare by chance.
        if (i % 4 < 2) {
          for (auto& component : in) component[i] = i % 4 == 0;
        }
        every[i] = true;
        for (const auto& component : in) {
          some[i] = some[i] || component[i];
          every[i] = every[i] && component[i];
        }
      }
      const Variable x(vec_from<bool, W>(in));
      CHECK(difference(any(x), some) == "");
      CHECK(difference(all(x), every) == "");
      CHECK(difference_of(not_(x), each_lane<N, W>([](bool a) { return !a; }, in)) == "");
    });
  });
}
