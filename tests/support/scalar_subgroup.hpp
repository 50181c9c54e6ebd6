#pragma once

#include <algorithm>
#include <array>
#include <optional>

#include <lockstep/lanes/ballot.hpp>

#include "support/corpus.hpp"
#include "support/float_bounds.hpp"

/// \file
/// The expected results of the subgroup built-ins, one lane at a time. Nothing here depends on W as
/// a constant, so it is compiled once per element type.

namespace lockstep::test {

inline constexpr int most_lanes = 128;

/// All arguments of a built-in except its value. Arrays hold one element per physical lane.
struct Arguments {
  int width = 1;                                      ///< lanes of the type
  int size = 1;                                       ///< the subgroup size, at most width
  MaskBits active;                                    ///< lanes below size
  std::uint32_t uniform = 0;                          ///< a uniform id or delta
  std::uint32_t cluster = 1;                          ///< the cluster size
  std::array<std::uint32_t, most_lanes> number = {};  ///< an id or delta for each lane
  std::array<Ballot, most_lanes> ballot = {};         ///< a ballot for each lane
};

inline bool bit(const Ballot& ballot, int position) {
  const std::uint32_t words[4] = {ballot.x, ballot.y, ballot.z, ballot.w};
  return (words[position / 32] >> (position % 32) & 1) != 0;
}

/// The lowest active lane, if there is one.
inline std::optional<int> first_active(const Arguments& a) {
  for (int i = 0; i < a.size; ++i) {
    if (a.active.test(i)) return i;
  }
  return std::nullopt;
}

inline bool legal_cluster(const Arguments& a) {
  for (std::uint64_t n = 1; n <= static_cast<std::uint64_t>(a.size); n *= 2) {
    if (a.cluster == n) return true;
  }
  return false;
}

/// The lane that a built-in reads for each lane; nothing where the result is undefined.
namespace source {

using Function = std::optional<int> (*)(const Arguments&, int lane);

inline std::optional<int> if_active(const Arguments& a, std::uint64_t lane) {
  if (lane >= static_cast<std::uint64_t>(a.size)) return std::nullopt;
  if (!a.active.test(static_cast<int>(lane))) return std::nullopt;
  return static_cast<int>(lane);
}

/// The number of all active lanes, if it is uniform.
inline std::optional<std::uint32_t> agreed_number(const Arguments& a) {
  std::optional<std::uint32_t> common;
  for (int j = 0; j < a.size; ++j) {
    if (!a.active.test(j)) continue;
    if (common && *common != a.number[static_cast<std::size_t>(j)]) return std::nullopt;
    common = a.number[static_cast<std::size_t>(j)];
  }
  return common;
}

inline std::uint32_t number(const Arguments& a, int lane) {
  return a.number[static_cast<std::size_t>(lane)];
}

inline std::optional<int> broadcast(const Arguments& a, int) { return if_active(a, a.uniform); }
inline std::optional<int> broadcast_number(const Arguments& a, int) {
  const auto id = agreed_number(a);
  return id ? if_active(a, *id) : std::nullopt;
}
inline std::optional<int> broadcast_first(const Arguments& a, int) { return first_active(a); }

inline std::optional<int> shuffle(const Arguments& a, int i) { return if_active(a, number(a, i)); }
inline std::optional<int> shuffle_xor(const Arguments& a, int i) {
  return if_active(a, static_cast<std::uint32_t>(i) ^ number(a, i));
}
inline std::optional<int> shuffle_up(const Arguments& a, int i) {
  if (number(a, i) > static_cast<std::uint32_t>(i)) return std::nullopt;
  return if_active(a, static_cast<std::uint32_t>(i) - number(a, i));
}
inline std::optional<int> shuffle_down(const Arguments& a, int i) {
  return if_active(a, static_cast<std::uint64_t>(i) + number(a, i));
}

inline std::optional<int> rotate_by(const Arguments& a, int i, std::uint32_t delta) {
  const auto sum = static_cast<std::uint64_t>(i) + delta;
  return if_active(a, sum % static_cast<std::uint64_t>(a.size));
}
inline std::optional<int> rotate(const Arguments& a, int i) { return rotate_by(a, i, a.uniform); }
inline std::optional<int> rotate_number(const Arguments& a, int i) {
  const auto delta = agreed_number(a);
  return delta ? rotate_by(a, i, *delta) : std::nullopt;
}
inline std::optional<int> clustered_rotate_by(const Arguments& a, int i, std::uint32_t delta) {
  if (!legal_cluster(a)) return std::nullopt;
  const auto own = static_cast<std::uint64_t>(i);
  const std::uint64_t start = own - own % a.cluster;
  return if_active(a, start + (own + delta) % a.cluster);
}
inline std::optional<int> clustered_rotate(const Arguments& a, int i) {
  return clustered_rotate_by(a, i, a.uniform);
}
inline std::optional<int> clustered_rotate_number(const Arguments& a, int i) {
  const auto delta = agreed_number(a);
  return delta ? clustered_rotate_by(a, i, *delta) : std::nullopt;
}

inline std::optional<int> quad_broadcast(const Arguments& a, int i) {
  const std::uint32_t member = number(a, i);
  if (member >= 4) return std::nullopt;
  for (int j = 0; j < a.size; ++j) {
    if (a.active.test(j) && j / 4 == i / 4 && number(a, j) != member) return std::nullopt;
  }
  return if_active(a, static_cast<std::uint64_t>(i / 4 * 4) + member);
}
/// Members of a quad by row and column: 0 and 1 above 2 and 3.
inline std::optional<int> quad_member(const Arguments& a, int i, int row, int column) {
  return if_active(a, static_cast<std::uint64_t>(i / 4 * 4 + 2 * row + column));
}
inline std::optional<int> quad_horizontal(const Arguments& a, int i) {
  return quad_member(a, i, i % 4 / 2, 1 - i % 2);
}
inline std::optional<int> quad_vertical(const Arguments& a, int i) {
  return quad_member(a, i, 1 - i % 4 / 2, i % 2);
}
inline std::optional<int> quad_diagonal(const Arguments& a, int i) {
  return quad_member(a, i, 1 - i % 4 / 2, 1 - i % 2);
}

}  // namespace source

/// The result of a move: a value, bit for bit.
template <class T>
class Moved {
 public:
  Moved(source::Function from, const Arguments& a, const T* values, int lane) {
    const auto origin = from(a, lane);
    if (origin) value_ = values[*origin];
  }
  bool defined() const { return value_.has_value(); }
  bool allows(T got) const { return bits_of(got) == bits_of(*value_); }
  double about() const { return static_cast<double>(*value_); }

