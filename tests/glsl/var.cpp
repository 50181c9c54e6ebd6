#include <lockstep/glsl/var.hpp>

#include <catch2/catch.hpp>

#include <lockstep/exec/state.hpp>

#include "support/corpus.hpp"

namespace {

using namespace lockstep;
using namespace lockstep::test;

using VarSizes = SizeList<1, 24, 33, 128>;

// Not a template: Catch's macros are slow to compile.
void check_same(const std::string& differences, const char* operation, int width) {
  INFO(operation << ", W = " << width << ", seed " << seed());
  CHECK(differences == "");
}

/// Runs assign(variable, lanes) under random masks and compares with assign(scalar, scalar) in the
/// active lanes.
template <class T, int W, class F>
void check_assignment(const char* operation, Values kind, F assign) {
  Random random = make_random(W);
  for (int n = 0; n < 12; ++n) {
    exec::State<W> state{.active = n == 0   ? Mask<W>::none()
                                   : n == 1 ? Mask<W>::all()
                                            : random_mask<W>(random)};
    const auto before = sample_values<T, W>(random, kind);
    auto operand = sample_values<T, W>(random, kind);
    auto expected = before;
    for (std::size_t i = 0; i < W; ++i) {
      if (state.active.test(static_cast<int>(i))) assign(expected[i], operand[i]);
    }
    operand = with_garbage<T, W>(operand, state.active, random);
    Var<T, W> variable(state.active, lanes_from<T, W>(before));
    assign(variable, lanes_from<T, W>(operand));
    // Inactive lanes, too: they keep their values.
    check_same(difference<T, W>(variable, expected), operation, W);
  }
}

TEST_CASE("assigning to a variable changes its active lanes only") {
  const auto assign = [](auto& a, const auto& b) { a = b; };
  for_each_size(VarSizes{}, [&]<int W>(Size<W>) {
    check_assignment<bool, W>("bool", Values::small, assign);
    check_assignment<std::uint8_t, W>("uint8_t", Values::special, assign);
    check_assignment<std::uint32_t, W>("uint", Values::special, assign);
    check_assignment<float, W>("float", Values::special, assign);
    check_assignment<double, W>("double", Values::special, assign);
    check_assignment<std::int64_t, W>("int64_t", Values::special, assign);
  });
}

// Operators of T for a scalar, of Var for a variable. Scalars wrap as unsigned numbers do.
#define CHECK_OPERATOR(T, kind, op)                                     \
  check_assignment<T, W>(#T " " #op, kind, [](auto& a, const auto& b) { \
    if constexpr (std::is_same_v<decltype(a), T&>)                      \
      a = static_cast<T>(a op b);                                       \
    else                                                                \
      a op## = b;                                                       \
  })

TEST_CASE("compound assignments change the active lanes only") {
  using uint = std::uint32_t;
  for_each_size(VarSizes{}, []<int W>(Size<W>) {
    CHECK_OPERATOR(uint, Values::special, +);
    CHECK_OPERATOR(uint, Values::special, -);
    CHECK_OPERATOR(uint, Values::special, *);
    CHECK_OPERATOR(uint, Values::special, &);
    CHECK_OPERATOR(uint, Values::special, |);
    CHECK_OPERATOR(uint, Values::special, ^);
    CHECK_OPERATOR(uint, Values::small, <<);
    CHECK_OPERATOR(uint, Values::small, >>);
    CHECK_OPERATOR(float, Values::finite, +);
    CHECK_OPERATOR(float, Values::finite, -);
    CHECK_OPERATOR(float, Values::finite, *);
    CHECK_OPERATOR(float, Values::special, /);
  });
}

TEST_CASE("dividing a variable changes the active lanes only") {
  using uint = std::uint32_t;
  for_each_size(VarSizes{}, []<int W>(Size<W>) {
    // x / 0 and x % 0 are 0 here.
    check_assignment<uint, W>("uint /", Values::special, [](auto& a, const auto& b) {
      if constexpr (std::is_same_v<decltype(a), uint&>)
        a = b == 0 ? 0 : a / b;
      else
        a /= b;
    });
    check_assignment<uint, W>("uint %", Values::special, [](auto& a, const auto& b) {
      if constexpr (std::is_same_v<decltype(a), uint&>)
        a = b == 0 ? 0 : a % b;
      else
        a %= b;
    });
    // A uniform divisor; a power of two takes another path.
    check_assignment<uint, W>("uint / 8, % 7", Values::special, [](auto& a, const auto&) {
      a /= 8u;
      a %= 7u;
    });
    check_assignment<uint, W>("uint / 7, % 8", Values::special, [](auto& a, const auto&) {
      a /= 7u;
      a %= 8u;
    });
    check_assignment<uint, W>("uint ++ --", Values::special, [](auto& a, const auto& b) {
      ++a;
      a *= b;
      --a;
    });
  });
}

TEST_CASE("a variable is assigned from a variable and from itself") {
  for_each_size(VarSizes{}, []<int W>(Size<W>) {
    Random random = make_random(W);
    for (int n = 0; n < 8; ++n) {
      const Mask<W> active = random_mask<W>(random);
      exec::State<W> state{.active = active};
      const auto a = sample_values<std::int32_t, W>(random, Values::special);
      const auto b = sample_values<std::int32_t, W>(random, Values::special);
      auto expected = a;
      for (std::size_t i = 0; i < W; ++i) {
        if (active.test(static_cast<int>(i))) expected[i] = b[i];
      }
      Var<std::int32_t, W> x(state.active, lanes_from<std::int32_t, W>(a));
      const Var<std::int32_t, W> y(state.active, lanes_from<std::int32_t, W>(b));
      x = y;
      check_same(difference<std::int32_t, W>(x, expected), "x = y", W);
      check_same(difference<std::int32_t, W>(y, b), "y after x = y", W);
      const Var<std::int32_t, W>& same = x;
      x = same;
      check_same(difference<std::int32_t, W>(x, expected), "x = x", W);
    }
  });
}

TEST_CASE("a variable follows the active mask as it changes") {
  exec::State<4> state{.active = Mask<4>::all()};
  Var<std::uint32_t, 4> x(state.active, 1u);
  state.active = Mask<4>::from_bits(0b0110);
  x = 2u;
  state.active = Mask<4>::from_bits(0b1100);
  x += 10u;
  state.active = Mask<4>::none();
  x = 99u;
  CHECK(to_array<std::uint32_t, 4>(x) == std::array<std::uint32_t, 4>{1, 2, 12, 11});
  const Lanes<std::uint32_t, 4> copy = x;  // reads every lane
  state.active = Mask<4>::all();
  x = 0u;
  CHECK(to_array(copy) == std::array<std::uint32_t, 4>{1, 2, 12, 11});
}

}  // namespace
