#include <lockstep/glsl/tangled.hpp>

#include <numeric>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/keywords.hpp>

namespace {

using namespace lockstep;
using Numbers = std::vector<std::uint32_t>;

// Each kernel splits eight lanes into {0, 1, 2} and the others, which do not rejoin, inside a
// selection that lane 7 does not enter.
const Convergence& apart() {
  static Chooser chooser = Chooser::rejoin_none();
  static const Convergence convergence{.rule = Rule::subgroup_uniform, .chooser = &chooser};
  return convergence;
}

template <class S>
struct BuiltIns : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Buffer<uint> sum, first, scan, votes, elected, bits, rank, vector;

  void main() {
    const Uint i = gl_SubgroupInvocationID;
    If (i != 7u) {
      If (i < 3u) {
      }
      sum[i] = subgroupAdd(i);
      first[i] = subgroupBroadcastFirst(i);
      scan[i] = subgroupInclusiveAdd(Uint(1u));
      votes[i] = select(subgroupAny(i == 2u), Uint(1u), Uint(0u));
      elected[i] = select(subgroupElect(), Uint(1u), Uint(0u));
      const auto ballot = subgroupBallot(i % 2u == 0u);
      bits[i] = subgroupBallotBitCount(ballot);
      rank[i] = subgroupBallotExclusiveBitCount(ballot);
      vector[i] = subgroupMax(uvec2(i, i + 10u)).y;
    }
  }
};

/// A result with plain numbers is again one for each tangle.
template <class S>
struct PlainOperators : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Buffer<uint> sum, difference, above, equal, none, agreed;

  void main() {
    const Uint i = gl_SubgroupInvocationID;
    If (i != 7u) {
      If (i < 3u) {
      }
      const auto count = subgroupBallotBitCount(subgroupBallot(true));
      sum[i] = count * 2 + 1;
      difference[i] = 10 - count;
      above[i] = select(3 < count, Uint(1u), Uint(0u));
      equal[i] = select(count == 3u, Uint(1u), Uint(0u));
      none[i] = select(!subgroupAny(i == 2u), Uint(1u), Uint(0u));
      if (count <= 4) {
        if (!subgroupAny(i == 9u)) agreed[i] = Uint(1u);
      }
    }
  }
};

TEST_CASE("operators with plain numbers keep each tangle's own result") {
  Numbers sum(8), difference(8), above(8), equal(8), none(8), agreed(8);
  Device{.subgroup_size = 8}.dispatch<PlainOperators, 8>(apart(), {1}, sum, difference, above,
                                                         equal, none, agreed);
  CHECK(sum == Numbers{7, 7, 7, 9, 9, 9, 9, 0});
  CHECK(difference == Numbers{7, 7, 7, 6, 6, 6, 6, 0});
  CHECK(above == Numbers{0, 0, 0, 1, 1, 1, 1, 0});
  CHECK(equal == Numbers{1, 1, 1, 0, 0, 0, 0, 0});
  CHECK(none == Numbers{0, 0, 0, 1, 1, 1, 1, 0});
  CHECK(agreed == Numbers{1, 1, 1, 1, 1, 1, 1, 0});

  // The fast machine, where all lanes stay together, compiles the same kernel.
  Device{.subgroup_size = 8}.dispatch<PlainOperators, 8>({1}, sum, difference, above, equal, none,
                                                         agreed);
  CHECK(sum == Numbers{15, 15, 15, 15, 15, 15, 15, 0});
  CHECK(difference == Numbers{3, 3, 3, 3, 3, 3, 3, 0});
}

