#include <lockstep/vocabulary/cuda.hpp>

#include <array>
#include <catch2/catch.hpp>
#include <optional>
#include <vector>

#include <lockstep/lockstep.hpp>

#include "support/corpus.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

constexpr int W = 32;
using Uint = Lanes<std::uint32_t, W>;
using Numbers = std::array<std::uint32_t, W>;

Uint lanes_of(const Numbers& numbers) {
  return Uint::generate([&](int i) { return numbers[static_cast<std::size_t>(i)]; });
}

/// One warp: values, and in each lane a mask that all of its lanes share; in every other round the
/// lanes of the last group are all in one.
struct Warp {
  Mask<W> active;
  Numbers value, mask;

  Warp(Mask<W> a, Random& random) : active(a) {
    std::array<std::uint32_t, 3> group{};
    for (std::size_t i = 0; i < W; ++i) {
      value[i] = static_cast<std::uint32_t>(random() % 6 + 1);
      mask[i] = static_cast<std::uint32_t>(random() % 3);  // the group number, for now
      group[mask[i]] |= 1u << i;
    }
    for (std::size_t i = 0; i < W; ++i)
      mask[i] =
          active.test(static_cast<int>(i)) ? group[mask[i]] : static_cast<std::uint32_t>(random());
  }

  bool takes_part(int k, std::uint32_t named) const { return active.test(k) && (named >> k & 1); }
  std::uint32_t of(int k) const { return value[static_cast<std::size_t>(k)]; }
  /// f over the values of the participants of a mask.
  template <class F>
  std::uint32_t over(std::uint32_t named, std::uint32_t result, F f) const {
    for (int k = 0; k < W; ++k)
      if (takes_part(k, named)) result = f(result, k);
    return result;
  }
};

/// Checks an intrinsic with one mask per lane against f(lane, mask), and with one mask for all.
template <class Call, class F>
void check(const char* name, const Warp& warp, Call call, F expected) {
  const auto got = call(lanes_of(warp.mask));
  const auto uniform = call(0xffffffffu);
  for_each_lane(warp.active, [&](int i) {
    INFO(name << ", lane " << i << " of " << describe(warp.active));
    CHECK(got[i] == expected(i, warp.mask[static_cast<std::size_t>(i)]));
    if constexpr (requires { uniform[i]; })
      CHECK(uniform[i] == expected(i, 0xffffffffu));
    else
      CHECK(uniform == expected(i, 0xffffffffu));
  });
}

/// The lane from which a shuffle reads, by PTX's description of shfl.sync: its operands c, b and
/// the lane itself. None: the lane keeps its own value.
enum class Mode { up, down, xor_, index };
std::optional<int> ptx_source(Mode mode, int lane, std::uint32_t operand, int width) {
  const int b = static_cast<int>(operand & 31);
  const int segment = 32 - width;  // bits of a lane's number that its segment shares
  const int c = mode == Mode::up ? 0 : 31;
  const int max_lane = (lane & segment) | (c & ~segment);
  const int min_lane = lane & segment;
  switch (mode) {
    case Mode::up:
      return lane - b >= max_lane ? std::optional(lane - b) : std::nullopt;
    case Mode::down:
      return lane + b <= max_lane ? std::optional(lane + b) : std::nullopt;
    case Mode::xor_:
      return (lane ^ b) <= max_lane ? std::optional(lane ^ b) : std::nullopt;
    case Mode::index:
      return min_lane | (b & ~segment);
  }
  return std::nullopt;
}

}  // namespace