 private:
  std::optional<T> value_;
};

enum class Op { add, mul, min, max, bit_and, bit_or, bit_xor };

/// Which lanes are combined into a lane's result.
enum class Form {
  reduce,
  inclusive,
  exclusive,
  clustered,
  partitioned,
  partitioned_inclusive,
  partitioned_exclusive
};

/// Whether a combination of these arguments is undefined for all lanes.
inline bool undefined_for_all(Form form, const Arguments& a) {
  if (form == Form::clustered) return !legal_cluster(a);
  if (form < Form::partitioned) return false;
  // A partition is legal when each lane is in its own subset and all lanes named there hold the
  // same subset. Bits of inactive lanes do not count.
  const auto subset = [&](int i) {
    const Ballot& m = a.ballot[static_cast<std::size_t>(i)];
    return MaskBits{m.x | std::uint64_t{m.y} << 32, m.z | std::uint64_t{m.w} << 32} & a.active;
  };
  for (int i = 0; i < a.size; ++i) {
    if (!a.active.test(i)) continue;
    if (!subset(i).test(i)) return true;
    for (int j = 0; j < a.size; ++j) {
      if (subset(i).test(j) && !(subset(j) == subset(i))) return true;
    }
  }
  return false;
}

/// Whether active lane j's value goes into active lane i's result.
inline bool takes_part(Form form, const Arguments& a, int i, int j) {
  switch (form) {
    case Form::reduce:
      return true;
    case Form::inclusive:
      return j <= i;
    case Form::exclusive:
      return j < i;
    case Form::clustered:
      return static_cast<std::uint32_t>(i) / a.cluster == static_cast<std::uint32_t>(j) / a.cluster;
    case Form::partitioned:
      return bit(a.ballot[static_cast<std::size_t>(i)], j);
    case Form::partitioned_inclusive:
      return j <= i && bit(a.ballot[static_cast<std::size_t>(i)], j);
    case Form::partitioned_exclusive:
      return j < i && bit(a.ballot[static_cast<std::size_t>(i)], j);
  }
  return false;
}

/// The tolerance of float sums and products.
enum class Rounding {
  none,      ///< the numbers were chosen so that every partial result is exact
  any_order  ///< anything that some order of evaluation may give
};

/// The results an operator may give for integers and bools: exactly one.
template <class T>
class Allowed {
 public:
  Allowed(Op op, Rounding) : op_(op), value_(identity(op)) {}
  /// An undefined result.
  static Allowed undefined() {
    Allowed none(Op::add, Rounding::none);
    none.defined_ = false;
    return none;
  }

  void add(T x) { value_ = combine(value_, x); }
  bool defined() const { return defined_; }
  bool allows(T got) const { return got == value_; }
  double about() const { return static_cast<double>(value_); }

