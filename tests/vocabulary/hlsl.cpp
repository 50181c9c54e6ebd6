#include <lockstep/vocabulary/hlsl.hpp>

#include <catch2/catch.hpp>
#include <vector>

#include <lockstep/lockstep.hpp>

#include "support/corpus.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

using Numbers = std::vector<std::uint32_t>;
using Flags = std::vector<bool>;

/// One subgroup's values, garbage in inactive lanes, and the sums over the lanes below each lane.
template <int W>
struct Case {
  Mask<W> active;
  Numbers value = Numbers(W), index = Numbers(W);
  Flags flag = Flags(W);

  Case(Mask<W> a, Random& random) : active(a) {
    for (std::size_t i = 0; i < W; ++i) {
      value[i] = static_cast<std::uint32_t>(random() % 5 + 1);
      flag[i] = random() % 2 == 0;
      // Any of the lanes that may be read.
      do index[i] = static_cast<std::uint32_t>(random() % W);
      while (active.any_lane() && !active.test(static_cast<int>(index[i])));
    }
  }
  Lanes<std::uint32_t, W> values() const { return lanes_of(value); }
  Lanes<std::uint32_t, W> indices() const { return lanes_of(index); }
  Lanes<bool, W> flags() const { return Lanes<bool, W>(mask_of(flag)); }
  /// f(k) for each active lane k in `among`.
  template <class Among, class F>
  void each(Among among, F f) const {
    for (int k = 0; k < W; ++k)
      if (active.test(k) && among(k)) f(static_cast<std::size_t>(k));
  }

  static Lanes<std::uint32_t, W> lanes_of(const Numbers& numbers) {
    return Lanes<std::uint32_t, W>::generate([&](int i) {
      return static_cast<std::size_t>(i) < numbers.size() ? numbers[static_cast<std::size_t>(i)]
                                                          : 0xdeadbeefu;
    });
  }
  static Mask<W> mask_of(const Flags& flags) {
    Mask<W> mask;
    for (int i = 0; i < W; ++i)
      if (flags[static_cast<std::size_t>(i)]) mask = mask | Mask<W>::lane(i);
    return mask;
  }
};

const auto everyone = [](int) { return true; };

template <int W, class L, class F>
void check_lanes(const char* name, Mask<W> active, const L& got, F expected) {
  for_each_lane(active, [&](int i) {
    INFO(name << ", lane " << i);
    CHECK(got[i] == expected(i));
  });
}

}  // namespace

TEST_CASE("wave intrinsics give what a loop over lanes gives") {
  for_each_size(FewSizes{}, []<int W>(Size<W>) {
    Random random = make_random(W);
    for (const Mask<W> active : masks<W>()) {
      INFO(describe(active));
      if (!active.any_lane()) continue;
      const Case<W> c(active, random);
      std::uint32_t sum = 0, product = 1, least = ~0u, most = 0, band = ~0u, bor = 0, bxor = 0;
      std::uint32_t count = 0;
      bool any = false, every = true, equal = true;
      c.each(everyone, [&](std::size_t k) {
        sum += c.value[k], product *= c.value[k];
        least = std::min(least, c.value[k]), most = std::max(most, c.value[k]);
        band &= c.value[k], bor |= c.value[k], bxor ^= c.value[k];
        any = any || c.flag[k], every = every && c.flag[k], count += c.flag[k];
        equal = equal && c.value[k] == c.value[static_cast<std::size_t>(active.first())];
      });
      const auto v = c.values();
      const auto b = c.flags();
      CHECK(hlsl::WaveActiveSum(active, v) == sum);
      CHECK(hlsl::WaveActiveProduct(active, v) == product);
      CHECK(hlsl::WaveActiveMin(active, v) == least);
      CHECK(hlsl::WaveActiveMax(active, v) == most);
      CHECK(hlsl::WaveActiveBitAnd(active, v) == band);
      CHECK(hlsl::WaveActiveBitOr(active, v) == bor);
      CHECK(hlsl::WaveActiveBitXor(active, v) == bxor);
      CHECK(hlsl::WaveActiveAnyTrue(active, b) == any);
      CHECK(hlsl::WaveActiveAllTrue(active, b) == every);
      CHECK(hlsl::WaveActiveAllEqual(active, v) == equal);
      CHECK(hlsl::WaveActiveCountBits(active, b) == count);
      CHECK(hlsl::WaveReadLaneFirst(active, v) ==
            c.value[static_cast<std::size_t>(active.first())]);
      const Ballot got = hlsl::WaveActiveBallot(active, b);
      for (std::uint32_t k = 0; k < 128; ++k)
        CHECK(got.bit(k) == (k < W && active.test(static_cast<int>(k)) && c.flag[k]));

      const auto below = [&](int i, auto f, std::uint32_t result) {
        c.each([&](int k) { return k < i; }, [&](std::size_t k) { f(result, k); });
        return result;
      };
      check_lanes("WaveIsFirstLane", active, hlsl::WaveIsFirstLane(active),
                  [&](int i) { return i == active.first(); });
      check_lanes("WavePrefixSum", active, hlsl::WavePrefixSum(active, v), [&](int i) {
        return below(
            i, [&](auto& r, std::size_t k) { r += c.value[k]; }, 0);
      });
      check_lanes("WavePrefixProduct", active, hlsl::WavePrefixProduct(active, v), [&](int i) {
        return below(
            i, [&](auto& r, std::size_t k) { r *= c.value[k]; }, 1);
      });
      check_lanes("WavePrefixCountBits", active, hlsl::WavePrefixCountBits(active, b), [&](int i) {
        return below(
            i, [&](auto& r, std::size_t k) { r += c.flag[k]; }, 0);
      });
      check_lanes("WaveReadLaneAt", active, hlsl::WaveReadLaneAt(active, v, c.indices()),
                  [&](int i) { return c.value[c.index[static_cast<std::size_t>(i)]]; });
    }
  });
}

