#pragma once

#include <lockstep/checked/detail/lanes.hpp>
#include <lockstep/glsl/mat.hpp>
#include <lockstep/glsl/tangled.hpp>
#include <lockstep/glsl/vec.hpp>

/// \file
/// Results of subgroup built-ins that may be undefined.

namespace lockstep::inline LOCKSTEP_ABI::checked {

/// The result of a built-in with one result for the subgroup: as SubgroupValue, and undefined or not. Plain C++ that
/// asks for an undefined one makes it visible.
///
/// Requires      Created by a built-in of a kernel; lives no longer than the kernel.
/// Active lanes  Undefined where it was in a lane that is active when C++ asks.
/// Errors        None.
/// Cost          As Lanes.
/// Spec          None.
/// Example       tests/checked/machine.cpp
template <class T, int W>
class OneResult : public Value<T, W> {
 public:
  using Each = T;

  OneResult(const Lanes<T, W>& lanes, const Poison<W>& poison, const Mask<W>& active,
            SourceLocation where)
      : Value<T, W>(lanes, poison), active_(active), where_(where) {}
  /// The mask must outlive the result, which refers to it.
  OneResult(const Lanes<T, W>& lanes, const Poison<W>& poison, const Mask<W>&& active,
            SourceLocation where) = delete;

  operator T() const {
    const Mask<W> undefined = this->poison().lanes & active_;
    if (undefined.any_lane()) [[unlikely]]
      origins::report(std::same_as<T, bool> ? UseKind::condition : UseKind::uniform, where_,
                      to_lane_set(undefined), this->poison().since);
    const T value = each(active_.first());
    if (active_.without((this->plain() == Lanes<T, W>(value)).mask()).any_lane())
      lockstep::detail::fail_disagreement(where_);
    return value;
  }
  /// That of a lane, also if it is undefined.
  T each(int lane) const { return this->plain()[lane]; }

  /// Other lanes, made of this and maybe of more.
  template <class R, class... More>
  OneResult<R, W> with(const Lanes<R, W>& lanes, const More&... more) const {
    return {lanes, (this->poison() | ... | more.poison()), active_, where_};
  }

 private:
  const Mask<W>& active_;
  SourceLocation where_;
};

/// A ballot for each lane, undefined in some.
template <int W>
class Ballots : public BallotLanes<W> {
  using Word = Value<std::uint32_t, W>;

 public:
  Ballots(const BallotLanes<W>& ballots, const Poison<W>& poison)
      : BallotLanes<W>(ballots),
        x(ballots.x, poison),
        y(ballots.y, poison),
        z(ballots.z, poison),
        w(ballots.w, poison) {}

  Word x, y, z, w;

  const BallotLanes<W>& plain() const { return *this; }
  const Poison<W>& poison() const { return x.poison(); }
};

/// As OneResult, of a ballot.
template <int W>
class OneBallot : public Ballots<W> {
  using Word = OneResult<std::uint32_t, W>;

 public:
  OneBallot(const BallotLanes<W>& ballots, const Poison<W>& poison, const Mask<W>& active,
            SourceLocation where)
      : Ballots<W>(ballots, poison),
        x(ballots.x, poison, active, where),
        y(ballots.y, poison, active, where),
        z(ballots.z, poison, active, where),
        w(ballots.w, poison, active, where),
        active_(active),
        where_(where) {}
  /// The mask must outlive the ballot, which refers to it.
  OneBallot(const BallotLanes<W>& ballots, const Poison<W>& poison, const Mask<W>&& active,
            SourceLocation where) = delete;

  /// The components.
  Word x, y, z, w;

