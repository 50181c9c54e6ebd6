#include <lockstep/subgroup/derivatives.hpp>

#include <cmath>

#include <catch2/catch.hpp>

#include <lockstep/glsl/vec.hpp>

#include "support/corpus.hpp"

namespace {

using namespace lockstep;
using namespace lockstep::test;

/// The members of a quad that a derivative of member q uses: from `low` to `high`.
struct Members {
  int low, high;
};
Members in_x(int q, bool fine) { return fine ? Members{q & ~1, q | 1} : Members{0, 1}; }
Members in_y(int q, bool fine) { return fine ? Members{q & ~2, q | 2} : Members{0, 2}; }

template <int W, class T>
void check_derivatives(Mask<W> active, int size, Random& random) {
  LaneArray<T, W> values = {};
  for (std::size_t i = 0; i < W; ++i)  // integers: differences are exact
    values[i] = static_cast<T>(static_cast<int>(random() % 2000) - 1000);
  const auto lanes = lanes_from<T, W>(with_garbage<T, W>(values, active, random));

  for (const bool fine : {true, false}) {
    // Which results are defined, and their values.
    Mask<W> no_x = Mask<W>::none(), no_y = Mask<W>::none();
    LaneArray<T, W> dx = {}, dy = {}, width = {};
    for (int i = 0; i < W; ++i) {
      const int quad = i / 4 * 4;
      const auto difference_in = [&](Members members, Mask<W>& undefined_lanes) {
        const int low = quad + members.low, high = quad + members.high;
        if (high >= size || !active.test(low) || !active.test(high)) {
          if (active.test(i)) undefined_lanes = undefined_lanes | Mask<W>::lane(i);
          return T(0);
        }
        return values[static_cast<std::size_t>(high)] - values[static_cast<std::size_t>(low)];
      };
      const auto lane = static_cast<std::size_t>(i);
      dx[lane] = difference_in(in_x(i - quad, fine), no_x);
      dy[lane] = difference_in(in_y(i - quad, fine), no_y);
      width[lane] = std::abs(dx[lane]) + std::abs(dy[lane]);
    }
    const Mask<W> with_x = active.without(no_x), with_y = active.without(no_y);
    if (fine) {
      CHECK(difference(dFdx(active, lanes), dx, with_x) == "");
      CHECK(difference(dFdy(active, lanes), dy, with_y) == "");
      CHECK(difference(fwidth(active, lanes), width, with_x & with_y) == "");
      CHECK(difference(dFdxFine(active, lanes), dx, with_x) == "");
      CHECK(difference(dFdyFine(active, lanes), dy, with_y) == "");
      CHECK(difference(fwidthFine(active, lanes), width, with_x & with_y) == "");
      CHECK(undefined::dFdx(active, lanes, size) == no_x);
      CHECK(undefined::dFdy(active, lanes, size) == no_y);
      CHECK(undefined::fwidth(active, lanes, size) == (no_x | no_y));
      CHECK(undefined::dFdxFine(active, lanes, size) == no_x);
      CHECK(undefined::dFdyFine(active, lanes, size) == no_y);
      CHECK(undefined::fwidthFine(active, lanes, size) == (no_x | no_y));
    } else {
      CHECK(difference(dFdxCoarse(active, lanes), dx, with_x) == "");
      CHECK(difference(dFdyCoarse(active, lanes), dy, with_y) == "");
      CHECK(difference(fwidthCoarse(active, lanes), width, with_x & with_y) == "");
      CHECK(undefined::dFdxCoarse(active, lanes, size) == no_x);
      CHECK(undefined::dFdyCoarse(active, lanes, size) == no_y);
      CHECK(undefined::fwidthCoarse(active, lanes, size) == (no_x | no_y));
    }
  }
}

TEST_CASE(
    "dFdx, dFdy, fwidth, dFdxFine, dFdyFine, fwidthFine, dFdxCoarse, dFdyCoarse, fwidthCoarse: "
    "differences in the quad") {
  const auto check = []<int W, class T>(Size<W>, Type<T>) {
    Random random = make_random(W);
    for (const Mask<W> active : masks<W>()) {
      INFO(describe(active));
      check_derivatives<W, T>(active, W, random);
    }
    if (W > 2) check_derivatives<W, T>(Mask<W>::first_n(W - 1), W - 1, random);
  };
  // Few sizes: eighteen functions at each are expensive to compile.
  for_each_size(FewSizes{}, [&](auto size) { check(size, Type<float>{}); });
  check(Size<24>{}, Type<float>{});
  check(Size<5>{}, Type<double>{});
}

TEST_CASE("derivatives of a vector are those of its components") {
  using Float = Lanes<float, 8>;
  const Float x = Float::generate([](int i) { return static_cast<float>(i * i); });
  const Float y = Float::generate([](int i) { return static_cast<float>(7 * i); });
  const Vec<float, 2, 8> both(x, y);
  const auto all = Mask<8>::all();
  CHECK((dFdx(all, both).x == dFdx(all, x)).mask() == all);
  CHECK((dFdx(all, both).y == dFdx(all, y)).mask() == all);
  CHECK((fwidth(all, both).y == fwidth(all, y)).mask() == all);
  CHECK((dFdyCoarse(all, both).x == dFdyCoarse(all, x)).mask() == all);
}

TEST_CASE("the width of what does not change is +0") {
  const auto all = Mask<4>::all();
  const auto width = fwidth(all, Lanes<float, 4>(-3.0f));
  for (int i = 0; i < 4; ++i) CHECK_FALSE(std::signbit(width[i]));
}

}  // namespace
