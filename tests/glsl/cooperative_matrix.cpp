#include <lockstep/glsl/cooperative_matrix.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/checked.hpp>
#include <lockstep/lockstep.hpp>

// After all other headers: the macros rename ordinary words.
#include <lockstep/glsl/keywords.hpp>

/// \file
/// Cooperative matrices of kernels, compared with plain loops over rows and columns.

namespace {

using namespace lockstep;

/// Of full subgroups in a workgroup of 96.
constexpr int sizes[] = {1, 2, 3, 8, 24, 32, 48, 96};

/// A product of 8 x 12 and 12 x 16, from matrices that lie in larger arrays by rows and by columns.
template <class S>
struct Product : Kernel<S> {
  LOCKSTEP_GLSL(S);
  LOCKSTEP_COOPERATIVE_MATRIX(S);
  static constexpr Size3 local_size{96};
  Buffer<const float> a, b;
  Buffer<float> out;

  void main() {
    if (gl_SubgroupID != 0u) return;
    coopmat<float, gl_ScopeSubgroup, 8, 12, gl_MatrixUseA> left{this};
    coopmat<float, gl_ScopeSubgroup, 12, 16, gl_MatrixUseB> right{this};
    coopmat<float, gl_ScopeSubgroup, 8, 16, gl_MatrixUseAccumulator> sum{this, 0.5f};
    coopMatLoad(left, a, 5u, 20u, gl_CooperativeMatrixLayoutRowMajor);
    coopMatLoad(right, b, 2u, 14u, gl_CooperativeMatrixLayoutColumnMajor);
    for (uint k = 0; k < 2u; ++k) sum = coopMatMulAdd(left, right, sum);
    coopMatStore(sum, out, 3u, 17u, gl_CooperativeMatrixLayoutRowMajor);
  }
};

TEST_CASE(
    "cooperative matrices: loads, products and stores at every size that divides the workgroup") {
  std::vector<float> a(5 + 8 * 20), b(2 + 16 * 14);
  for (std::size_t k = 0; k < a.size(); ++k) a[k] = static_cast<float>(k * 7 % 11) - 4;
  for (std::size_t k = 0; k < b.size(); ++k) b[k] = static_cast<float>(k * 5 % 13) - 6;
  std::vector<float> expected(3 + 8 * 17, -1);
  for (std::size_t r = 0; r < 8; ++r) {
    for (std::size_t c = 0; c < 16; ++c) {
      float sum = 0.5f;
      for (std::size_t n = 0; n < 12; ++n) sum += 2 * a[5 + r * 20 + n] * b[2 + c * 14 + n];
      expected[3 + r * 17 + c] = sum;
    }
  }
  for (const int size : sizes) {
    INFO("size " << size);
    std::vector<float> out(expected.size(), -1), tangled(out), checked(out);
    const Device device{.subgroup_size = size};
    device.dispatch<Product>({1}, a, b, out);
    CHECK(out == expected);
    device.dispatch<Product>(Convergence{}, {1}, a, b, tangled);
    CHECK(tangled == expected);
    CHECK(device.dispatch_checked<Product>({1}, a, b, checked).count() == 0);
    CHECK(checked == expected);
  }
}

/// What is done to components, of a matrix whose elements no size above divides.
template <class S>
struct Components : Kernel<S> {
  LOCKSTEP_GLSL(S);
  LOCKSTEP_COOPERATIVE_MATRIX(S);
  static constexpr Size3 local_size{96};
  Buffer<const int> in;
  Buffer<int> out;
  Buffer<float> converted;
  Shared<int, 110> tile{this};