  operator Ballot() const { return {x, y, z, w}; }
  /// That of a lane, also if it is undefined.
  Ballot each(int lane) const { return this->plain()[lane]; }
  /// Another, made of this and maybe of more.
  template <class... More>
  OneBallot with(const BallotLanes<W>& ballots, const More&... more) const {
    return {ballots, (this->poison() | ... | more.poison()), active_, where_};
  }
  friend OneBallot operator~(const OneBallot& a) { return a.with(~a.plain()); }
  friend OneResult<bool, W> operator==(const OneBallot& a, const OneBallot& b) {
    return a.x.with(same(a.plain(), b.plain()), b);
  }
  friend OneResult<bool, W> operator==(const OneBallot& a, Ballot b) {
    return a.x.with(same(a.plain(), b));
  }

 private:
  static Lanes<bool, W> same(const BallotLanes<W>& a, const BallotLanes<W>& b) {
    return Lanes<bool, W>::generate([&](int i) { return a[i] == b[i]; });
  }

  const Mask<W>& active_;
  SourceLocation where_;
};

/// Of all lanes' ballots, bit by bit. One for the subgroup stays one.
#define LOCKSTEP_BALLOT_OPERATOR(op)                                                           \
  template <int W>                                                                             \
  OneBallot<W> operator op(const OneBallot<W>& a, const OneBallot<W>& b) {                     \
    return a.with(a.plain() op b.plain(), b);                                                  \
  }                                                                                            \
  template <int W>                                                                             \
  OneBallot<W> operator op(const OneBallot<W>& a, const Ballot& b) {                           \
    return a.with(a.plain() op BallotLanes<W>(b));                                             \
  }                                                                                            \
  template <int W>                                                                             \
  OneBallot<W> operator op(const Ballot& a, const OneBallot<W>& b) {                           \
    return b.with(BallotLanes<W>(a) op b.plain());                                             \
  }                                                                                            \
  template <int W>                                                                             \
  Ballots<W> operator op(const Ballots<W>& a, const Ballots<W>& b) {                           \
    return {a.plain() op b.plain(), a.poison() | b.poison()};                                  \
  }                                                                                            \
  template <int W>                                                                             \
  Ballots<W> operator op(const Ballots<W>& a, const std::type_identity_t<BallotLanes<W>>& b) { \
    return {a.plain() op b, a.poison()};                                                       \
  }                                                                                            \
  template <int W>                                                                             \
  Ballots<W> operator op(const std::type_identity_t<BallotLanes<W>>& a, const Ballots<W>& b) { \
    return {a op b.plain(), b.poison()};                                                       \
  }
LOCKSTEP_BALLOT_OPERATOR(&)
LOCKSTEP_BALLOT_OPERATOR(|)
LOCKSTEP_BALLOT_OPERATOR(^)
#undef LOCKSTEP_BALLOT_OPERATOR

/// The numbers of an argument, also where they are undefined. Where a tangle has one, that of this lane.
template <class A>
decltype(auto) numbers(const A& argument, [[maybe_unused]] int lane = 0) {
  if constexpr (requires { argument.each(lane); }) {
    return argument.each(lane);
  } else if constexpr (VecOfLanes<A>) {
    using T = lockstep::detail::Plain<typename A::value_type>;
    return Vec<T, A::components, A::width>::generate([&](auto k) { return argument[k].plain(); });
  } else if constexpr (requires { A::columns; }) {
    using T = lockstep::detail::Plain<typename A::value_type>;
    return Mat<T, A::columns, A::rows, A::width>::generate(
        [&](auto c) { return numbers(argument[c]); });
  } else if constexpr (CheckedLanes<A>) {
    return argument.plain();
  } else {
    return (argument);
  }
}

/// Where any of its parts is undefined.
template <int W, class A>
Poison<W> poison_of(const A& argument) {
  Poison<W> any;
  if constexpr (VecOfLanes<A>) {
    for (int k = 0; k < A::components; ++k) any = any | poison_of<W>(argument[k]);
  } else if constexpr (requires { A::columns; }) {
    for (int c = 0; c < A::columns; ++c) any = any | poison_of<W>(argument[c]);
  } else if constexpr (CheckedLanes<A>) {
    any = argument.poison();
  }
  return any;
}

}  // namespace lockstep::inline LOCKSTEP_ABI::checked
