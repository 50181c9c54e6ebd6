#include "judgement/possible.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <queue>
#include <set>
#include <unordered_set>
#include <utility>

#include "io/types.hpp"
#include "judgement/elements.hpp"

namespace lockstep::judgement {
namespace {

using oracle::Allowed;
using oracle::Placements;
using oracle::StoredValue;
using Kind = Allowed::Kind;

constexpr const char* never_stored = "; no invocation stores this here";
constexpr const char* too_often = "; it is here more often than invocations store it";
constexpr const char* not_returned = "; the counter does not return this";
constexpr const char* returned_twice = "; the counter returns this once";

/// A number as its bits say, and as a float.
struct Given {
  std::uint64_t bits = 0;
  double number = 0;
};

Given given(npy::Dtype type, std::uint64_t bits) {
  const oracle::Format* const format = format_of(type);
  return {bits, format == nullptr ? 0 : oracle::from_bits(bits, *format)};
}

/// Whether bounds of this value are simple: exact, or an interval of floats.
bool is_simple(const StoredValue& value, npy::Dtype type) {
  const Allowed& allowed = value.allowed;
  if (allowed.kind == Kind::exact) return true;
  return allowed.kind == Kind::within && !allowed.pieces && format_of(type) != nullptr;
}
bool may_be(const StoredValue& value, const Given& is, npy::Dtype type) {
  if (!is_simple(value, type) || value.bits == is.bits) return true;
  if (value.allowed.kind == Kind::within) return value.allowed.values.contains(is.number);
  return std::isnan(given(type, value.bits).number) && std::isnan(is.number);
}

/// All values that may be at some places.
class Values {
 public:
  void add(const StoredValue& value, npy::Dtype type) {
    if (!is_simple(value, type)) any_ = true;
    exact_.insert(value.bits);
    has_nan_ = has_nan_ || std::isnan(given(type, value.bits).number);
    if (value.allowed.kind == Kind::within)
      intervals_.emplace_back(value.allowed.values.low, value.allowed.values.high);
  }
  /// After the last one.
  void finish() {
    std::ranges::sort(intervals_);
    double highest = -std::numeric_limits<double>::infinity();
    for (auto& [low, high] : intervals_) highest = high = std::max(high, highest);
  }
  bool has(const Given& is) const {
    if (any_ || exact_.contains(is.bits) || (has_nan_ && std::isnan(is.number))) return true;
    const auto next =
        std::ranges::upper_bound(intervals_, is.number, {}, &std::pair<double, double>::first);
    return next != intervals_.begin() && is.number <= std::prev(next)->second;
  }

 private:
  bool any_ = false, has_nan_ = false;
  std::unordered_set<std::uint64_t> exact_;
  std::vector<std::pair<double, double>>
      intervals_;  ///< after finish: each up to the highest so far
};

class Search {
 public:
  Search(const OfPart& part, const oracle::Memory& memory)
      : part_(part), memory_(memory), placements_(memory.placements()) {
    for (const Place& place : part.places) types_.emplace(part.at + place.byte, place.type);
  }

  std::map<std::size_t, std::string> run() {
    check_placed();
    check_returned();
    return std::move(found_);
  }

 private:
  Given device(const std::byte* at, npy::Dtype type) const {
    std::uint64_t bits = 0;
    std::memcpy(&bits, device_at(at), io::bytes_of(type));
    return given(type, bits);
  }
  const std::byte* device_at(const std::byte* at) const {
    return part_.device.data() + (at - part_.at);
  }
  bool is_here(const std::byte* at) const {
    return !std::less<>()(at, part_.at) && std::less<>()(at, part_.at + part_.device.size());
  }
  bool is_unordered(const std::byte* at, npy::Dtype type) const {
    return memory_.load(at, io::bytes_of(type)).kind == Kind::unordered;
  }
  void note(const std::byte* at, const char* why) {
    found_.try_emplace(static_cast<std::size_t>(at - part_.at), why);
  }