TEST_CASE("quad intrinsics look at one's own quad") {
  for_each_size(FewSizes{}, []<int W>(Size<W>) {
    Random random = make_random(W);
    for (const Mask<W> active : masks<W>()) {
      INFO(describe(active));
      const Case<W> c(active, random);
      const auto partner = [&](const char* name, const auto& got, int flip) {
        for_each_lane(active, [&](int i) {
          if ((i ^ flip) >= W || !active.test(i ^ flip)) return;  // undefined
          INFO(name << ", lane " << i);
          CHECK(got[i] == c.value[static_cast<std::size_t>(i ^ flip)]);
        });
      };
      partner("QuadReadAcrossX", hlsl::QuadReadAcrossX(active, c.values()), 1);
      partner("QuadReadAcrossY", hlsl::QuadReadAcrossY(active, c.values()), 2);
      partner("QuadReadAcrossDiagonal", hlsl::QuadReadAcrossDiagonal(active, c.values()), 3);
      const auto member = hlsl::QuadReadLaneAt(active, c.values(), 2u);
      for_each_lane(active, [&](int i) {
        const int from = i / 4 * 4 + 2;
        if (from < W && active.test(from))
          CHECK(member[i] == c.value[static_cast<std::size_t>(from)]);
      });
      const auto in_quad = [&](int i, bool start, auto f) {
        c.each([&](int k) { return k / 4 == i / 4; },
               [&](std::size_t k) { start = f(start, c.flag[k]); });
        return start;
      };
      check_lanes("QuadAny", active, hlsl::QuadAny(active, c.flags()),
                  [&](int i) { return in_quad(i, false, [](bool a, bool b) { return a || b; }); });
      check_lanes("QuadAll", active, hlsl::QuadAll(active, c.flags()),
                  [&](int i) { return in_quad(i, true, [](bool a, bool b) { return a && b; }); });
    }
  });
}