  Barriers main() {
    using Numbers = coopmat<int, gl_ScopeSubgroup, 10, 11, gl_MatrixUseA>;
    Numbers a{this}, three{this, 3};
    coopMatLoad(a, in, 0u, 11u, gl_CooperativeMatrixLayoutRowMajor);
    Numbers b = -(a * 2 + three) * a - a / three;
    for (uint k = 0; k < b.length(); ++k) {
      If (b[k] % 2 == 0) b[k] = b[k] / 2;
    }
    b[0] += 1000;
    if (gl_SubgroupID == 0u) coopMatStore(b, tile, 0u, 10u, gl_CooperativeMatrixLayoutColumnMajor);
    co_await barrier();
    coopMatLoad(three, tile, 0u, 10u, gl_CooperativeMatrixLayoutColumnMajor);
    if (gl_SubgroupID + 1u < gl_NumSubgroups) co_return;
    coopMatStore(three, out, 0u, 11u, gl_CooperativeMatrixLayoutRowMajor);
    coopMatStore(coopmat<float, gl_ScopeSubgroup, 10, 11, gl_MatrixUseA>(three) * 0.25f, converted,
                 0u, 11u, gl_CooperativeMatrixLayoutRowMajor);
  }
};

TEST_CASE("cooperative matrices: components, operators, conversions, shared memory") {
  std::vector<std::int32_t> in(110);
  for (std::size_t k = 0; k < in.size(); ++k) in[k] = static_cast<std::int32_t>(k * 37 % 101) - 50;
  for (const int size : sizes) {
    INFO("size " << size);
    std::vector<std::int32_t> expected(110);
    std::vector<float> quarters(110);
    for (std::size_t k = 0; k < in.size(); ++k) {
      const std::int32_t a = in[k];
      std::int32_t b = -(a * 2 + 3) * a - a / 3;
      if (b % 2 == 0) b /= 2;
      if (k < static_cast<std::size_t>(size)) b += 1000;  // the first component of each lane
      expected[k] = b;
      quarters[k] = static_cast<float>(b) * 0.25f;
    }
    std::vector<std::int32_t> out(110), checked(110);
    std::vector<float> converted(110), other(110);
    const Device device{.subgroup_size = size};
    device.dispatch<Components>({1}, in, out, converted);
    CHECK(out == expected);
    CHECK(converted == quarters);
    CHECK(device.dispatch_checked<Components>({1}, in, checked, other).count() == 0);
    CHECK(checked == expected);
  }
}

/// Products of narrow integers, with and without saturation, and of half floats.
template <class S>
struct Narrow : Kernel<S> {
  LOCKSTEP_GLSL(S);
  LOCKSTEP_COOPERATIVE_MATRIX(S);
  static constexpr Size3 local_size{32};
  Buffer<const std::int8_t> a, b;
  Buffer<int> wide;
  Buffer<std::int8_t> saturated, wrapped;
  Buffer<const float16_t> halves;
  Buffer<float> floats;

  void main() {
    coopmat<std::int8_t, gl_ScopeSubgroup, 8, 8, gl_MatrixUseA> left{this};
    coopmat<std::int8_t, gl_ScopeSubgroup, 8, 8, gl_MatrixUseB> right{this};
    coopMatLoad(left, a, 0u, 8u, gl_CooperativeMatrixLayoutRowMajor);
    coopMatLoad(right, b, 0u, 8u, gl_CooperativeMatrixLayoutRowMajor);
    coopmat<int, gl_ScopeSubgroup, 8, 8, gl_MatrixUseAccumulator> sum{this, 7};
    coopMatStore(coopMatMulAdd(left, right, sum), wide, 0u, 8u, gl_CooperativeMatrixLayoutRowMajor);
    // Products fit here; only what is added to them does not.
    coopmat<std::int8_t, gl_ScopeSubgroup, 8, 8, gl_MatrixUseA> one{this, std::int8_t{0}};
    for (uint k = 0; k < one.length(); ++k) {
      const Uint element = gl_SubgroupInvocationID + k * gl_SubgroupSize;
      If (element / 8u == element % 8u) one[k] = std::int8_t{1};
    }
    coopmat<std::int8_t, gl_ScopeSubgroup, 8, 8, gl_MatrixUseAccumulator> more{this,
                                                                               std::int8_t{100}};
    coopMatStore(coopMatMulAdd(one, right, more, gl_MatrixOperandsSaturatingAccumulation),
                 saturated, 0u, 8u, gl_CooperativeMatrixLayoutRowMajor);
    coopMatStore(coopMatMulAdd(one, right, more), wrapped, 0u, 8u,
                 gl_CooperativeMatrixLayoutRowMajor);
    coopmat<float16_t, gl_ScopeSubgroup, 8, 8, gl_MatrixUseA> half_a{this};
    coopmat<float16_t, gl_ScopeSubgroup, 8, 8, gl_MatrixUseB> half_b{this};
    coopMatLoad(half_a, halves, 0u, 8u, gl_CooperativeMatrixLayoutRowMajor);
    coopMatLoad(half_b, halves, 0u, 8u, gl_CooperativeMatrixLayoutColumnMajor);
    coopmat<float, gl_ScopeSubgroup, 8, 8, gl_MatrixUseAccumulator> none{this, 0.0f};
    coopMatStore(coopMatMulAdd(half_a, half_b, none), floats, 0u, 8u,
                 gl_CooperativeMatrixLayoutRowMajor);
  }
};

TEST_CASE("cooperative matrices: narrow numbers, widened, saturated and wrapped") {
  std::vector<std::int8_t> a(64), b(64);
  std::vector<float16_t> halves(64);
  for (std::size_t k = 0; k < 64; ++k) {
    a[k] = static_cast<std::int8_t>(k * 29 % 256);
    b[k] = static_cast<std::int8_t>(k * 43 % 256);
    halves[k] = float16_t(static_cast<float>(k * 3 % 17) - 8.5f);
  }
  for (const int size : {1, 4, 16, 32}) {
    INFO("size " << size);
    std::vector<std::int32_t> wide(64);
    std::vector<std::int8_t> saturated(64), wrapped(64);
    std::vector<float> floats(64);
    Device{.subgroup_size = size}.dispatch<Narrow>({1}, a, b, wide, saturated, wrapped, halves,
                                                   floats);
    for (std::size_t r = 0; r < 8; ++r) {
      for (std::size_t c = 0; c < 8; ++c) {
        std::int32_t sum = 7;
        float products = 0;
        for (std::size_t n = 0; n < 8; ++n) {
          sum += a[r * 8 + n] * b[n * 8 + c];
          products += static_cast<float>(halves[r * 8 + n]) * static_cast<float>(halves[c * 8 + n]);
        }
        CHECK(wide[r * 8 + c] == sum);
        CHECK(floats[r * 8 + c] == products);
        const int exact = b[r * 8 + c] + 100;
        CHECK(int{saturated[r * 8 + c]} == std::min(exact, 127));
        CHECK(wrapped[r * 8 + c] == static_cast<std::int8_t>(exact));
      }
    }
  }
}

/// Stores a product in which row 2 of the left operand has one element that is undefined.
template <class S>
struct UndefinedElement : Kernel<S> {
  LOCKSTEP_GLSL(S);
  LOCKSTEP_COOPERATIVE_MATRIX(S);
  static constexpr Size3 local_size{8};
  Buffer<float> out;