  // ---- Values whose place atomics decide ----

  static bool may_reach(const Placements::Reach& reach, const std::byte* at, std::size_t bytes) {
    if (std::less<>()(at + bytes - 1, reach.first) || !std::less<>()(at, reach.end)) return false;
    const auto distance = static_cast<std::uint64_t>(at - reach.first);
    return bytes != reach.bytes || reach.stride == 0 || distance % reach.stride == 0;
  }

  void check_placed() {
    std::vector<const Placements::Placed*> here;
    for (const auto& [store, placed] : placements_.placed())
      if (is_here(placed.reach.first)) here.push_back(&placed);
    if (here.empty()) return;
    std::map<std::pair<std::vector<const Placements::Placed*>, npy::Dtype>, Values> known;
    for (const auto& [at, type] : types_) {
      const std::size_t bytes = io::bytes_of(type);
      if (!is_unordered(at, type) || placements_.is_unknown(at, bytes)) continue;
      std::vector<const Placements::Placed*> sources;
      for (const Placements::Placed* placed : here)
        if (may_reach(placed->reach, at, bytes)) sources.push_back(placed);
      const bool fit = std::ranges::all_of(
          sources, [&](const auto* placed) { return placed->reach.bytes == bytes; });
      if (sources.empty() || !fit) continue;
      const auto [entry, is_new] = known.try_emplace({sources, type});
      if (is_new) {
        for (const Placements::Placed* placed : sources)
          for (const StoredValue& value : placed->values) entry->second.add(value, type);
        entry->second.finish();
      }
      const Given is = device(at, type);
      if (!entry->second.has(is) && !was_there(at, is, type)) note(at, never_stored);
    }
    for (const Placements::Placed* placed : here) check_slots(*placed, here);
  }
  /// Whether a number is what was there before, or what another store left.
  bool was_there(const std::byte* at, const Given& is, npy::Dtype type) const {
    const std::size_t bytes = io::bytes_of(type);
    const Allowed own = memory_.stored(at, bytes);
    if (own.kind != Kind::unordered) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, at, bytes);
      if (may_be({at, bits, own}, is, type)) return true;
    }
    const std::vector<StoredValue>* const before = placements_.before(at);
    return before != nullptr && std::ranges::any_of(*before, [&](const StoredValue& value) {
             return may_be(value, is, type);
           });
  }

  /// Whether each order puts each value into another of the same slots.
  bool is_exclusive(const Placements::Placed& placed,
                    const std::vector<const Placements::Placed*>& here) const {
    if (placed.counter == 0 || placed.reach.stride < placed.reach.bytes) return false;
    const Placements::Counter& counter = placements_.counter(placed.counter);
    if (!counter.plain || counter.turns != placed.values.size()) return false;
    for (const StoredValue& value : placed.values) {
      const auto type = value.at == nullptr ? types_.end() : types_.find(value.at);
      if (type == types_.end() || io::bytes_of(type->second) != placed.reach.bytes ||
          !is_simple(value, type->second) || !is_unordered(value.at, type->second) ||
          memory_.stored(value.at, placed.reach.bytes).kind != Kind::unordered ||
          placements_.is_unknown(value.at, placed.reach.bytes))
        return false;
      for (const Placements::Placed* other : here)
        if (other != &placed && may_reach(other->reach, value.at, placed.reach.bytes)) return false;
    }
    return !placed.values.empty();
  }

  void check_slots(const Placements::Placed& placed,
                   const std::vector<const Placements::Placed*>& here) {
    if (!is_exclusive(placed, here)) return;
    const npy::Dtype type = types_.at(placed.values.front().at);
    std::vector<const std::byte*> slots;
    for (const StoredValue& value : placed.values) slots.push_back(value.at);
    // Those that have what the reference has are right.
    std::ranges::sort(slots, {}, [&](const std::byte* at) {
      return std::pair(std::memcmp(at, device_at(at), placed.reach.bytes) != 0, at - part_.at);
    });
    const bool exact = std::ranges::all_of(
        placed.values, [](const StoredValue& v) { return v.allowed.kind == Kind::exact; });
    if (!exact) return match(placed, slots, type);
    std::map<std::uint64_t, std::size_t> left;
    for (const StoredValue& value : placed.values) ++left[value.bits];
    for (const std::byte* at : slots) {
      const Given is = device(at, type);
      std::size_t& same = left[is.bits];
      if (same > 0)
        --same;
      else if (!std::isnan(is.number))
        note(at, too_often);
    }
  }

