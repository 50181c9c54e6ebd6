#include "oracle/placements.hpp"

#include <algorithm>
#include <functional>
#include <iterator>

namespace lockstep::oracle {

std::uint32_t Placements::note_turn(const std::byte* at, std::size_t bytes, std::uint64_t before,
                                    bool adds, std::uint64_t step) {
  const auto [entry, is_new] =
      active_.try_emplace(at, static_cast<std::uint32_t>(counters_.size() + 1));
  if (is_new) {
    const std::uint64_t most = bytes >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * bytes) - 1;
    counters_.push_back({.initial = before, .step = step & most, .most = most});
  }
  Counter& counter = counters_[entry->second - 1];
  const bool follows =
      (before & counter.most) == ((counter.initial + counter.turns * counter.step) & counter.most);
  counter.plain = counter.plain && adds && (step & counter.most) == counter.step &&
                  counter.step != 0 && follows;
  ++counter.turns;
  return entry->second;
}

void Placements::note_placed(const void* store, std::size_t component, const Reach& reach,
                             const StoredValue& value, std::uint32_t counter, std::uint64_t index) {
  const auto [entry, is_new] = placed_.try_emplace(Store{store, component, reach.end},
                                                   Placed{.reach = reach, .counter = counter});
  Placed& placed = entry->second;
  if (placed.counter != counter) placed.counter = 0;
  const auto [slot, is_first] = placed.slots.try_emplace(index, placed.values.size());
  // The same invocation again, which had the slot.
  if (counter != 0 && placed.counter != 0 && !is_first)
    placed.values[slot->second] = value;
  else
    placed.values.push_back(value);
}

void Placements::note_returned(const void* store, std::size_t component, const StoredValue& value,
                               std::size_t bytes, std::uint32_t counter) {
  const auto [entry, is_new] = returned_.try_emplace(
      Store{store, component, nullptr}, Returned{.counter = counter, .bytes = bytes, .values = {}});
  if (entry->second.counter != counter) entry->second.counter = 0;
  entry->second.values[value.at] = value.bits;
}

void Placements::note_unknown(const std::byte* begin, std::size_t bytes) {
  const std::byte* end = begin + bytes;
  auto next = unknown_.upper_bound(begin);
  if (next != unknown_.begin() && !std::less<>()(std::prev(next)->second, begin)) --next;
  if (next != unknown_.end() && next->first <= begin && end <= next->second) return;
  while (next != unknown_.end() && !std::less<>()(end, next->first)) {
    begin = std::min(begin, next->first, std::less<>());
    end = std::max(end, next->second, std::less<>());
    next = unknown_.erase(next);
  }
  unknown_.emplace(begin, end);
}

bool Placements::is_unknown(const std::byte* at, std::size_t bytes) const {
  auto next = unknown_.lower_bound(at + bytes);
  return next != unknown_.begin() && std::less<>()(at, std::prev(next)->second);
}

const std::vector<StoredValue>* Placements::before(const std::byte* at) const {
  const auto found = before_.find(at);
  return found == before_.end() ? nullptr : &found->second;
}

void Placements::clear(const std::byte* begin, std::size_t bytes) {
  const std::byte* const end = begin + bytes;
  const auto is_here = [&](const std::byte* at) {
    return !std::less<>()(at, begin) && std::less<>()(at, end);
  };
  active_.erase(active_.lower_bound(begin), active_.lower_bound(end));
  before_.erase(before_.lower_bound(begin), before_.lower_bound(end));
  std::erase_if(placed_, [&](const auto& entry) { return is_here(entry.second.reach.first); });
}

}  // namespace lockstep::oracle
