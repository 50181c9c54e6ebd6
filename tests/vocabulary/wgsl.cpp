#include <lockstep/vocabulary/wgsl.hpp>

#include <catch2/catch.hpp>
#include <numeric>
#include <vector>

#include <lockstep/lockstep.hpp>

#include "support/corpus.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

using Numbers = std::vector<std::uint32_t>;

template <int W>
Lanes<std::uint32_t, W> lanes_of(const Numbers& numbers) {
  return Lanes<std::uint32_t, W>::generate([&](int i) {
    return static_cast<std::size_t>(i) < numbers.size() ? numbers[static_cast<std::size_t>(i)]
                                                        : 0xdeadbeefu;
  });
}

template <int W, class L, class F>
void check_lanes(const char* name, Mask<W> active, const L& got, F expected) {
  for_each_lane(active, [&](int i) {
    INFO(name << ", lane " << i);
    CHECK(got[i] == expected(i));
  });
}

template <class V, int W>
concept Takes = requires(Mask<W> active, const V& v) {
  wgsl::subgroupAdd(active, v);
};
template <class V, int W>
concept TakesBits = requires(Mask<W> active, const V& v) {
  wgsl::subgroupOr(active, v);
};

}  // namespace

TEST_CASE("WGSL's types are i32, u32, f32 and f16, and vectors of them") {
  STATIC_REQUIRE(Takes<Lanes<std::int32_t, 8>, 8>);
  STATIC_REQUIRE(Takes<Lanes<float16_t, 8>, 8>);
  STATIC_REQUIRE(Takes<Vec<float, 3, 8>, 8>);
  STATIC_REQUIRE_FALSE(Takes<Lanes<double, 8>, 8>);
  STATIC_REQUIRE_FALSE(Takes<Lanes<std::uint8_t, 8>, 8>);
  STATIC_REQUIRE_FALSE(Takes<Lanes<bool, 8>, 8>);
  STATIC_REQUIRE(TakesBits<Lanes<std::uint32_t, 8>, 8>);
  STATIC_REQUIRE_FALSE(TakesBits<Lanes<float, 8>, 8>);
}

TEST_CASE("subgroup functions give what a loop over lanes gives") {
  for_each_size(FewSizes{}, []<int W>(Size<W>) {
    Random random = make_random(W);
    for (const Mask<W> active : masks<W>()) {
      if (!active.any_lane()) continue;
      INFO(describe(active));
      Numbers value(W);
      for (auto& x : value) x = static_cast<std::uint32_t>(random() % 7 + 1);
      const auto v = lanes_of<W>(value);
      const auto of = [&](int i) { return value[static_cast<std::size_t>(i)]; };
      const auto over = [&](int end, std::uint32_t start, auto f) {
        for (int k = 0; k < end; ++k)
          if (active.test(k)) start = f(start, of(k));
        return start;
      };
      const auto plus = std::plus<std::uint32_t>();
      const auto times = std::multiplies<std::uint32_t>();
      CHECK(wgsl::subgroupAdd(active, v) == over(W, 0, plus));
      CHECK(wgsl::subgroupMul(active, v) == over(W, 1, times));
      CHECK(wgsl::subgroupAnd(active, v) == over(W, ~0u, std::bit_and<std::uint32_t>()));
      CHECK(wgsl::subgroupOr(active, v) == over(W, 0, std::bit_or<std::uint32_t>()));
      CHECK(wgsl::subgroupXor(active, v) == over(W, 0, std::bit_xor<std::uint32_t>()));
      CHECK(wgsl::subgroupMin(active, v) ==
            over(W, ~0u, [](auto a, auto b) { return std::min(a, b); }));
      CHECK(wgsl::subgroupMax(active, v) ==
            over(W, 0, [](auto a, auto b) { return std::max(a, b); }));
      check_lanes("subgroupInclusiveAdd", active, wgsl::subgroupInclusiveAdd(active, v),
                  [&](int i) { return over(i + 1, 0, plus); });
      check_lanes("subgroupExclusiveAdd", active, wgsl::subgroupExclusiveAdd(active, v),
                  [&](int i) { return over(i, 0, plus); });
      check_lanes("subgroupInclusiveMul", active, wgsl::subgroupInclusiveMul(active, v),
                  [&](int i) { return over(i + 1, 1, times); });
      check_lanes("subgroupExclusiveMul", active, wgsl::subgroupExclusiveMul(active, v),
                  [&](int i) { return over(i, 1, times); });
      check_lanes("subgroupElect", active, wgsl::subgroupElect(active),
                  [&](int i) { return i == active.first(); });
      CHECK(wgsl::subgroupBroadcastFirst(active, v) == of(active.first()));
      const auto last = static_cast<std::uint32_t>(active.last());
      CHECK(wgsl::subgroupBroadcast(active, v, last) == of(active.last()));
      const Lanes<bool, W> odd = v % 2u == 1u;
      CHECK(wgsl::subgroupAny(active, odd) ==
            (over(W, 0, [](auto a, auto b) { return a | (b & 1); }) == 1));
      CHECK(wgsl::subgroupAll(active, odd) ==
            (over(W, 1, [](auto a, auto b) { return a & b & 1; }) == 1));
      const Ballot ballot = wgsl::subgroupBallot(active, odd);
      for (int k = 0; k < 128; ++k)
        CHECK(ballot.bit(static_cast<std::uint32_t>(k)) ==
              (k < W && active.test(k) && of(k) % 2 == 1));

      // Moves: only lanes whose source is active have a defined result.
      const auto moved = [&](const char* name, const auto& got, auto from) {
        for_each_lane(active, [&](int i) {
          if (from(i) < 0 || from(i) >= W || !active.test(from(i))) return;
          INFO(name << ", lane " << i);
          CHECK(got[i] == of(from(i)));
        });
      };
      moved("subgroupShuffleXor", wgsl::subgroupShuffleXor(active, v, 3),
            [](int i) { return i ^ 3; });
      moved("subgroupShuffleUp", wgsl::subgroupShuffleUp(active, v, 2),
            [](int i) { return i - 2; });
      moved("subgroupShuffleDown", wgsl::subgroupShuffleDown(active, v, 5),
            [](int i) { return i + 5; });
      moved("subgroupShuffle", wgsl::subgroupShuffle(active, v, v),
            [&](int i) { return static_cast<int>(of(i)); });
      moved("quadSwapX", wgsl::quadSwapX(active, v), [](int i) { return i ^ 1; });
      moved("quadSwapY", wgsl::quadSwapY(active, v), [](int i) { return i ^ 2; });
      moved("quadSwapDiagonal", wgsl::quadSwapDiagonal(active, v), [](int i) { return i ^ 3; });
      moved("quadBroadcast", wgsl::quadBroadcast(active, v, 1),
            [](int i) { return i / 4 * 4 + 1; });
    }
  });
}

