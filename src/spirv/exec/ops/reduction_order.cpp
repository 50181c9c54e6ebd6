#include <algorithm>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include "spirv/exec/ops/chosen_order.hpp"
#include "spirv/exec/ops/number.hpp"

/// \file
/// Reductions and scans of floats in any order: the result of an addition or multiplication of more than two values
/// depends on which are combined first.

namespace lockstep::spirv {
namespace {

/// Orders that devices use, and any other.
enum class Order : std::uint32_t {
  usual,       ///< the engine's own
  left,        ///< from the lowest lane up
  right,       ///< from the highest lane down
  neighbours,  ///< pairs of neighbours, then pairs of these
  halves,      ///< the lower half with the upper half, then again
  scan,        ///< with what 1, 2, 4, ... places below have so far
  any,         ///< one pair after another, each of them chosen
};
constexpr std::uint32_t orders = 7;

template <class T>
T combined(Operator op, T a, T b) {
  return op == Operator::add ? static_cast<T>(a + b) : static_cast<T>(a * b);
}

template <class T>
class Combination {
 public:
  Combination(const Inst* i, const Context& c, Chooser& chooser, Operator op, Order order)
      : where_(where(c, i)), chooser_(chooser), op_(op), order_(order) {}

  T operator()(std::vector<T> values) const {
    switch (order_) {
      case Order::usual:
      case Order::left:
        break;
      case Order::right:
        std::ranges::reverse(values);
        break;
      case Order::neighbours:
        return by_neighbours(std::move(values));
      case Order::halves:
        return by_halves(std::move(values));
      case Order::scan:
        return by_scan(std::move(values));
      case Order::any:
        return by_choice(std::move(values));
    }
    T all = values.front();
    for (std::size_t k = 1; k < values.size(); ++k) all = combined(op_, all, values[k]);
    return all;
  }

 private:
  T by_neighbours(std::vector<T> values) const {
    while (values.size() > 1) {
      const std::size_t count = values.size();
      for (std::size_t k = 0; k + 1 < count; k += 2)
        values[k / 2] = combined(op_, values[k], values[k + 1]);
      if (count % 2 == 1) values[count / 2] = values[count - 1];
      values.resize((count + 1) / 2);
    }
    return values.front();
  }
  T by_halves(std::vector<T> values) const {
    while (values.size() > 1) {
      const std::size_t half = (values.size() + 1) / 2;
      for (std::size_t k = 0; k + half < values.size(); ++k)
        values[k] = combined(op_, values[k], values[k + half]);
      values.resize(half);
    }
    return values.front();
  }
  T by_scan(std::vector<T> values) const {
    for (std::size_t stride = 1; stride < values.size(); stride *= 2) {
      for (std::size_t k = values.size() - 1; k >= stride; --k)
        values[k] = combined(op_, values[k - stride], values[k]);
    }
    return values.back();
  }
  T by_choice(std::vector<T> values) const {
    while (values.size() > 1) {
      const std::size_t count = values.size();
      std::size_t pair = chooser_.choose(static_cast<std::uint32_t>(count * (count - 1) / 2),
                                         where_, Choice::reduction_order);
      std::size_t a = 0;
      for (; pair >= count - 1 - a; ++a) pair -= count - 1 - a;
      const std::size_t b = a + 1 + pair;
      values[a] = combined(op_, values[a], values[b]);
      values.erase(values.begin() + static_cast<std::ptrdiff_t>(b));
    }
    return values.front();
  }

  SourceLocation where_;
  Chooser& chooser_;
  Operator op_;
  Order order_;
};

/// The lanes whose values a lane's result combines.
class Sources {
 public:
  Sources(const Context& c, const Op& op, const ListArgs& list) : c_(c), op_(op), list_(list) {}

  std::vector<int> of(int lane) const {
    std::vector<int> lanes;
    for_each_lane(c_.state.active, [&](int other) {
      if (is_source(other, lane)) lanes.push_back(other);
    });
    return lanes;
  }