 private:
  static T identity(Op op) {
    using Limits = std::numeric_limits<T>;
    switch (op) {
      case Op::mul:
        return T(1);
      case Op::min:
        return Limits::max();
      case Op::max:
        return Limits::min();
      case Op::bit_and:
        if constexpr (std::is_same_v<T, bool>)
          return true;
        else
          return static_cast<T>(-1);
      default:
        return T(0);
    }
  }
  T combine(T a, T b) const {
    // Unsigned 64-bit arithmetic, truncated to T's bits, is arithmetic modulo 2^(bits of T).
    const auto x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
    switch (op_) {
      case Op::add:
        return static_cast<T>(x + y);
      case Op::mul:
        return static_cast<T>(x * y);
      case Op::min:
        return b < a ? b : a;
      case Op::max:
        return b > a ? b : a;
      case Op::bit_and:
        return static_cast<T>(x & y);
      case Op::bit_or:
        return static_cast<T>(x | y);
      case Op::bit_xor:
        return static_cast<T>(x ^ y);
    }
    return a;
  }

  Op op_;
  bool defined_ = true;
  T value_;
};

/// The results an operator may give for floats. For no number at all the result is the identity:
/// +0, 1 and the infinities. For one number it is that number, bit for bit.
template <class T>
requires is_floating<T>
class Allowed<T> {
 public:
  Allowed(Op op, Rounding rounding) : op_(op), rounding_(rounding) {}
  /// An undefined result.
  static Allowed undefined() {
    Allowed none(Op::add, Rounding::none);
    none.only_nan_ = true;
    return none;
  }

  void add(T x) {
    if (is_min_or_max() && is_nan(x)) {
      only_nan_ = count_ == 0;
      return;
    }
    only_nan_ = false;
    if (count_++ == 0) first_ = x;
    sum_.add(x);
    product_.add(x);
    if (is_zero(x)) (sign_of(x) ? minus_zero_ : plus_zero_) = true;
    if (count_ == 1 || expected::less(x, least_)) least_ = x;
    if (count_ == 1 || expected::less(greatest_, x)) greatest_ = x;
  }

  /// Min and max ignore NaN; of NaN alone they are undefined.
  bool defined() const { return !only_nan_; }
  bool allows(T got) const {
    if (count_ == 0) return bits_of(got) == bits_of(identity());
    if (count_ == 1) return bit_equal(got, first_);
    if (is_min_or_max()) {
      const T best = op_ == Op::min ? least_ : greatest_;
      if (!is_zero(best)) return bits_of(got) == bits_of(best);
      // Of +0 and -0 either is allowed, but it must be one of the operands.
      return is_zero(got) && (sign_of(got) ? minus_zero_ : plus_zero_);
    }
    if (rounding_ == Rounding::none)
      return to_real(got) == exact() && !(is_zero(got) && sign_of(got));
    return op_ == Op::add ? sum_.applies() && sum_.holds(got)
                          : product_.applies() && product_.holds(got);
  }
  double about() const {
    if (count_ == 0) return static_cast<double>(identity());
    if (count_ == 1) return static_cast<double>(first_);
    if (is_min_or_max()) return static_cast<double>(op_ == Op::min ? least_ : greatest_);
    return static_cast<double>(exact());
  }

 private:
  static bool is_zero(T x) { return to_real(x) == 0; }
  static bool sign_of(T x) { return (bits_of(x) >> (8 * sizeof(T) - 1)) != 0; }
  bool is_min_or_max() const { return op_ == Op::min || op_ == Op::max; }
  long double exact() const { return op_ == Op::add ? sum_.exact() : product_.exact(); }
  T identity() const {
    using Limits = std::numeric_limits<T>;
    if (op_ == Op::min) return Limits::infinity();
    if (op_ == Op::max) return T(-Limits::infinity());
    return op_ == Op::mul ? T(1.0f) : T(0.0f);
  }

  Op op_;
  Rounding rounding_;
  int count_ = 0;
  bool only_nan_ = false, plus_zero_ = false, minus_zero_ = false;
  T first_{}, least_{}, greatest_{};
  SumBound<T> sum_;
  ProductBound<T> product_;
};

/// The results a lane may get from a combination whose arguments are legal.
template <class T>
Allowed<T> combined(Op op, Form form, Rounding rounding, const Arguments& a, const T* values,
                    int lane) {
  Allowed<T> allowed(op, rounding);
  for (int j = 0; j < a.size; ++j) {
    if (a.active.test(j) && takes_part(form, a, lane, j)) allowed.add(values[j]);
  }
  return allowed;
}

}  // namespace lockstep::test
