#include <cstdint>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/checked.hpp>
#include <lockstep/glsl/mat.hpp>
#include <lockstep/glsl/vec_functions.hpp>

#include "support/settings.hpp"

namespace {

using namespace lockstep;
using namespace lockstep::test;

LOCKSTEP_STRUCT(Row, (uint, number), (uvec2, pair), (float, real), (mat2, matrix));

constexpr std::uint32_t rows = 40;

/// Each compound assignment of whole numbers to `target`, whose value before each is x; `by` is not zero.
#define LOCKSTEP_ASSIGN_ALL(target, x, by)  \
  target = x, target += by, note(target);   \
  target = x, target -= by, note(target);   \
  target = x, target *= by, note(target);   \
  target = x, target /= by, note(target);   \
  target = x, target %= by, note(target);   \
  target = x, target &= by, note(target);   \
  target = x, target |= by, note(target);   \
  target = x, target ^= by, note(target);   \
  target = x, target <<= by, note(target);  \
  target = x, target >>= by, note(target);  \
  target = x, note(++target), note(target); \
  target = x, note(target--), note(target)

/// In everything of memory and variables that can be assigned to.
template <class S>
struct Assigns : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{rows};
  Buffer<uint> numbers;
  Buffer<Row> structs;
  Buffer<const uint> by;
  Buffer<uint> out;  ///< what each target held, in the order of the assignments
  Shared<uint, rows> shared{this};
  uint noted = 0;

  Barriers main() {
    noted = 0;
    const Uint i = gl_GlobalInvocationID.x;
    const Uint x = i * 77u + 5u;
    const Uint divisor = by[i];
    LOCKSTEP_ASSIGN_ALL(numbers[i], x, divisor);
    LOCKSTEP_ASSIGN_ALL(structs[i].number, x, by[i]);
    LOCKSTEP_ASSIGN_ALL(shared[i], x, divisor);
    LOCKSTEP_ASSIGN_ALL(structs[i].pair.y, x, by[i]);
    Array<uint, 2> local{this};
    LOCKSTEP_ASSIGN_ALL(local[i % 2u], x, by[i]);
    auto variable = var(x);
    LOCKSTEP_ASSIGN_ALL(variable, x, by[i]);
    auto vector = var(uvec3(x));
    LOCKSTEP_ASSIGN_ALL(vector[2], x, by[i]);
    assign_reals(i);
    co_return;
  }

 private:
  void note(const Uint& value) {
    out[gl_GlobalInvocationID.x + noted * rows] = value;
    ++noted;
  }
  /// Where a number is combined with a whole vector or matrix.
  void assign_reals(const Uint& i) {
    structs[i].real /= Float(by[i]);
    structs[i].real++;
    structs[i].pair = uvec2(i, i + 1u);
    structs[i].pair *= 3u;
    structs[i].pair += structs[i].number % 5u;
    ++structs[i].pair;
    structs[i].pair <<= uvec2(1u, 2u);
    structs[i].matrix *= 2.0f;
    structs[i].matrix--;
    structs[i].matrix *= structs[i].matrix;
    auto vector = var(vec2(structs[i].pair));
    vector++;
    --vector;
    const vec2 before = vector++;
    structs[i].real += before.x + vector.y;
  }
};

/// What LOCKSTEP_ASSIGN_ALL notes.
std::vector<std::uint32_t> noted(std::uint32_t x, std::uint32_t by) {
  return {x + by, x - by,  x * by,  x / by, x % by, x & by, x | by,
          x ^ by, x << by, x >> by, x + 1,  x + 1,  x,      x - 1};
}

template <class Dispatch>
void check_assignments(const Dispatch& dispatch) {
  std::vector<std::uint32_t> numbers(rows), by(rows), out(rows * 14 * 7);
  std::vector<Row> structs(rows);
  for (std::uint32_t i = 0; i < rows; ++i) {
    by[i] = 1 + i % 9;
    structs[i].real = static_cast<float>(i);
    for (int c = 0; c < 2; ++c)
      for (int r = 0; r < 2; ++r) structs[i].matrix[c][r] = static_cast<float>(c + 2 * r) + 1;
  }
  dispatch(numbers, structs, by, out);
  for (std::uint32_t i = 0; i < rows; ++i) {
    CAPTURE(i);
    const auto expected = noted(i * 77 + 5, by[i]);
    for (std::uint32_t target = 0; target < 7; ++target) {
      for (std::uint32_t k = 0; k < 14; ++k) {
        CAPTURE(target, k);
        CHECK(out[i + (target * 14 + k) * rows] == expected[k]);
      }
    }
    const Row& row = structs[i];
    const std::uint32_t added = (i * 77 + 4) % 5;
    const std::uint32_t first = (i * 3 + added + 1) * 2, second = ((i + 1) * 3 + added + 1) * 4;
    CHECK(row.pair.x == first);
    CHECK(row.pair.y == second);
    CHECK(row.real == static_cast<float>(i) / static_cast<float>(by[i]) + 1 +
                          (static_cast<float>(first) + (static_cast<float>(second) + 1)));
    const float m[2][2] = {{1, 5}, {3, 7}};  // (c + 2 r + 1) * 2 - 1
    for (int c = 0; c < 2; ++c)
      for (int r = 0; r < 2; ++r) CHECK(row.matrix[c][r] == m[0][r] * m[c][0] + m[1][r] * m[c][1]);
  }
}

TEST_CASE("everything that can be assigned to has every compound assignment") {
  for (const int size : {1, 3, 8, 32, 40, 128}) {
    CAPTURE(size);
    const Device device{.subgroup_size = size, .faults = Faults::counted};
    check_assignments([&](auto&... a) { device.dispatch<Assigns, LOCKSTEP_TEST_WIDTHS>(1, a...); });
    check_assignments([&](auto&... a) {
      device.dispatch<Assigns, LOCKSTEP_TEST_WIDTHS>(Convergence(), 1, a...);
    });
    check_assignments([&](auto&... a) {
      const FaultLog log = device.dispatch_checked<Assigns, LOCKSTEP_TEST_WIDTHS>(1, a...);
      CHECK(to_string(log) == "no findings");
    });
  }
}

}  // namespace
