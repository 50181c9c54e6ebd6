#include <lockstep/glsl/local_array.hpp>

#include <algorithm>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/lockstep.hpp>

// After all other headers: the macros rename ordinary words.
#include <lockstep/glsl/keywords.hpp>

namespace {

using namespace lockstep;

/// Each lane counts in bins of its own, and reads them in another order.
template <class S>
struct CountsInBins : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{40};
  Buffer<const uint> in;
  Buffer<uint> out;
  Buffer<vec2> pairs;

  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    Array<uint, 5> bins{this};
    Array<vec2, 2> ends{this, vec2(1.0f, 2.0f), vec2(3.0f, 4.0f)};
    Array<bool, 3> seen{this};
    For (auto k = var(0u), k < 7u, k += 1u) {
      const Uint bin = (in[i] >> k) % 5u;
      If (bin != 3u) bins[bin] += k + 1u;
      seen[Int(bin % 3u)] = true;
    }
    bins[2] = bins[bins[0] % 5u] * 2u;
    If (i % 3u == 0u) {
      bins[4] -= 1u;
    }
    out[i] = ((bins[0] * 10u + bins[1]) * 10u + bins[2]) * 10u + max(bins[3], bins[4]);
    out[i] += 100000u * (Uint(Bool(seen[0])) + 2u * Uint(Bool(seen[1])) + 4u * Uint(Bool(seen[2])));
    ends[i % 2u] = vec2(Float(i), 0.0f);
    pairs[i] = ends[0] + ends[(i + 1u) % 2u];
  }
};

std::uint32_t expected(std::uint32_t x, std::uint32_t i) {
  std::uint32_t bins[5] = {};
  bool seen[3] = {};
  for (std::uint32_t k = 0; k < 7; ++k) {
    const std::uint32_t bin = (x >> k) % 5;
    if (bin != 3) bins[bin] += k + 1;
    seen[bin % 3] = true;
  }
  bins[2] = bins[bins[0] % 5] * 2;
  if (i % 3 == 0) --bins[4];
  return ((bins[0] * 10 + bins[1]) * 10 + bins[2]) * 10 + std::max(bins[3], bins[4]) +
         100000u * (seen[0] + 2u * seen[1] + 4u * seen[2]);
}

TEST_CASE("each lane has an array of its own") {
  std::vector<std::uint32_t> in(80);
  for (std::uint32_t i = 0; i < in.size(); ++i) in[i] = i * 2654435761u >> 8;
  for (const int size : {1, 5, 16}) {
    const Device device{.subgroup_size = size};
    std::vector<std::uint32_t> out(80), tangled(80);
    std::vector<std430::vec2> pairs(80), tangled_pairs(80);
    device.dispatch<CountsInBins, 16>({2}, in, out, pairs);
    device.dispatch<CountsInBins, 16>(Convergence{}, {2}, in, tangled, tangled_pairs);
    for (std::uint32_t i = 0; i < out.size(); ++i) {
      CHECK(out[i] == expected(in[i], i));
      const auto x = static_cast<float>(i);
      CHECK(pairs[i] == (i % 2 == 0 ? std430::vec2{x + 3, 4} : std430::vec2{1 + 1, 2 + 2}));
    }
    CHECK(tangled == out);
    CHECK(tangled_pairs == pairs);
  }
}

template <class S>
struct BeyondBins : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Buffer<uint> out;
  static constexpr int first_line = __LINE__ + 5;

  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    Array<uint, 4> bins{this, 1u, 2u, 3u, 4u};
    out[i] = bins[i];
    bins[Int(i) - 6] = 9u;
    bins[7] = 9u;
    If (i > 9u) {
      bins[8] = 9u;
    }
    out[i] += bins[0] + bins[4];
  }
};

TEST_CASE("accesses outside of local arrays are faults") {
  const Device device{.subgroup_size = 8, .faults = Faults::counted};
  for (const bool tangled : {false, true}) {
    std::vector<std::uint32_t> out(8);
    const FaultLog faults = tangled ? device.dispatch<BeyondBins, 8>(Convergence{}, {1}, out)
                                    : device.dispatch<BeyondBins, 8>({1}, out);
    CHECK(out == std::vector<std::uint32_t>{2, 3, 4, 5, 1, 1, 9, 1});
    REQUIRE(faults.findings().size() == 4);
    CHECK(faults.count() == 4 + 6 + 1 + 1);
    for (int k : {0, 1, 2})
      CHECK(faults.findings()[static_cast<std::size_t>(k)].where.line ==
            BeyondBins<FastMachine<8>>::first_line + k);
    CHECK(faults.first().access.object.kind == MemoryObject::Kind::private_memory);
    CHECK(faults.first().access.index == 4);
    CHECK(faults.first().access.size == 4);
    CHECK(faults.first().lanes == LaneSet{0xf0});
  }
}

}  // namespace
