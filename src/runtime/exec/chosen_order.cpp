#include <lockstep/exec/chosen_order.hpp>

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include <lockstep/lanes/float16.hpp>

namespace lockstep {
namespace {

/// Orders that devices use, and any other.
enum class Order : std::uint32_t {
  usual,       ///< the machine's own
  left,        ///< from the lowest lane up
  right,       ///< from the highest lane down
  neighbours,  ///< pairs of neighbours, then pairs of these
  halves,      ///< the lower half with the upper half, then again
  scan,        ///< with what 1, 2, 4, ... places below have so far
  any,         ///< one pair after another, each of them chosen
};
constexpr std::uint32_t orders = 7;

template <class T>
class Combination {
 public:
  Combination(Chooser& chooser, SourceLocation where, bool multiplies, Order order)
      : where_(where), chooser_(chooser), multiplies_(multiplies), order_(order) {}

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
    for (std::size_t k = 1; k < values.size(); ++k) all = combined(all, values[k]);
    return all;
  }

 private:
  T combined(T a, T b) const { return multiplies_ ? static_cast<T>(a * b) : static_cast<T>(a + b); }
  T by_neighbours(std::vector<T> values) const {
    while (values.size() > 1) {
      const std::size_t count = values.size();
      for (std::size_t k = 0; k + 1 < count; k += 2)
        values[k / 2] = combined(values[k], values[k + 1]);
      if (count % 2 == 1) values[count / 2] = values[count - 1];
      values.resize((count + 1) / 2);
    }
    return values.front();
  }
  T by_halves(std::vector<T> values) const {
    while (values.size() > 1) {
      const std::size_t half = (values.size() + 1) / 2;
      for (std::size_t k = 0; k + half < values.size(); ++k)
        values[k] = combined(values[k], values[k + half]);
      values.resize(half);
    }
    return values.front();
  }
  T by_scan(std::vector<T> values) const {
    for (std::size_t stride = 1; stride < values.size(); stride *= 2) {
      for (std::size_t k = values.size() - 1; k >= stride; --k)
        values[k] = combined(values[k - stride], values[k]);
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
      values[a] = combined(values[a], values[b]);
      values.erase(values.begin() + static_cast<std::ptrdiff_t>(b));
    }
    return values.front();
  }

  SourceLocation where_;
  Chooser& chooser_;
  bool multiplies_;
  Order order_;
};

LaneSet sources_of(const FloatReduction& reduction, LaneSet active, int lane) {
  const LaneSet group = active & reduction.group[static_cast<std::size_t>(lane)];
  switch (reduction.takes) {
    case FloatReduction::Takes::all:
      return group;
    case FloatReduction::Takes::up_to_own:
      return group & LaneSet::first_n(lane + 1);
    case FloatReduction::Takes::below_own:
      return group & LaneSet::first_n(lane);
  }
  return group;
}

template <class T>
std::vector<LaneResult> reduced(const Combination<T>& combine, LaneSet active,
                                const FloatReduction& reduction,
                                std::span<const std::uint64_t> values) {
  // Lanes that combine the same values get the same result.
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> known;
  std::vector<LaneResult> results;
  for_each_lane(active, [&](int lane) {
    const LaneSet from = sources_of(reduction, active, lane);
    if (from.count() < 2) return;  // the value itself, or the identity
    const auto [found, is_new] = known.try_emplace({from.low, from.high}, 0);
    if (is_new) {
      std::vector<T> numbers;
      for_each_lane(from, [&](int source) {
        T& number = numbers.emplace_back();
        std::memcpy(&number, &values[static_cast<std::size_t>(source)], sizeof number);
      });
      const T result = combine(std::move(numbers));
      std::memcpy(&found->second, &result, sizeof result);
    }
    results.push_back({lane, found->second});
  });
  return results;
}

}  // namespace

std::vector<int> atomic_order(Chooser& chooser, SourceLocation where, LaneSet active,
                              std::span<const AtomicTarget> targets) {
  std::vector<int> order;
  for (LaneSet left = active; left.any_lane();) {
    const AtomicTarget& target = targets[static_cast<std::size_t>(left.first())];
    std::vector<int> same;
    for_each_lane(left, [&](int lane) {
      if (targets[static_cast<std::size_t>(lane)] == target) same.push_back(lane);
    });
    for (const int lane : same) left = left.without(LaneSet::lane(lane));
    while (same.size() > 1) {
      const std::uint32_t next =
          chooser.choose(static_cast<std::uint32_t>(same.size()), where, Choice::atomic_order);
      order.push_back(same[next]);
      same.erase(same.begin() + next);
    }
    order.push_back(same.front());
  }
  return order;
}

std::vector<LaneResult> reduce_in_chosen_order(Chooser& chooser, SourceLocation where,
                                               LaneSet active, const FloatReduction& reduction,
                                               std::span<const std::uint64_t> values) {
  int most = 0;
  for_each_lane(active, [&](int lane) {
    most = std::max(most, sources_of(reduction, active, lane).count());
  });
  if (most < 3) return {};
  const auto order =
      static_cast<Order>(chooser.choose_for_place(orders, where, Choice::reduction_order));
  if (order == Order::usual) return {};
  switch (reduction.type) {
    case FloatReduction::Type::f16:
      return reduced<float16_t>({chooser, where, reduction.multiplies, order}, active, reduction,
                                values);
    case FloatReduction::Type::f32:
      return reduced<float>({chooser, where, reduction.multiplies, order}, active, reduction,
                            values);
    case FloatReduction::Type::f64:
      break;
  }
  return reduced<double>({chooser, where, reduction.multiplies, order}, active, reduction, values);
}

}  // namespace lockstep