  void main() {
    coopmat<float, gl_ScopeSubgroup, 4, 4, gl_MatrixUseA> a{this, 1.0f};
    coopmat<float, gl_ScopeSubgroup, 4, 4, gl_MatrixUseB> b{this, 2.0f};
    coopmat<float, gl_ScopeSubgroup, 4, 4, gl_MatrixUseAccumulator> c{this, 0.0f};
    // Element 9 is component 1 of lane 1: from beyond the edge there.
    const Float beyond =
        subgroupShuffleDown(Float(1.0f), select(gl_SubgroupInvocationID == 1u, Uint(8u), Uint(0u)));
    a[1] = beyond;
    coopMatStore(coopMatMulAdd(a, b, c), out, 0u, 4u, gl_CooperativeMatrixLayoutRowMajor);
  }
};

TEST_CASE("cooperative matrices: what an undefined element makes undefined") {
  std::vector<float> out(16);
  const FaultLog log =
      Device{.subgroup_size = 8, .faults = Faults::counted}.dispatch_checked<UndefinedElement>({1},
                                                                                               out);
  REQUIRE(log.findings().size() == 1);
  CHECK(to_string(log.findings()[0].lanes) == "0-3");  // row 2: elements 8 to 11
}

template <class S>
struct Unwritten : Kernel<S> {
  LOCKSTEP_GLSL(S);
  LOCKSTEP_COOPERATIVE_MATRIX(S);
  static constexpr Size3 local_size{8};
  Buffer<float> out;

  void main() {
    coopmat<float, gl_ScopeSubgroup, 4, 4, gl_MatrixUseA> a{this};
    coopMatStore(a, out, 0u, 4u, gl_CooperativeMatrixLayoutRowMajor);
  }
};

TEST_CASE("cooperative matrices: elements are undefined until they are loaded") {
  std::vector<float> out(16);
  const FaultLog log =
      Device{.subgroup_size = 8, .faults = Faults::counted}.dispatch_checked<Unwritten>({1}, out);
  CHECK(log.count() == 16);
  CHECK_THAT(to_string(log), Catch::Contains("[uninitialised-variable]"));
}

/// Where a number of lanes make a product, and how large its matrices are.
template <class S>
struct Divergent : Kernel<S> {
  LOCKSTEP_GLSL(S);
  LOCKSTEP_COOPERATIVE_MATRIX(S);
  static constexpr Size3 local_size{32};
  Buffer<float> out;
  uint lanes;

  void main() {
    coopmat<float, gl_ScopeSubgroup, 4, 4, gl_MatrixUseA> a{this, 1.0f};
    If (gl_SubgroupInvocationID < lanes)
      coopMatStore(a, out, 0u, 4u, gl_CooperativeMatrixLayoutRowMajor);
  }
};

template <class S>
struct NoComponent : Kernel<S> {
  LOCKSTEP_GLSL(S);
  LOCKSTEP_COOPERATIVE_MATRIX(S);
  static constexpr Size3 local_size{8};
  Buffer<float> out;