TEST_CASE("WaveMatch and WaveMultiPrefix work within lanes of equal value") {
  for_each_size(FewSizes{}, []<int W>(Size<W>) {
    Random random = make_random(W);
    for (const Mask<W> active : masks<W>()) {
      INFO(describe(active));
      const Case<W> c(active, random);
      const auto match = hlsl::WaveMatch(active, c.values());
      for_each_lane(active, [&](int i) {
        for (std::uint32_t k = 0; k < 128; ++k)
          CHECK(match[i].bit(k) == (k < W && active.test(static_cast<int>(k)) &&
                                    c.value[k] == c.value[static_cast<std::size_t>(i)]));
      });
      const auto check = [&](const char* name, const auto& got, std::uint32_t start, auto f) {
        check_lanes(name, active, got, [&](int i) {
          std::uint32_t result = start;
          c.each(
              [&](int k) {
                return k < i &&
                       c.value[static_cast<std::size_t>(k)] == c.value[static_cast<std::size_t>(i)];
              },
              [&](std::size_t k) { result = f(result, k); });
          return result;
        });
      };
      const auto other = c.indices();
      check("Sum", hlsl::WaveMultiPrefixSum(active, other, match), 0,
            [&](auto r, std::size_t k) { return r + c.index[k]; });
      check("Product", hlsl::WaveMultiPrefixProduct(active, other, match), 1,
            [&](auto r, std::size_t k) { return r * c.index[k]; });
      check("BitAnd", hlsl::WaveMultiPrefixBitAnd(active, other, match), ~0u,
            [&](auto r, std::size_t k) { return r & c.index[k]; });
      check("BitOr", hlsl::WaveMultiPrefixBitOr(active, other, match), 0,
            [&](auto r, std::size_t k) { return r | c.index[k]; });
      check("BitXor", hlsl::WaveMultiPrefixBitXor(active, other, match), 0,
            [&](auto r, std::size_t k) { return r ^ c.index[k]; });
      check("CountBits", hlsl::WaveMultiPrefixCountBits(active, c.flags(), match), 0,
            [&](auto r, std::size_t k) { return r + c.flag[k]; });
    }
  });
}

TEST_CASE("WaveActiveAllEqual of a vector is one bool a component") {
  const auto active = Mask<8>::first_n(5);
  using L = Lanes<float, 8>;
  const auto changing = L::generate([](int i) { return i == 3 ? 2.0f : 1.0f; });
  const auto behind = L::generate([](int i) { return i >= 5 ? 2.0f : 1.0f; });
  const auto equal = hlsl::WaveActiveAllEqual(active, Vec<float, 3, 8>(L(1.0f), changing, behind));
  CHECK(equal.x[0]);
  CHECK_FALSE(equal.y[0]);
  CHECK(equal.z[0]);
}

#include <lockstep/glsl/keywords.hpp>

/// Stream compaction in HLSL style.
template <class S>
struct KeepOdd : hlsl::Kernel<S> {
  LOCKSTEP_HLSL(S);
  static constexpr Size3 local_size{64};
  Buffer<const uint> in;
  Buffer<uint> next, out;

  void main() {
    const Uint value = in[gl_GlobalInvocationID.x];
    const Bool keep = value % 2u == 1u;
    const Uint count = WaveActiveCountBits(keep);
    auto base = var(0u);
    If (WaveIsFirstLane()) base = atomicAdd(next[0], count);
    base = WaveReadLaneFirst(base);
    If (keep) out[base + WavePrefixCountBits(keep)] = value;
  }
};

#include <lockstep/glsl/keywords_off.hpp>

TEST_CASE("a kernel that speaks HLSL, on both machines") {
  Numbers in(256), expected;
  for (std::uint32_t i = 0; i < in.size(); ++i)
    if ((in[i] = i * 7 % 61) % 2 == 1) expected.push_back(in[i]);
  for (const int size : {8, 32}) {
    for (const bool tangled : {false, true}) {
      Numbers next(1), out(expected.size());
      const Device device{.subgroup_size = size, .threads = 1};
      Chooser chooser = Chooser::rejoin_all();
      const Convergence maximal{.rule = Rule::maximal, .chooser = &chooser};
      if (tangled)
        device.dispatch<KeepOdd, 8, 32>(maximal, {4}, in, next, out);
      else
        device.dispatch<KeepOdd, 8, 32>({4}, in, next, out);
      CHECK(next[0] == expected.size());
      CHECK(out == expected);
    }
  }
}

TEST_CASE("a kernel in HLSL needs the features of its built-ins in GLSL") {
  Profile profile = profile::nvidia;
  const auto run = [&] {
    Numbers in(64), next(1), out(64);
    Device{profile}.dispatch<KeepOdd, 32>({1}, in, next, out);
  };
  CHECK_NOTHROW(run());
  profile.features = profile.features.without(Feature::vote);
  CHECK_NOTHROW(run());
  profile.features = profile.features.without(Feature::ballot);
  CHECK_THROWS_WITH(run(), Catch::Contains("kernel KeepOdd needs VK_SUBGROUP_FEATURE_BALLOT_BIT"));
}