/// Plain C++ that asks for one value: && and || stop early, ?: and the components of ballots are plain numbers.
template <class S>
struct PlainLogic : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Buffer<uint> out;

  void main() {
    const Uint i = gl_SubgroupInvocationID;
    uint calls = 0;
    const auto counted = [&](bool value) {
      ++calls;
      return value;
    };
    if (subgroupAny(i == 2u) && subgroupAll(i < 8u)) out[0u] = 1u;
    if (subgroupAny(i == 9u) && counted(true)) out[0u] = 2u;
    if (subgroupAny(i == 2u) || counted(false)) out[1u] = 1u;
    if (subgroupAny(i == 9u) || subgroupAll(i < 7u)) out[1u] = 2u;
    out[2u] = calls;
    const uint low = subgroupAny(i == 1u) ? subgroupBallot(i < 4u).x : 0u;
    const uint high = subgroupAny(i == 9u) ? subgroupBallot(i < 4u).x : 3u;
    out[3u] = low * 16u + high;
    if (subgroupBallot(i < 4u).x == 15u && subgroupBallot(i < 4u).y == 0u) out[4u] = 1u;
    const uint bits = (subgroupBallot(i < 6u).x >> 2 & 6) | subgroupMin(i + 1u);
    out[5u] = bits;
    const uint ratio = 1000 / subgroupAdd(i) + subgroupAdd(i) / subgroupMax(i) % 3u;
    out[6u] = ratio;
    const int negative = -subgroupAdd(Int(i)) / 3 + subgroupMin(Int(i) - 3) % 2;
    out[7u] = uint(negative) ^ ~subgroupOr(i) ^ subgroupXor(i);
  }
};

TEST_CASE("plain C++ takes results of built-ins on the tangled machine as on the fast one") {
  Numbers fast(8), tangled(8);
  const Device device{.subgroup_size = 8};
  device.dispatch<PlainLogic, 8>({1}, fast);
  device.dispatch<PlainLogic, 8>(Convergence{}, {1}, tangled);
  const auto negative = static_cast<std::uint32_t>(-28 / 3 + -3 % 2);
  CHECK(fast == Numbers{1, 1, 0, 15 * 16 + 3, 1, 7, 1000 / 28 + 28 / 7 % 3, negative ^ ~7u});
  CHECK(tangled == fast);
}

/// Each tangle divides by its own number, and lane 7, which is in none, by nothing.
template <class S>
struct Divides : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Buffer<uint> out;

  void main() {
    const Uint i = gl_SubgroupInvocationID;
    If (i != 7u) {
      If (i < 3u) {
      }
      const auto sum = subgroupAdd(i), count = subgroupAdd(Uint(1u));
      out[i] = sum / count * 100u + 100 % count * 10u + (sum << count) + (sum & count);
    }
  }
};

TEST_CASE("operators of two results keep each tangle's own result") {
  Numbers out(8);
  Device{.subgroup_size = 8}.dispatch<Divides, 8>(apart(), {1}, out);
  const std::uint32_t a = 3 / 3 * 100 + 100 % 3 * 10 + (3 << 3) + (3 & 3);
  const std::uint32_t b = 18 / 4 * 100 + 100 % 4 * 10 + (18 << 4) + (18 & 4);
  CHECK(out == Numbers{a, a, a, b, b, b, b, 0});
}

TEST_CASE("each tangle has its own results") {
  Numbers sum(8), first(8), scan(8), votes(8), elected(8), bits(8), rank(8), vector(8);
  Device{.subgroup_size = 8}.dispatch<BuiltIns, 8>(apart(), {1}, sum, first, scan, votes, elected,
                                                   bits, rank, vector);
  CHECK(sum == Numbers{3, 3, 3, 18, 18, 18, 18, 0});
  CHECK(first == Numbers{0, 0, 0, 3, 3, 3, 3, 0});
  CHECK(scan == Numbers{1, 2, 3, 1, 2, 3, 4, 0});
  CHECK(votes == Numbers{1, 1, 1, 0, 0, 0, 0, 0});
  CHECK(elected == Numbers{1, 0, 0, 1, 0, 0, 0, 0});
  CHECK(bits == Numbers{2, 2, 2, 2, 2, 2, 2, 0});
  CHECK(rank == Numbers{0, 1, 1, 0, 0, 1, 1, 0});
  CHECK(vector == Numbers{12, 12, 12, 16, 16, 16, 16, 0});
}

template <class S>
struct KeptBallot : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Buffer<uint> bits, plain;

  void main() {
    const Uint i = gl_SubgroupInvocationID;
    auto together = var(0u);
    If (i != 7u) {
      If (i < 3u) {
      }
      const auto ballot = subgroupBallot(true);
      const auto mine = subgroupBallotBitCount(ballot);
      If (i < 3u) {
        const uint agreed = mine;  // only one tangle is left inside
        together = agreed;
      }
      bits[i] = mine;
    }
    plain[i] = together;
  }
};

