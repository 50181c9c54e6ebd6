#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include "support/harness.hpp"

/// \file
/// The baseline for the built-ins: straightforward loops over lanes, one lane at a time, `if
/// (active[i])`. The compiler may vectorise them and knows the number of lanes.

namespace lockstep::bench::scalar {

struct Add {
  template <class T>
  static constexpr T identity = T(0);
  template <class T>
  static T of(T a, T b) {
    return a + b;
  }
};
struct Mul {
  template <class T>
  static constexpr T identity = T(1);
  template <class T>
  static T of(T a, T b) {
    return a * b;
  }
};
template <class T>
using Limits = std::numeric_limits<T>;
struct Min {
  template <class T>
  static constexpr T identity = Limits<T>::has_infinity ? Limits<T>::infinity() : Limits<T>::max();
  template <class T>
  static T of(T a, T b) {
    return b < a ? b : a;
  }
};
struct Max {
  template <class T>
  static constexpr T identity = Limits<T>::has_infinity ? -Limits<T>::infinity()
                                                        : Limits<T>::lowest();
  template <class T>
  static T of(T a, T b) {
    return b > a ? b : a;
  }
};
struct And {
  template <class T>
  static constexpr T identity = static_cast<T>(-1);
  template <class T>
  static T of(T a, T b) {
    return a & b;
  }
};
struct Or {
  template <class T>
  static constexpr T identity = T(0);
  template <class T>
  static T of(T a, T b) {
    return a | b;
  }
};
struct Xor {
  template <class T>
  static constexpr T identity = T(0);
  template <class T>
  static T of(T a, T b) {
    return a ^ b;
  }
};

template <class In>
using Value = typename In::value_type;
template <class In, class T = Value<In>>
using PerLane = std::array<T, static_cast<std::size_t>(In::width)>;

/// Calls f(i) for each active lane.
template <class In, class F>
LOCKSTEP_INLINE void for_each_active(const In& in, F&& f) {
  const bool* active = in.inputs.active[in.set];
  for (std::size_t i = 0; i < In::width; ++i) {
    if (active[i]) f(i);
  }
}

template <class Op>
struct Reduce {
  template <class In>
  auto operator()(const In& in) const {
    auto result = Op::template identity<Value<In>>;
    for_each_active(in,
                    [&](std::size_t i) { result = Op::of(result, in.inputs.value[in.set][i]); });
    return result;
  }
};

template <class Op>
struct Inclusive {
  template <class In>
  auto operator()(const In& in) const {
    PerLane<In> result{};
    auto sum = Op::template identity<Value<In>>;
    for_each_active(in, [&](std::size_t i) {
      sum = Op::of(sum, in.inputs.value[in.set][i]);
      result[i] = sum;
    });
    return result;
  }
};

template <class Op>
struct Exclusive {
  template <class In>
  auto operator()(const In& in) const {
    PerLane<In> result{};
    auto sum = Op::template identity<Value<In>>;
    for_each_active(in, [&](std::size_t i) {
      result[i] = sum;
      sum = Op::of(sum, in.inputs.value[in.set][i]);
    });
    return result;
  }
};

template <class Op, std::size_t Cluster>
struct Clustered {
  template <class In>
  auto operator()(const In& in) const {
    const bool* active = in.inputs.active[in.set];
    PerLane<In> result{};
    for (std::size_t first = 0; first < In::width; first += Cluster) {
      auto sum = Op::template identity<Value<In>>;
      for (std::size_t i = first; i < first + Cluster; ++i) {
        if (active[i]) sum = Op::of(sum, in.inputs.value[in.set][i]);
      }
      for (std::size_t i = first; i < first + Cluster; ++i) result[i] = sum;
    }
    return result;
  }
};

/// The lowest lane of the lane's subset.
template <class In>
std::size_t first_of_subset(const In& in, std::size_t lane) {
  for (std::size_t w = 0;; ++w) {
    const std::uint32_t word = in.inputs.ballot[in.set][w][lane];
    if (word != 0) return 32 * w + static_cast<std::size_t>(std::countr_zero(word));
  }
}

/// One loop over the lanes that keeps each subset's intermediate result in its lowest lane.
template <class Op, bool Before, bool After>
struct PartitionedScan {
  template <class In>
  auto operator()(const In& in) const {
    PerLane<In> result{}, sums;
    sums.fill(Op::template identity<Value<In>>);
    for_each_active(in, [&](std::size_t i) {
      auto& sum = sums[first_of_subset(in, i)];
      if (Before) result[i] = sum;
      sum = Op::of(sum, in.inputs.value[in.set][i]);
      if (After) result[i] = sum;
    });
    if (!Before && !After)
      for_each_active(in, [&](std::size_t i) { result[i] = sums[first_of_subset(in, i)]; });
    return result;
  }
};
template <class Op>
using Partitioned = PartitionedScan<Op, false, false>;
template <class Op>
using PartitionedInclusive = PartitionedScan<Op, false, true>;
template <class Op>
using PartitionedExclusive = PartitionedScan<Op, true, false>;

struct Partition {
  template <class In>
  auto operator()(const In& in) const {
    const auto& value = in.inputs.value[in.set];
    BallotLaneWords<In::width> result{};
    for_each_active(in, [&](std::size_t i) {
      for_each_active(in, [&](std::size_t j) {
        if (value[j] == value[i]) result.word[j / 32][i] |= 1u << j % 32;
      });
    });
    return result;
  }
};

/// Each active lane i gets the value of lane source(operands, i).
template <class Source>
struct Move {
  template <class In>
  auto operator()(const In& in) const {
    PerLane<In> result{};
    for_each_active(in,
                    [&](std::size_t i) { result[i] = in.inputs.value[in.set][Source{}(in, i)]; });
    return result;
  }
};
template <class Source>
Move<Source> move(Source) {
  return {};
}

struct BroadcastFirst {
  template <class In>
  auto operator()(const In& in) const {
    for (std::size_t i = 0; i < In::width; ++i) {
      if (in.inputs.active[in.set][i]) return in.inputs.value[in.set][i];
    }
    return Value<In>{};
  }
};

struct Elect {
  template <class In>
  auto operator()(const In& in) const {
    PerLane<In, bool> result{};
    for (std::size_t i = 0; i < In::width; ++i) {
      if (in.inputs.active[in.set][i]) {
        result[i] = true;
        break;
      }
    }
    return result;
  }
};

struct All {
  template <class In>
  bool operator()(const In& in) const {
    for (std::size_t i = 0; i < In::width; ++i) {
      if (in.inputs.active[in.set][i] && !in.inputs.condition[in.set][i]) return false;
    }
    return true;
  }
};
struct Any {
  template <class In>
  bool operator()(const In& in) const {
    for (std::size_t i = 0; i < In::width; ++i) {
      if (in.inputs.active[in.set][i] && in.inputs.condition[in.set][i]) return true;
    }
    return false;
  }
};
/// Of the values, or with Conditions of the bools.
template <bool Conditions>
struct AllEqual {
  template <class In>
  bool operator()(const In& in) const {
    const auto* lanes = [&] {
      if constexpr (Conditions)
        return in.inputs.condition[in.set];
      else
        return in.inputs.value[in.set];
    }();
    bool found = false;
    std::remove_cvref_t<decltype(*lanes)> first{};
    for (std::size_t i = 0; i < In::width; ++i) {
      if (!in.inputs.active[in.set][i]) continue;
      if (found && lanes[i] != first) return false;
      first = lanes[i];
      found = true;
    }
    return true;
  }
};

struct MakeBallot {
  template <class In>
  auto operator()(const In& in) const {
    BallotWords<In::width> result{};
    for_each_active(in, [&](std::size_t i) {
      if (in.inputs.condition[in.set][i]) result[i / 32] |= 1u << i % 32;
    });
    return result;
  }
};
/// As MakeBallot, for ballots of 64 bits.
struct MakeBallot64 {
  template <class In>
  auto operator()(const In& in) const {
    std::uint64_t result = 0;
    for_each_active(in, [&](std::size_t i) {
      if (i < 64 && in.inputs.condition[in.set][i]) result |= std::uint64_t{1} << i;
    });
    return result;
  }
};

// Ballots as data. The subgroup's one ballot is the condition's bits; a loop over lanes reads them
// one by one.

/// Bit k of the uniform ballot.
struct UniformBit {
  template <class In>
  LOCKSTEP_INLINE bool operator()(const In& in, std::size_t, std::size_t k) const {
    return in.inputs.condition[in.set][k];
  }
};
/// Bit k of the ballot of one lane.
struct LaneBit {
  template <class In>
  LOCKSTEP_INLINE bool operator()(const In& in, std::size_t lane, std::size_t k) const {
    return (in.inputs.ballot[in.set][k / 32][lane] >> k % 32 & 1) != 0;
  }
};

/// f(operands, lane) for each active lane.
template <class F>
struct EachLane {
  template <class In>
  auto operator()(const In& in) const {
    PerLane<In, std::remove_cvref_t<std::invoke_result_t<F, const In&, std::size_t>>> result{};
    for_each_active(in, [&](std::size_t i) { result[i] = F{}(in, i); });
    return result;
  }
};
template <class F>
EachLane<F> each_lane(F) {
  return {};
}

template <class Bit>
struct CountBits {
  template <class In>
  std::uint32_t operator()(const In& in, std::size_t lane = 0, std::size_t end = In::width) const {
    std::uint32_t count = 0;
    for (std::size_t k = 0; k < end; ++k) count += Bit{}(in, lane, k) ? 1u : 0u;
    return count;
  }
};
template <class Bit>
struct FindLowest {
  template <class In>
  std::uint32_t operator()(const In& in, std::size_t lane = 0) const {
    for (std::size_t k = 0; k < In::width; ++k) {
      if (Bit{}(in, lane, k)) return static_cast<std::uint32_t>(k);
    }
    return 0;
  }
};
template <class Bit>
struct FindHighest {
  template <class In>
  std::uint32_t operator()(const In& in, std::size_t lane = 0) const {
    for (std::size_t k = In::width; k-- > 0;) {
      if (Bit{}(in, lane, k)) return static_cast<std::uint32_t>(k);
    }
    return 0;
  }
};
/// The number of set bits below each lane, or up to and including it, in one loop over the lanes.
template <bool Inclusive>
struct CountBitsBelow {
  template <class In>
  auto operator()(const In& in) const {
    PerLane<In, std::uint32_t> result{};
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < In::width; ++i) {
      const std::uint32_t mine = in.inputs.condition[in.set][i] ? 1u : 0u;
      result[i] = Inclusive ? count + mine : count;
      count += mine;
    }
    return result;
  }
};

/// Any or all of the active lanes of each quad.
template <bool All>
struct QuadVote {
  template <class In>
  auto operator()(const In& in) const {
    PerLane<In, bool> result{};
    for (std::size_t first = 0; first < In::width; first += 4) {
      bool vote = All;
      for (std::size_t i = first; i < first + 4; ++i) {
        if (in.inputs.active[in.set][i] && in.inputs.condition[in.set][i] != All) vote = !All;
      }
      for (std::size_t i = first; i < first + 4; ++i) result[i] = vote;
    }
    return result;
  }
};

}  // namespace lockstep::bench::scalar
