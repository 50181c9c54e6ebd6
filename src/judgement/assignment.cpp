#include "judgement/assignment.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace lockstep::judgement {
namespace {

/// A matching of units and slots, by augmenting paths.
class Slots {
 public:
  Slots(const std::vector<std::vector<SlotOption>>& units, const std::vector<bool>& required)
      : units_(units), required_(required), unit_of_(required.size(), nothing) {
    result_.option.assign(units.size(), nothing);
    takers_.resize(required.size());
    for (std::size_t u = 0; u < units.size(); ++u) {
      for (std::size_t k = 0; k < units[u].size(); ++k) {
        if (units[u][k].misses == 0 && units[u][k].slot != nothing)
          takers_[units[u][k].slot].push_back({u, k});
      }
    }
  }

  Assigned run() {
    result_.fits = true;
    for (std::size_t u = 0; u < units_.size(); ++u) {
      if (free_option(u, 0) != nothing) continue;
      seen_.assign(required_.size(), false);
      if (!place(u)) result_.fits = false;
    }
    for (std::size_t s = 0; s < required_.size(); ++s) {
      if (!required_[s] || unit_of_[s] != nothing) continue;
      seen_.assign(required_.size(), false);
      if (!fill(s)) result_.fits = false;
    }
    place_the_rest();
    return std::move(result_);
  }

 private:
  struct Taker {
    std::size_t unit = 0, option = 0;
  };

  /// The unit's option that takes no slot and has no more misses.
  std::size_t free_option(std::size_t u, std::size_t misses) const {
    for (std::size_t k = 0; k < units_[u].size(); ++k) {
      if (units_[u][k].slot == nothing && units_[u][k].misses <= misses) return k;
    }
    return nothing;
  }
  void take(std::size_t u, std::size_t k) {
    result_.option[u] = k;
    if (units_[u][k].slot != nothing) unit_of_[units_[u][k].slot] = u;
  }

  /// Finds a slot for a unit; others move to other slots.
  bool place(std::size_t u) {
    for (std::size_t k = 0; k < units_[u].size(); ++k) {
      const auto [slot, misses] = units_[u][k];
      if (misses > 0 || slot == nothing || seen_[slot]) continue;
      seen_[slot] = true;
      if (unit_of_[slot] != nothing && !place(unit_of_[slot])) continue;
      take(u, k);
      return true;
    }
    return false;
  }
  /// Finds a unit for a slot, whose own slot then gets another one if it must have one.
  bool fill(std::size_t slot) {
    for (const auto& [u, k] : takers_[slot]) {
      const std::size_t option = result_.option[u];
      const std::size_t own = option == nothing ? nothing : units_[u][option].slot;
      if (own != nothing) {
        if (seen_[own]) continue;
        seen_[own] = true;
        if (required_[own] && !fill(own)) continue;
        if (unit_of_[own] == u) unit_of_[own] = nothing;
      }
      take(u, k);
      return true;
    }
    return false;
  }

  void place_the_rest() {
    for (std::size_t u = 0; u < units_.size(); ++u) {
      if (result_.option[u] == nothing && free_option(u, 0) != nothing) take(u, free_option(u, 0));
    }
    for (std::size_t s = 0; s < required_.size(); ++s) {
      if (required_[s] && unit_of_[s] == nothing) fill_badly(s);
    }
    for (std::size_t u = 0; u < units_.size(); ++u) {
      if (result_.option[u] == nothing) place_badly(u);
    }
  }
  /// The unit that is left and misses the least takes the slot.
  void fill_badly(std::size_t slot) {
    Taker best;
    std::size_t least = nothing;
    for (std::size_t u = 0; u < units_.size(); ++u) {
      if (result_.option[u] != nothing) continue;
      for (std::size_t k = 0; k < units_[u].size(); ++k) {
        if (units_[u][k].slot != slot || units_[u][k].misses >= least) continue;
        least = units_[u][k].misses;
        best = {u, k};
      }
    }
    if (least == nothing)
      result_.empty.push_back(slot);
    else
      take(best.unit, best.option);
  }
  void place_badly(std::size_t u) {
    std::size_t best = nothing;
    for (std::size_t k = 0; k < units_[u].size(); ++k) {
      const auto [slot, misses] = units_[u][k];
      if (slot != nothing && unit_of_[slot] != nothing) continue;
      if (best == nothing || misses < units_[u][best].misses) best = k;
    }
    if (best != nothing) take(u, best);
  }