  void main() {
    coopmat<float, gl_ScopeSubgroup, 4, 4, gl_MatrixUseA> a{this, 1.0f};
    out[gl_SubgroupInvocationID] = a[2];
  }
};

std::string refused(const std::function<void()>& dispatch) {
  try {
    dispatch();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("cooperative matrices: lanes that are missing, too many, components that are not there") {
  using Catch::Contains;
  std::vector<float> out(16);
  Device{.subgroup_size = 16}.dispatch<Divergent>({1}, out, 16u);
  CHECK(out == std::vector<float>(16, 1));
  CHECK_THAT(refused([&] { Device{.subgroup_size = 16}.dispatch<Divergent>({1}, out, 5u); }),
             Contains("cooperative_matrix.cpp:") &&
                 Contains("coopMatStore needs all invocations of the subgroup: lanes 0-4 are "
                          "active, lanes 5-15 are not"));
  CHECK_THAT(
      refused([&] { Device{.subgroup_size = 32}.dispatch<Divergent>({1}, out, 32u); }),
      Contains("a cooperative matrix of 16 elements has fewer than the subgroup's 32 lanes"));
  CHECK_THAT(refused([&] { Device{.subgroup_size = 8}.dispatch<NoComponent>({1}, out); }),
             Contains("component 2 of a cooperative matrix is not there: each invocation holds 2"));
}

/// Only one subgroup of the workgroup gets there: under core nothing promises that its lanes rejoin.
template <class S>
struct Apart : Kernel<S> {
  LOCKSTEP_GLSL(S);
  LOCKSTEP_COOPERATIVE_MATRIX(S);
  static constexpr Size3 local_size{32};
  Buffer<float> out;

  void main() {
    coopmat<float, gl_ScopeSubgroup, 4, 4, gl_MatrixUseA> a{this, 1.0f};
    auto x = var(0.0f);
    If (gl_LocalInvocationIndex < 16u) {
      If (gl_SubgroupInvocationID % 2u == 0u) x = 1.0f;
      coopMatStore(a, out, 0u, 4u, gl_CooperativeMatrixLayoutRowMajor);
      out[gl_SubgroupInvocationID] += x;
    }
  }
};

TEST_CASE("cooperative matrices: lanes that have not rejoined") {
  std::vector<float> out(16);
  const Device device{.subgroup_size = 16};
  device.dispatch<Apart>(Convergence{}, {1}, out);
  for (std::size_t i = 0; i < 16; ++i) CHECK(out[i] == (i % 2 == 0 ? 2 : 1));
  Chooser chooser = Chooser::rejoin_none();
  const Convergence core{.rule = Rule::core, .chooser = &chooser};
  CHECK_THAT(refused([&] { device.dispatch<Apart>(core, {1}, out); }),
             Catch::Contains("have not rejoined"));
}

/// Which elements of a matrix each invocation holds, and a product.
template <class S>
struct Held : Kernel<S> {
  LOCKSTEP_GLSL(S);
  LOCKSTEP_COOPERATIVE_MATRIX(S);
  static constexpr Size3 local_size{16};
  Buffer<const int> in;
  Buffer<int> held, product;

  void main() {
    coopmat<int, gl_ScopeSubgroup, 8, 8, gl_MatrixUseA> a{this};
    coopmat<int, gl_ScopeSubgroup, 8, 8, gl_MatrixUseB> b{this, 1};
    coopmat<int, gl_ScopeSubgroup, 8, 8, gl_MatrixUseAccumulator> sum{this, 0};
    coopMatLoad(a, in, 0u, 8u, gl_CooperativeMatrixLayoutRowMajor);
    for (uint k = 0; k < a.length(); ++k) held[gl_LocalInvocationIndex * 4u + k] = a[k];
    coopMatStore(coopMatMulAdd(a, b, sum), product, 0u, 8u, gl_CooperativeMatrixLayoutRowMajor);
  }
};

TEST_CASE("cooperative matrices: the mapping decides which invocation holds an element") {
  std::vector<std::int32_t> in(64), sums(64);
  for (std::size_t k = 0; k < in.size(); ++k) {
    in[k] = static_cast<std::int32_t>(k);
    for (std::size_t n = 0; n < 8; ++n) sums[k] += static_cast<std::int32_t>(k / 8 * 8 + n);
  }
  std::vector<std::vector<std::int32_t>> seen;
  for (const Mapping mapping : {Mapping::linear(), Mapping::reversed(), Mapping::shuffled(1),
                                Mapping::shuffled(2), Mapping::shuffled(3)}) {
    std::vector<std::int32_t> held(64, -1), product(64, -1), all;
    const Device device{.subgroup_size = 16, .mapping = mapping};
    device.dispatch<Held>({1}, in, held, product);
    CHECK(product == sums);
    all = held;
    std::sort(all.begin(), all.end());
    CHECK(all == in);
    CHECK(std::find(seen.begin(), seen.end(), held) == seen.end());
    seen.push_back(held);
  }
}

}  // namespace