TEST_CASE("a result is kept lane by lane, and is one value where the active lanes agree") {
  Numbers bits(8), plain(8);
  Device{.subgroup_size = 8}.dispatch<KeptBallot, 8>(apart(), {1}, bits, plain);
  CHECK(bits == Numbers{3, 3, 3, 4, 4, 4, 4, 0});
  CHECK(plain == Numbers{3, 3, 3, 0, 0, 0, 0, 0});
}

template <class S>
struct PlainBranch : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Buffer<uint> out;

  void main() {
    const Uint i = gl_SubgroupInvocationID;
    If (i != 7u) {
      If (i < 3u) {
      }
      if (subgroupAny(i == 0u)) out[i] = 1u;
    }
  }
};

template <class S>
struct PlainBallot : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Buffer<uint> out;

  void main() {
    If (gl_SubgroupInvocationID != 7u) {
      If (gl_SubgroupInvocationID < 3u) {
      }
      const Ballot all = subgroupBallot(true);
      out[0] = all.x;
    }
  }
};

TEST_CASE("a plain branch on what tangles disagree about is an error with its place") {
  Numbers out(8);
  const Device device{.subgroup_size = 8};
  CHECK_THROWS_WITH((device.dispatch<PlainBranch, 8>(apart(), {1}, out)),
                    Catch::Contains("tangled.cpp:") &&
                        Catch::Contains("tangles that did not rejoin have different results here"));
  CHECK_THROWS_WITH((device.dispatch<PlainBallot, 8>(apart(), {1}, out)),
                    Catch::Contains("plain C++ wants one value"));
  device.dispatch<PlainBranch, 8>(Convergence{}, {1}, out);  // maximal: one tangle, no question
  CHECK(out == Numbers{1, 1, 1, 1, 1, 1, 1, 0});
}

template <class S>
struct Disagreeing : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Buffer<uint> ranks, lanes;

  void main() {
    const Uint i = gl_SubgroupInvocationID;
    For (auto k = var(0u), k < 1u, k += 1u) {
      If (i < 3u) Continue;
    }
    // Together again, with ballots from when they were apart.
    const auto ballot = ballots(i);
    ranks[i] = subgroupBallotBitCount(ballot);
    lanes[i] = subgroupBroadcast(i, subgroupBallotFindLSB(ballot));
  }
  auto ballots(const Uint& i) {
    If (i < 3u) {
    }
    return subgroupBallot(i != 3u);
  }
};

TEST_CASE("the pure functions get what each tangle passed them") {
  Numbers ranks(8), lanes(8);
  Device{.subgroup_size = 8}.dispatch<Disagreeing, 8>(Convergence{}, {1}, ranks, lanes);
  CHECK(ranks == Numbers(8, 7));
  CHECK(lanes == Numbers(8, 0));
}

TEST_CASE("observers see the built-in once for each tangle, with operands and result") {
  struct Log : Observer {
    std::vector<Event> sums;
    void on(const Event& event) override {
      if (event.name == "subgroupAdd") sums.push_back(event);
    }
  } log;
  Convergence observed = apart();
  observed.observer = &log;
  Numbers out[8];
  for (Numbers& n : out) n.resize(8);
  Device{.subgroup_size = 8}.dispatch<BuiltIns, 8>(observed, {1}, out[0], out[1], out[2], out[3],
                                                   out[4], out[5], out[6], out[7]);
  REQUIRE(log.sums.size() == 2);
  CHECK(log.sums[0].tangles == Tangles{{LaneSet{0b0000'0111, 0}}});
  CHECK(log.sums[1].tangles == Tangles{{LaneSet{0b0111'1000, 0}}});
  CHECK(to_string(log.sums[0].operands.at(0), 2) == "2");
  CHECK(to_string(log.sums[0].result, 1) == "3");
  CHECK(to_string(log.sums[1].result, 3) == "18");
  CHECK(std::string(log.sums[0].where.file).find("tangled.cpp") != std::string::npos);
}

}  // namespace

#include <lockstep/glsl/keywords_off.hpp>