  /// As many of the slots' numbers as possible have a value each: from the lowest number on, that whose bounds end first.
  void match(const Placements::Placed& placed, const std::vector<const std::byte*>& slots,
             npy::Dtype type) {
    std::vector<std::pair<double, double>> bounds;
    for (const StoredValue& value : placed.values) {
      const double own = given(type, value.bits).number;
      if (std::isnan(own)) return;
      if (value.allowed.kind == Kind::within)
        bounds.emplace_back(value.allowed.values.low, value.allowed.values.high);
      else
        bounds.emplace_back(own, own);
    }
    std::ranges::sort(bounds);
    std::vector<std::pair<double, const std::byte*>> numbers;
    for (const std::byte* at : slots) numbers.emplace_back(device(at, type).number, at);
    std::erase_if(numbers, [](const auto& n) { return std::isnan(n.first); });
    std::ranges::stable_sort(numbers, {}, &std::pair<double, const std::byte*>::first);
    std::priority_queue<double, std::vector<double>, std::greater<>> ends;
    auto next = bounds.begin();
    for (const auto& [number, at] : numbers) {
      for (; next != bounds.end() && next->first <= number; ++next) ends.push(next->second);
      while (!ends.empty() && ends.top() < number) ends.pop();
      if (ends.empty())
        note(at, too_often);
      else
        ends.pop();
    }
  }

  // ---- What atomics returned ----

  void check_returned() {
    std::map<const std::byte*, std::size_t> stores;
    for (const auto& [store, returned] : placements_.returned())
      for (const auto& [at, bits] : returned.values) ++stores[at];
    for (const auto& [store, returned] : placements_.returned()) {
      if (returned.counter == 0 || !placements_.counter(returned.counter).plain) continue;
      const Placements::Counter& counter = placements_.counter(returned.counter);
      std::set<std::uint64_t> all, own, seen;
      for (std::size_t k = 0; k < counter.turns; ++k)
        all.insert((counter.initial + k * counter.step) & counter.most);
      if (all.size() != counter.turns) continue;
      for (const auto& [at, bits] : returned.values) own.insert(bits);
      for (const auto& [at, bits] : returned.values) {
        const auto type = is_here(at) ? types_.find(at) : types_.end();
        if (type == types_.end() || io::bytes_of(type->second) != returned.bytes ||
            !is_unordered(at, type->second) || placements_.is_unknown(at, returned.bytes) ||
            stores.at(at) > 1 || is_placed(at, returned.bytes))
          continue;
        const std::uint64_t is = device(at, type->second).bits;
        if (!all.contains(is))
          note(at, not_returned);
        else if (!seen.insert(is).second && own.size() == returned.values.size())
          note(at, returned_twice);
      }
    }
  }
  bool is_placed(const std::byte* at, std::size_t bytes) const {
    return std::ranges::any_of(placements_.placed(), [&](const auto& entry) {
      return may_reach(entry.second.reach, at, bytes);
    });
  }

  const OfPart& part_;
  const oracle::Memory& memory_;
  const Placements& placements_;
  std::map<const std::byte*, npy::Dtype> types_;  ///< of the part's numbers
  std::map<std::size_t, std::string> found_;
};

}  // namespace

std::map<std::size_t, std::string> find_impossible(const OfPart& part,
                                                   const oracle::Memory& memory) {
  return Search(part, memory).run();
}

}  // namespace lockstep::judgement
