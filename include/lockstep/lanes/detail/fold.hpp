#pragma once

#include <algorithm>
#include <limits>

#include <lockstep/lanes/lanes.hpp>

/// \file
/// Reductions and scans over all lanes of a value. The order of evaluation is one fixed tree on
/// every back end, so float results have the same bits everywhere.

namespace lockstep::inline LOCKSTEP_ABI::detail {

/// The seven operators. `neutral` leaves any value unchanged bit for bit, so that it can stand in
/// for inactive lanes; `identity` is what GLSL gives the first active lane of an exclusive scan.
struct Add {
  template <class Ops, class B>
  LOCKSTEP_INLINE static B apply(const B& a, const B& b) {
    return Ops::add(a, b);
  }
  template <class T>
  static constexpr T neutral() {
    if constexpr (Floating<T>)
      return T(-0.0f);  // +0 would turn -0 into +0
    else
      return T(0);
  }
  template <class T>
  static constexpr T identity() {
    return T(0);
  }
};

struct Mul {
  template <class Ops, class B>
  LOCKSTEP_INLINE static B apply(const B& a, const B& b) {
    return Ops::mul(a, b);
  }
  template <class T>
  static constexpr T neutral() {
    return T(1);
  }
  template <class T>
  static constexpr T identity() {
    return T(1);
  }
};

template <class T>
constexpr T largest() {
  if constexpr (Floating<T>)
    return std::numeric_limits<T>::infinity();
  else
    return std::numeric_limits<T>::max();
}
template <class T>
constexpr T smallest() {
  if constexpr (Floating<T>)
    return -std::numeric_limits<T>::infinity();
  else
    return std::numeric_limits<T>::min();
}

struct Min {
  template <class Ops, class B>
  LOCKSTEP_INLINE static B apply(const B& a, const B& b) {
    return Ops::min(a, b);
  }
  template <class T>
  static constexpr T neutral() {
    return largest<T>();
  }
  template <class T>
  static constexpr T identity() {
    return largest<T>();
  }
};

struct Max {
  template <class Ops, class B>
  LOCKSTEP_INLINE static B apply(const B& a, const B& b) {
    return Ops::max(a, b);
  }
  template <class T>
  static constexpr T neutral() {
    return smallest<T>();
  }
  template <class T>
  static constexpr T identity() {
    return smallest<T>();
  }
};

struct And {
  template <class Ops, class B>
  LOCKSTEP_INLINE static B apply(const B& a, const B& b) {
    return Ops::bit_and(a, b);
  }
  template <class T>
  static constexpr T neutral() {
    return static_cast<T>(-1);
  }
  template <class T>
  static constexpr T identity() {
    return static_cast<T>(-1);
  }
};

struct Or {
  template <class Ops, class B>
  LOCKSTEP_INLINE static B apply(const B& a, const B& b) {
    return Ops::bit_or(a, b);
  }
  template <class T>
  static constexpr T neutral() {
    return T(0);
  }
  template <class T>
  static constexpr T identity() {
    return T(0);
  }
};

struct Xor {
  template <class Ops, class B>
  LOCKSTEP_INLINE static B apply(const B& a, const B& b) {
    return Ops::bit_xor(a, b);
  }
  template <class T>
  static constexpr T neutral() {
    return T(0);
  }
  template <class T>
  static constexpr T identity() {
    return T(0);
  }
};

// The source of each lane of a shuffle; lanes N and up are the second operand's.
template <int Distance>
struct FromXor {
  LOCKSTEP_INLINE static constexpr int lane(int i) { return i ^ Distance; }
};
template <int Distance, int N>
struct FromBelow {  // the first operand fills in at the bottom
  LOCKSTEP_INLINE static constexpr int lane(int i) { return i < Distance ? i : N + i - Distance; }
};
template <int Distance, int N>
struct FromBefore {  // the last lanes of the first operand fill in at the bottom
  LOCKSTEP_INLINE static constexpr int lane(int i) { return N + i - Distance; }
};
template <int Lane>
struct FromLane {
  LOCKSTEP_INLINE static constexpr int lane(int) { return Lane; }
};
template <int Cluster>
struct FromClusterStart {
  LOCKSTEP_INLINE static constexpr int lane(int i) { return i & ~(Cluster - 1); }
};

/// v with its value replaced by the operator's neutral element outside `mask`. Min and max also
/// drop NaN here, once, because a NaN loses against any number.
template <class Op, class T, int W>
LOCKSTEP_INLINE Lanes<T, W> participants(Mask<W> mask, const Lanes<T, W>& v) {
  const Lanes<T, W> neutral(Op::template neutral<T>());
  if constexpr (Floating<T> && (std::same_as<Op, Min> || std::same_as<Op, Max>)) {
    return select(mask & (v == v).mask(), v, neutral);
  } else {
    return select(mask, v, neutral);
  }
}

/// Combines lane i with lane i ^ Distance for Distance = Cluster / 2 ... 1: every lane of an
/// aligned cluster ends with the cluster's result.
template <class Op, int Cluster, class T, int P>
LOCKSTEP_INLINE Packs<T, P> butterfly(Packs<T, P> v) {
  using Pack = Packs<T, P>;
  using Ops = typename Pack::Ops;
  constexpr int each = Pack::lanes_each;
  if constexpr (Cluster > 1) {
    constexpr int distance = Cluster / 2;
    if constexpr (distance >= each) {
      constexpr int step = distance / each;
      v = make_packs<T, P>([&](int k) __attribute__((always_inline)) {
        const int low = k & ~step;
        return Op::template apply<Ops>(v.batch[low], v.batch[low | step]);
      });
    } else {
      v = make_packs<T, P>([&](int k) __attribute__((always_inline)) {
        return Op::template apply<Ops>(
            v.batch[k], Ops::template shuffle<FromXor<distance>>(v.batch[k], v.batch[k]));
      });
    }
    v = butterfly<Op, distance>(v);
  }
  return v;
}

/// The operator over all P lanes.
template <class Op, class T, int P>
LOCKSTEP_INLINE T reduce_all(Packs<T, P> v) {
  using Pack = Packs<T, P>;
  using Ops = typename Pack::Ops;
  if constexpr (Pack::count > 1) {
    Packs<T, P / 2> half;
    for_each_batch<Pack::count / 2>([&](auto k) __attribute__((always_inline)) {
      half.batch[k] = Op::template apply<Ops>(v.batch[k], v.batch[k + Pack::count / 2]);
    });
    return reduce_all<Op>(half);
  } else {
    return Ops::first(butterfly<Op, P>(v).batch[0]);
  }
}

template <class Op, int Distance, class Ops, int N, class B>
LOCKSTEP_INLINE B scan_batch(B v, const B& neutral) {
  if constexpr (Distance < N) {
    v = Op::template apply<Ops>(Ops::template shuffle<FromBelow<Distance, N>>(neutral, v), v);
    v = scan_batch<Op, 2 * Distance, Ops, N>(v, neutral);
  }
  return v;
}

/// How many lanes of rounded sums and products are scanned as one, whatever registers hold.
template <class T>
inline constexpr int scanned_lanes = sizeof(T) == 8 ? 8 : 16;

/// Combines lane i with lane i - Distance, then with lane i - 2 Distance, ... in blocks of so many batches.
template <class Op, int Distance, int Block, class T, int P>
LOCKSTEP_INLINE void scan_blocks(Packs<T, P>& v) {
  using Pack = Packs<T, P>;
  using Ops = typename Pack::Ops;
  constexpr int each = Pack::lanes_each, count = Pack::count;
  if constexpr (Distance < each * Block) {
    for_each_batch<count>([&](auto from_last) __attribute__((always_inline)) {
      const int k = count - 1 - from_last, below = k == 0 ? 0 : k - 1;
      if constexpr (Distance >= each) {
        constexpr int step = Distance / each;
        if (k % Block >= step)
          v.batch[k] = Op::template apply<Ops>(v.batch[k < step ? 0 : k - step], v.batch[k]);
      } else {
        const auto moved = k % Block > 0 ? Ops::template shuffle<FromBefore<Distance, each>>(
                                               v.batch[below], v.batch[k])
                                         : Ops::template shuffle<FromBelow<Distance, each>>(
                                               Ops::splat(Op::template neutral<T>()), v.batch[k]);
        v.batch[k] = Op::template apply<Ops>(moved, v.batch[k]);
      }
    });
    scan_blocks<Op, 2 * Distance, Block>(v);
  }
}

/// Lane i gets the operator over lanes 0 to i. Of numbers that are rounded, in blocks of as many lanes as AVX-512 has in a
/// register, so that the order is the same everywhere.
template <class Op, class T, int P>
LOCKSTEP_INLINE Packs<T, P> inclusive_scan_all(const Packs<T, P>& v) {
  using Pack = Packs<T, P>;
  using Ops = typename Pack::Ops;
  constexpr int each = Pack::lanes_each;
  constexpr bool rounds = Floating<T> && (std::same_as<Op, Add> || std::same_as<Op, Mul>);
  if constexpr (rounds && each < scanned_lanes<T> && Pack::count > 1) {
    constexpr int block = std::min(scanned_lanes<T> / each, Pack::count);
    Pack r = v;
    scan_blocks<Op, 1, block>(r);
    for_each_batch<Pack::count>([&](auto k) __attribute__((always_inline)) {
      if (k < block) return;
      const auto& before = r.batch[k < block ? 0 : k / block * block - 1];
      r.batch[k] = Op::template apply<Ops>(
          Ops::template shuffle<FromLane<each - 1>>(before, before), r.batch[k]);
    });
    return r;
  } else {
    const auto neutral = Ops::splat(Op::template neutral<T>());
    Pack r;
    for_each_batch<Pack::count>([&](auto k) __attribute__((always_inline)) {
      r.batch[k] = scan_batch<Op, 1, Ops, each>(v.batch[k], neutral);
    });
    for_each_batch<Pack::count>([&](auto k) __attribute__((always_inline)) {
      if (k == 0) return;
      const auto& before = r.batch[k == 0 ? 0 : k - 1];
      r.batch[k] = Op::template apply<Ops>(
          Ops::template shuffle<FromLane<each - 1>>(before, before), r.batch[k]);
    });
    return r;
  }
}

/// Lane i gets lane i - 1's value, lane 0 gets `bottom`.
template <class T, int P>
LOCKSTEP_INLINE Packs<T, P> shift_up_one(const Packs<T, P>& v, T bottom) {
  using Pack = Packs<T, P>;
  using Ops = typename Pack::Ops;
  constexpr int each = Pack::lanes_each;
  return make_packs<T, P>([&](int k) __attribute__((always_inline)) {
    // FromBelow<1> takes lane 0 of its first operand at the bottom: bring the last lane there.
    const auto fill = k == 0 ? Ops::splat(bottom)
                             : Ops::template shuffle<FromLane<each - 1>>(
                                   v.batch[k == 0 ? 0 : k - 1], v.batch[k == 0 ? 0 : k - 1]);
    return Ops::template shuffle<FromBelow<1, each>>(fill, v.batch[k]);
  });
}

}  // namespace lockstep::inline LOCKSTEP_ABI::detail