TEST_CASE("subgroupBroadcast from an inactive lane is an error that names it") {
  const auto active = Mask<8>::first_n(4);
  const Lanes<float, 8> value(1.0f);
  for (const std::uint32_t id : {4u, 7u, 8u, 200u})
    CHECK_THROWS_WITH(wgsl::subgroupBroadcast(active, value, id),
                      Catch::Contains("subgroupBroadcast from lane " + std::to_string(id)));
  CHECK_NOTHROW(wgsl::subgroupBroadcast(active, value, 3));
  CHECK_NOTHROW(wgsl::subgroupBroadcast(Mask<8>::none(), value, 3));
}

#include <lockstep/glsl/keywords.hpp>

/// A workgroup's exclusive scan in WGSL style.
template <class S>
struct Scan : wgsl::Kernel<S> {
  LOCKSTEP_WGSL(S);
  static constexpr Size3 local_size{64};
  Buffer<uint> data;
  Shared<uint, 64> totals{this};

  Barriers main() {
    const Uint value = data[global_invocation_id().x];
    const Uint sum = subgroupExclusiveAdd(value);
    totals[subgroup_id()] = subgroupAdd(value);
    co_await workgroupBarrier();
    auto before = var(0u);
    for (uint k = 0; k < subgroup_id(); ++k) before += totals[k];
    data[global_invocation_id().x] = sum + before + workgroup_id().x * 1000u;
  }
};

#include <lockstep/glsl/keywords_off.hpp>

TEST_CASE("a kernel that speaks WGSL, on both machines") {
  for (const int size : {8, 24, 32}) {
    for (const bool tangled : {false, true}) {
      Numbers data(192), expected(data.size());
      for (std::uint32_t i = 0; i < data.size(); ++i) data[i] = i * 7 % 61;
      for (std::size_t g = 0; g < 3; ++g) {
        const auto from = static_cast<std::ptrdiff_t>(64 * g);
        std::exclusive_scan(data.begin() + from, data.begin() + from + 64, expected.begin() + from,
                            static_cast<std::uint32_t>(1000 * g));
      }
      const Device device{.subgroup_size = size, .threads = 1};
      Chooser chooser = Chooser::rejoin_all();
      const Convergence maximal{.rule = Rule::maximal, .chooser = &chooser};
      if (tangled)
        device.dispatch<Scan, 8, 32>(maximal, {3}, data);
      else
        device.dispatch<Scan, 8, 32>({3}, data);
      CHECK(data == expected);
    }
  }
}