TEST_CASE("votes, ballots, reductions and matches among those the mask names") {
  Random random = make_random(W);
  for (const Mask<W> active : masks<W>()) {
    const Warp warp(active, random);
    const Uint v = lanes_of(warp.value);
    const Lanes<bool, W> odd = v % 2u == 1u;
    const auto is_odd = [&](int k) { return warp.of(k) % 2; };
    check(
        "__any_sync", warp, [&](auto mask) { return cuda::__any_sync(active, mask, odd); },
        [&](int, std::uint32_t named) {
          return warp.over(named, 0, [&](auto r, int k) { return r | is_odd(k); }) == 1;
        });
    check(
        "__all_sync", warp, [&](auto mask) { return cuda::__all_sync(active, mask, odd); },
        [&](int, std::uint32_t named) {
          return warp.over(named, 1, [&](auto r, int k) { return r & is_odd(k); }) == 1;
        });
    check(
        "__ballot_sync", warp, [&](auto mask) { return cuda::__ballot_sync(active, mask, odd); },
        [&](int, std::uint32_t named) {
          return warp.over(named, 0, [&](auto r, int k) { return r | is_odd(k) << k; });
        });
    check(
        "__reduce_add_sync", warp,
        [&](auto mask) { return cuda::__reduce_add_sync(active, mask, v); },
        [&](int, std::uint32_t named) {
          return warp.over(named, 0, [&](auto r, int k) { return r + warp.of(k); });
        });
    check(
        "__reduce_min_sync", warp,
        [&](auto mask) { return cuda::__reduce_min_sync(active, mask, v); },
        [&](int, std::uint32_t named) {
          return warp.over(named, ~0u, [&](auto r, int k) { return std::min(r, warp.of(k)); });
        });
    check(
        "__reduce_max_sync", warp,
        [&](auto mask) { return cuda::__reduce_max_sync(active, mask, v); },
        [&](int, std::uint32_t named) {
          return warp.over(named, 0, [&](auto r, int k) { return std::max(r, warp.of(k)); });
        });
    check(
        "__reduce_and_sync", warp,
        [&](auto mask) { return cuda::__reduce_and_sync(active, mask, v); },
        [&](int, std::uint32_t named) {
          return warp.over(named, ~0u, [&](auto r, int k) { return r & warp.of(k); });
        });
    check(
        "__reduce_or_sync", warp,
        [&](auto mask) { return cuda::__reduce_or_sync(active, mask, v); },
        [&](int, std::uint32_t named) {
          return warp.over(named, 0, [&](auto r, int k) { return r | warp.of(k); });
        });
    check(
        "__reduce_xor_sync", warp,
        [&](auto mask) { return cuda::__reduce_xor_sync(active, mask, v); },
        [&](int, std::uint32_t named) {
          return warp.over(named, 0, [&](auto r, int k) { return r ^ warp.of(k); });
        });
    check(
        "__match_any_sync", warp,
        [&](auto mask) { return cuda::__match_any_sync(active, mask, v); },
        [&](int i, std::uint32_t named) {
          return warp.over(named, 0, [&](auto r, int k) {
            return r | std::uint32_t{warp.of(k) == warp.of(i)} << k;
          });
        });
    check(
        "__match_all_sync", warp,
        [&](auto mask) { return cuda::__match_all_sync(active, mask, v); },
        [&](int i, std::uint32_t named) {
          const bool same = warp.over(named, 1, [&](auto r, int k) {
            return r & std::uint32_t{warp.of(k) == warp.of(i)};
          }) == 1;
          const std::uint32_t all = warp.over(named, 0, [](auto r, int k) { return r | 1u << k; });
          return same ? all : 0u;
        });
    CHECK(cuda::__activemask(active) ==
          warp.over(~0u, 0, [](auto r, int k) { return r | 1u << k; }));
  }
}

TEST_CASE("shuffles read within segments, and keep one's own value beyond them") {
  Random random = make_random(W);
  for (const Mask<W> active : masks<W>()) {
    for (const int width : {1, 2, 4, 8, 16, 32}) {
      Warp warp(active, random);
      Numbers operand;
      for (auto& x : operand) x = static_cast<std::uint32_t>(random() % 70);
      const Uint v = lanes_of(warp.value), b = lanes_of(operand);
      const auto segment = static_cast<std::uint32_t>(width);
      const auto check_mode = [&](Mode mode, const Uint& got) {
        for_each_lane(active, [&](int i) {
          const int from =
              ptx_source(mode, i, operand[static_cast<std::size_t>(i)], width).value_or(i);
          if (!active.test(from)) return;  // reading a lane that is not a participant is undefined
          INFO(static_cast<int>(mode) << ", width " << width << ", lane " << i);
          CHECK(got[i] == warp.of(from));
        });
      };
      check_mode(Mode::index, cuda::__shfl_sync(active, ~0u, v, b, segment));
      check_mode(Mode::up, cuda::__shfl_up_sync(active, ~0u, v, b, segment));
      check_mode(Mode::down, cuda::__shfl_down_sync(active, ~0u, v, b, segment));
      check_mode(Mode::xor_, cuda::__shfl_xor_sync(active, ~0u, v, b, segment));
    }
  }
}

