#pragma once

#include <lockstep/checked/detail/origins.hpp>
#include <lockstep/exec/tangled_state.hpp>
#include <lockstep/lanes/lanes.hpp>

namespace lockstep::inline LOCKSTEP_ABI::checked {

/// The lanes in which a value is undefined, and since where.
///
/// Requires      None.
/// Active lanes  Lanes that are not active may be among them; who uses a value takes the active ones.
/// Errors        None.
/// Cost          A mask and a word. Combinations of defined values cost one comparison.
/// Spec          SPIR-V: undefined values
/// Example       tests/checked/machine.cpp
template <int W>
struct Poison {
  Mask<W> lanes{};
  origins::Number since = 0;

  /// The result of a function in the lanes where it breaks a rule; none where the run is not checked for it.
  static Poison from(Check rule, Mask<W> lanes, SourceLocation where, const char* function,
                     int bits = 32) {
    if (!lanes.any_lane()) return {};
    return begun(rule, lanes, where, function, bits);
  }
  /// From the origin of each lane, 0 where it is defined.
  [[gnu::noinline]] static Poison from(const Lanes<std::uint32_t, W>& each) {
    origins::OfLane number{};
    Mask<W> lanes;
    for (int i = 0; i < W; ++i) {
      number[static_cast<std::size_t>(i)] = each[i];
      if (each[i] != 0) lanes = lanes | Mask<W>::lane(i);
    }
    return {lanes, origins::of_lanes(number)};
  }
  /// The origin of each lane, 0 where it is defined.
  [[gnu::noinline]] Lanes<std::uint32_t, W> each() const {
    return Lanes<std::uint32_t, W>::generate(
        [&](int i) { return i < W && lanes.test(i) ? origins::in_lane(since, i) : 0; });
  }

  /// Whether all lanes have the same origin.
  LOCKSTEP_INLINE bool has_one_origin() const { return since < origins::combined; }
  LOCKSTEP_INLINE bool any() const { return lanes.any_lane(); }
  LOCKSTEP_INLINE Poison in(Mask<W> some) const { return {lanes & some, since}; }
  LOCKSTEP_INLINE Poison without(Mask<W> some) const { return {lanes.without(some), since}; }

  /// Where either value is undefined. What was undefined in a keeps its origin.
  LOCKSTEP_INLINE friend Poison operator|(const Poison& a, const Poison& b) {
    if (!(a.lanes | b.lanes).any_lane()) [[likely]]
      return {};
    return join(a, b);
  }

 private:
  [[gnu::cold, gnu::noinline]] static Poison begun(Check rule, Mask<W> lanes, SourceLocation where,
                                                   const char* function, int bits) {
    const origins::Number since = origins::begun(rule, where, function, bits);
    return since == 0 ? Poison() : Poison{lanes, since};
  }
  [[gnu::noinline]] static Poison join(Poison a, Poison b) {
    if (!b.any() || b.lanes.without(a.lanes) == Mask<W>::none()) return a;
    if (!a.any()) return b;
    return {a.lanes | b.lanes, a.since == b.since ? a.since
                                                  : origins::joined(a.since, to_lane_set(a.lanes),
                                                                    b.since, to_lane_set(b.lanes))};
  }
};

/// Of a selection: a's in the lanes of `mask`, b's in the others.
template <int W>
LOCKSTEP_INLINE Poison<W> select(Mask<W> mask, const Poison<W>& a, const Poison<W>& b) {
  return a.in(mask) | b.without(mask);
}

/// A T that may be undefined: the numbers of checked kernels.
template <class T>
struct Checked {
  using Plain = T;

  T value;
  bool undefined;

  explicit operator T() const { return value; }
};

}  // namespace lockstep::inline LOCKSTEP_ABI::checked
