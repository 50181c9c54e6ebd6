#include <array>
#include <vector>

#include "shader/run/ops/find.hpp"
#include "shader/run/ops/number.hpp"

/// \file
/// Sums and products of floats between lanes in an order that is chosen.

namespace lockstep::spirv {
namespace {

/// The values of the lanes that take part, by rank, and what each order makes of them.
template <class T>
struct Ordered {
  bool multiplies = false;
  std::vector<T> values;
  std::vector<int> lanes;

  T identity() const { return multiplies ? T(1) : T(0); }
  T join(T a, T b) const { return multiplies ? static_cast<T>(a * b) : static_cast<T>(a + b); }

  /// The result of each prefix.
  std::vector<T> prefixes(FloatOrder order) const {
    std::vector<T> all = values;
    if (order != FloatOrder::hillis_steele) {
      for (std::size_t k = 1; k < all.size(); ++k) all[k] = join(all[k - 1], all[k]);
      return all;
    }
    for (std::size_t stride = 1; stride < all.size(); stride *= 2) {
      for (std::size_t k = all.size(); k-- > stride;) all[k] = join(all[k - stride], all[k]);
    }
    return all;
  }
  /// The result of all; each lane's own where they differ.
  T total(FloatOrder order) const {
    if (values.empty()) return identity();
    return order == FloatOrder::butterfly ? butterfly() : prefixes(order).back();
  }

 private:
  /// By the numbers of lanes; lanes that do not take part are passed over.
  T butterfly() const {
    constexpr std::size_t most = 128;
    std::array<T, most> at;
    std::array<bool, most> has{};
    for (std::size_t k = 0; k < lanes.size(); ++k) {
      at[static_cast<std::size_t>(lanes[k])] = values[k];
      has[static_cast<std::size_t>(lanes[k])] = true;
    }
    for (std::size_t stride = 1; stride < most; stride *= 2) {
      for (std::size_t k = 0; k < most; k += 2 * stride) {
        if (has[k] && has[k + stride]) at[k] = join(at[k], at[k + stride]);
        if (!has[k] && has[k + stride]) at[k] = at[k + stride];
        has[k] = has[k] || has[k + stride];
      }
    }
    return at[0];
  }
};

template <class T>
T lane_of(const Context& c, const Inst* i, int lane) {
  T value;
  const auto number = static_cast<std::size_t>(i->varying(0) ? lane : 0);
  std::memcpy(&value, c.regs + i->a + number * sizeof value, sizeof value);
  return value;
}

/// Writes a lane's result, or that of all.
template <class T>
void give_lane(Context& c, const Inst* i, int lane, T value) {
  if (i->varying_result()) {
    std::memcpy(c.regs + i->dst + static_cast<std::size_t>(lane) * sizeof value, &value,
                sizeof value);
    return;
  }
  for (std::size_t k = 0; k < chunk_lanes; ++k)
    std::memcpy(c.regs + i->dst + k * sizeof value, &value, sizeof value);
}

template <class T>
const Inst* ordered(const Inst* i, Context& c) {
  const OrderedReduction what = OrderedReduction::of(i->imm);
  const int cluster = what.cluster == 0 ? 128 : static_cast<int>(what.cluster);
  for (int first = 0; first < c.size; first += cluster) {
    Ordered<T> taking{what.op == Operator::mul, {}, {}};
    for_each_lane(c.state.active, [&](int lane) {
      if (lane < first || lane >= first + cluster) return;
      taking.values.push_back(lane_of<T>(c, i, lane));
      taking.lanes.push_back(lane);
    });
    if (what.kind == OrderedReduction::Kind::all) {
      const T total = taking.total(what.order);
      for (const int lane : taking.lanes) give_lane(c, i, lane, total);
      continue;
    }
    const std::vector<T> prefixes = taking.prefixes(what.order);
    for (std::size_t k = 0; k < prefixes.size(); ++k) {
      const bool exclusive = what.kind == OrderedReduction::Kind::exclusive;
      const T value = !exclusive ? prefixes[k] : k == 0 ? taking.identity() : prefixes[k - 1];
      give_lane(c, i, taking.lanes[k], value);
    }
  }
  return i + 1;
}

}  // namespace

Run find_ordered(Scalar type) {
  return for_float(type, []<class T>() -> Run { return ordered<T>; });
}

}  // namespace lockstep::spirv