TEST_CASE("matches compare bits, not values") {
  const auto active = Mask<W>::first_n(4);
  const auto zeros = Lanes<float, W>::generate([](int i) { return i % 2 == 0 ? 0.0f : -0.0f; });
  CHECK(cuda::__match_any_sync(active, ~0u, zeros)[0] == 0b0101);
  CHECK(cuda::__match_all_sync(active, ~0u, zeros) == 0);
  const Lanes<double, W> nan(std::numeric_limits<double>::quiet_NaN());
  CHECK(cuda::__match_any_sync(active, ~0u, nan)[3] == 0b1111);
  CHECK(cuda::__match_all_sync(active, ~0u, nan) == 0b1111);
}

TEST_CASE("misused masks are told") {
  const auto active = Mask<W>::first_n(4);
  CHECK_FALSE(cuda::misused(active, 0xffu).any_lane());
  CHECK(cuda::misused(active, 0b1101u) == Mask<W>::lane(1));
  // 0 and 1 are a group, 2 names 3, which has another mask; inactive lanes do not matter.
  const Uint masks = lanes_of({0b0011, 0b0011, 0b1100, 0b1000, 0, 0});
  CHECK(cuda::misused(active, masks) == Mask<W>::lane(2));
}

#include <lockstep/glsl/keywords.hpp>

/// Counts equal values, with one atomic per distinct value in a warp.
template <class S>
struct Count : cuda::Kernel<S> {
  LOCKSTEP_CUDA(S);
  static constexpr Size3 local_size{96};
  Buffer<const uint> in;
  Buffer<uint> counts, sums;

  void main() {
    const Uint i = blockIdx().x * blockDim().x + threadIdx().x;
    If (i >= in.length()) Return;
    const Uint value = in[i];
    const Uint peers = __match_any_sync(__activemask(), value);
    const Uint sum = __reduce_add_sync(peers, value);
    If (findLSB(peers) == Int(gl_SubgroupInvocationID)) {
      atomicAdd(counts[value], Uint(bitCount(peers)));
      atomicAdd(sums[value], sum);
    }
    // Reduces as in the guide: from the upper half to the lower, five times.
    auto total = var(value);
    for (uint d = warpSize / 2; d > 0; d /= 2) total += __shfl_down_sync(__activemask(), total, d);
    bool equal;
    __match_all_sync(__activemask(), value - value, &equal);
    If (gl_SubgroupInvocationID == 0u) atomicAdd(sums[0], select(Bool(equal), total, Uint(0u)));
  }
};

template <class S>
struct WrongMask : cuda::Kernel<S> {
  LOCKSTEP_CUDA(S);
  static constexpr Size3 local_size{32};
  Buffer<uint> out;

  void main() { out[0] = __reduce_add_sync(0xffu, Uint(1u)); }
};

#include <lockstep/glsl/keywords_off.hpp>

TEST_CASE("a kernel that speaks CUDA, on both machines") {
  std::vector<std::uint32_t> in(4 * 96);  // whole warps: a lane shuffles down only from active ones
  std::vector<std::uint32_t> counts(10), sums(10);
  for (std::uint32_t i = 0; i < in.size(); ++i) {
    in[i] = i * i % 9 + 1;
    ++counts[in[i]];
    sums[in[i]] += in[i];
    sums[0] += in[i];
  }
  for (const bool tangled : {false, true}) {
    std::vector<std::uint32_t> got_counts(10), got_sums(10);
    const Device device{.subgroup_size = 32, .threads = 1};
    Chooser chooser = Chooser::rejoin_all();
    const Convergence maximal{.rule = Rule::maximal, .chooser = &chooser};
    if (tangled)
      device.dispatch<Count, 32>(maximal, {5}, in, got_counts, got_sums);
    else
      device.dispatch<Count, 32>({5}, in, got_counts, got_sums);
    CHECK(got_counts == counts);
    CHECK(got_sums == sums);
  }
}

TEST_CASE("a kernel that misuses a mask, or runs on other warps, ends with an error") {
  std::vector<std::uint32_t> out(1);
  const Device device{.subgroup_size = 32, .threads = 1};
  CHECK_THROWS_WITH((device.dispatch<WrongMask, 32>({1}, out)),
                    Catch::Contains("cuda.cpp:") &&
                        Catch::Contains("__reduce_add_sync: the mask of lane 8, 9, "));
  const Device narrow{.subgroup_size = 16, .threads = 1};
  CHECK_THROWS_WITH((narrow.dispatch<WrongMask, 32>({1}, out)),
                    Catch::Contains("needs warps of 32 lanes, but the subgroup size is 16"));
}