 private:
  bool is_source(int other, int lane) const {
    switch (op_.code) {
      case Code::inclusive_scan:
        return other <= lane;
      case Code::exclusive_scan:
        return other < lane;
      case Code::clustered: {
        const int cluster = static_cast<int>(op_.as<Reduction>().cluster);
        return other / cluster == lane / cluster;
      }
      case Code::partitioned_reduce:
        return in_subset(other, lane);
      case Code::partitioned_inclusive_scan:
        return in_subset(other, lane) && other <= lane;
      case Code::partitioned_exclusive_scan:
        return in_subset(other, lane) && other < lane;
      default:
        return true;
    }
  }
  /// The ballot is the operand after the value.
  bool in_subset(int other, int lane) const {
    const Slot& word = list_.slots[1 + static_cast<std::size_t>(other) / 32];
    std::uint32_t bits = 0;
    const std::size_t at = word.varying ? static_cast<std::size_t>(lane) * sizeof bits : 0;
    std::memcpy(&bits, c_.regs + word.at + at, sizeof bits);
    return (bits >> other % 32 & 1) != 0;
  }

  const Context& c_;
  const Op& op_;
  const ListArgs& list_;
};

template <class T>
std::vector<LaneResult> reduced(const Inst* i, const Context& c, Chooser& chooser,
                                const ListArgs& list) {
  const Op& op = op_of(c, i);
  const Sources sources(c, op, list);
  std::vector<std::vector<int>> lanes(static_cast<std::size_t>(c.size));
  std::size_t most = 0;
  for_each_lane(c.state.active, [&](int lane) {
    auto& from = lanes[static_cast<std::size_t>(lane)] = sources.of(lane);
    most = std::max(most, from.size());
  });
  if (most < 3) return {};
  const auto order =
      static_cast<Order>(chooser.choose_for_place(orders, where(c, i), Choice::reduction_order));
  if (order == Order::usual) return {};
  const Combination<T> combine(i, c, chooser, op.as<Reduction>().op, order);
  const auto value_of = [&](int lane) {
    T value;
    const Slot& slot = list.slots[0];
    const std::size_t at = slot.varying ? static_cast<std::size_t>(lane) * sizeof value : 0;
    std::memcpy(&value, c.regs + slot.at + at, sizeof value);
    return value;
  };
  // Lanes that combine the same values get the same result.
  std::map<std::vector<int>, std::uint64_t> known;
  std::vector<LaneResult> results;
  for_each_lane(c.state.active, [&](int lane) {
    const std::vector<int>& from = lanes[static_cast<std::size_t>(lane)];
    if (from.size() < 2) return;  // the value itself, or the identity
    const auto [found, is_new] = known.try_emplace(from);
    if (is_new) {
      std::vector<T> values;
      for (const int other : from) values.push_back(value_of(other));
      const T result = combine(std::move(values));
      std::memcpy(&found->second, &result, sizeof result);
    }
    results.push_back({lane, found->second});
  });
  return results;
}

}  // namespace

std::vector<LaneResult> reduced_in_chosen_order(const Inst* i, const Context& c,
                                                const ListArgs& list) {
  Chooser* chooser = chooser_for(c, Choice::reduction_order);
  if (chooser == nullptr) return {};
  const Op& op = op_of(c, i);
  const auto* reduction = std::get_if<Reduction>(&op.detail);
  if (reduction == nullptr || !is_float(op.type)) return {};
  if (reduction->op != Operator::add && reduction->op != Operator::mul) return {};
  if (op.type == Scalar::f16) return reduced<float16_t>(i, c, *chooser, list);
  if (op.type == Scalar::f32) return reduced<float>(i, c, *chooser, list);
  return reduced<double>(i, c, *chooser, list);
}

}  // namespace lockstep::spirv