  const std::vector<std::vector<SlotOption>>& units_;
  const std::vector<bool>& required_;
  std::vector<std::size_t> unit_of_;        ///< by slot
  std::vector<std::vector<Taker>> takers_;  ///< by slot: units whom nothing contradicts
  std::vector<bool> seen_;
  Assigned result_;
};

/// A trail through all units' links.
class Links {
 public:
  Links(const std::vector<std::vector<LinkOption>>& units, std::uint64_t first,
        std::optional<std::uint64_t> last)
      : units_(units), first_(first), last_(last), used_(units.size()) {
    for (std::size_t u = 0; u < units.size(); ++u) {
      for (std::size_t k = 0; k < units[u].size(); ++k)
        if (units[u][k].misses == 0) from_[units[u][k].from].push_back({u, k});
    }
    result_.option.assign(units.size(), nothing);
  }

  Assigned run() {
    result_.fits = extend();
    result_.is_proven = steps_ < most_steps_;
    if (!result_.fits) take_the_best();
    return std::move(result_);
  }

 private:
  struct Taken {
    std::size_t unit = 0, option = 0;
  };
  struct Tried {
    std::uint64_t at = 0;
    std::size_t next = 0;  ///< of the links from there
    Taken taken = {};
  };
  static constexpr std::size_t most_steps_ = 100000;

  void set(const Taken& taken, bool used) {
    used_[taken.unit] = used;
    result_.option[taken.unit] = used ? taken.option : nothing;
  }

  /// Depth first; whether a trail has all units.
  bool extend() {
    std::vector<Tried> trail{{first_}};
    while (!trail.empty()) {
      if (++steps_ >= most_steps_) break;
      Tried& now = trail.back();
      if (trail.size() > units_.size() && (!last_ || now.at == *last_)) {
        result_.last = now.at;
        return true;
      }
      const std::vector<Taken>& links = from_[now.at];
      while (now.next < links.size() && used_[links[now.next].unit]) ++now.next;
      if (now.next < links.size()) {
        now.taken = links[now.next++];
        set(now.taken, true);
        trail.push_back({units_[now.taken.unit][now.taken.option].to});
        continue;
      }
      trail.pop_back();
      if (!trail.empty()) set(trail.back().taken, false);
    }
    return false;
  }

  /// One unit after another, that which fits best.
  void take_the_best() {
    used_.assign(units_.size(), false);
    result_.option.assign(units_.size(), nothing);
    std::uint64_t at = first_;
    for (std::size_t n = 0; n < units_.size(); ++n) {
      const std::optional<Taken> best = best_from(at);
      if (!best) break;
      set(*best, true);
      at = units_[best->unit][best->option].to;
    }
    result_.last = at;
  }
  std::optional<Taken> best_from(std::uint64_t at) const {
    std::optional<Taken> best;
    Cost least{true, nothing};
    for (std::size_t u = 0; u < units_.size(); ++u) {
      if (used_[u]) continue;
      for (std::size_t k = 0; k < units_[u].size(); ++k) {
        if (units_[u][k].from != at) continue;
        const Cost cost = cost_of(u, k);
        if (cost < least) {
          least = cost;
          best = Taken{u, k};
        }
      }
    }
    return best;
  }
  /// Whether another unit will lead to it, and its misses.
  using Cost = std::pair<bool, std::size_t>;
  /// Rather a unit that fits nowhere, or whose own predecessor is gone, than one that another one will lead to.
  Cost cost_of(std::size_t u, std::size_t k) const {
    const std::size_t misses = units_[u][k].misses;
    return {misses > 0 && is_expected(u), misses};
  }
  bool is_expected(std::size_t u) const {
    for (const LinkOption& option : units_[u]) {
      if (option.misses > 0) continue;
      for (std::size_t other = 0; other < units_.size(); ++other) {
        if (other == u || used_[other]) continue;
        const auto leads = [&](const LinkOption& link) { return link.to == option.from; };
        if (std::ranges::any_of(units_[other], leads)) return true;
      }
    }
    return false;
  }

  const std::vector<std::vector<LinkOption>>& units_;
  std::uint64_t first_;
  std::optional<std::uint64_t> last_;
  std::vector<bool> used_;
  std::map<std::uint64_t, std::vector<Taken>> from_;  ///< links that nothing contradicts
  std::size_t steps_ = 0;
  Assigned result_;
};

}  // namespace

Assigned take_slots(const std::vector<std::vector<SlotOption>>& units,
                    const std::vector<bool>& required) {
  return Slots(units, required).run();
}

Assigned follow_links(const std::vector<std::vector<LinkOption>>& units, std::uint64_t first,
                      std::optional<std::uint64_t> last) {
  return Links(units, first, last).run();
}

}  // namespace lockstep::judgement
