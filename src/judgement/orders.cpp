#include "judgement/orders.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include <lockstep/exec/error.hpp>

#include "judgement/assignment.hpp"
#include "judgement/choices.hpp"
#include "judgement/elements.hpp"
#include "judgement/guided_run.hpp"
#include "judgement/known_paths.hpp"
#include "judgement/updates.hpp"

namespace lockstep::judgement {
namespace {

using Kind = oracle::Allowed::Kind;
using Outcome = Orders::Outcome;

/// An order for all units, from the ways that are known.
class Solver {
 public:
  /// What of a unit was chosen.
  struct Solution {
    bool fits = false, is_proven = false;
    std::map<Unit, std::size_t> path = {};
    std::map<Cell, std::uint64_t> last = {};  ///< what exchanges and claims leave
    std::vector<Location> empty = {};         ///< what the device has there no unit left
  };

  Solver(const KnownPaths& paths, const Updates& updates) : updates_(updates) {
    for (const auto& [unit, known] : paths.all()) {
      units_.push_back(unit);
      known_.push_back(&known);
      std::vector<std::size_t>& misses = misses_.emplace_back();
      for (const KnownPath& path : known) misses.push_back(paths.misses(path));
    }
  }

  std::optional<Solution> solve() {
    if (takes_slots()) return by_slots();
    if (is_straight()) return by_cells();
    return {};
  }

 private:
  const Update& update(const Turn& turn) const { return updates_.all().at(turn.cell); }

  /// Whether a way's atomics take places of which each unit has one.
  bool is_slot(const Turn& turn) const {
    const Update& u = update(turn);
    return u.kind == Update::Kind::counter ||
           (u.kind == Update::Kind::claim && *turn.returned == u.initial);
  }
  bool takes_slots() const {
    return std::ranges::all_of(known_, [&](const std::vector<KnownPath>* known) {
      return std::ranges::all_of(*known, [&](const KnownPath& path) {
        return std::ranges::count_if(path.turns, [&](const Turn& t) { return is_slot(t); }) <= 1 &&
               std::ranges::none_of(path.turns, [&](const Turn& t) {
                 return update(t).kind == Update::Kind::tiles ||
                        update(t).kind == Update::Kind::exchange;
               });
      });
    });
  }
  /// Whether the ways of each unit differ only in what its atomics return.
  bool is_straight() const {
    return std::ranges::all_of(known_, [](const std::vector<KnownPath>* known) {
      return std::ranges::all_of(*known, [&](const KnownPath& path) {
        return std::ranges::equal(path.turns, known->front().turns, {}, &Turn::cell, &Turn::cell);
      });
    });
  }

  /// The slot that a turn takes, by its number.
  std::size_t slot_of(const Turn& turn) {
    if (!is_slot(turn)) return nothing;
    const auto [entry, is_new] = slots_.try_emplace({turn.cell, *turn.returned}, slots_.size());
    if (is_new) {
      required_.push_back(update(turn).kind == Update::Kind::claim &&
                          update(turn).last != update(turn).initial);
      places_.push_back(turn.cell.at);
    }
    return entry->second;
  }

  Solution by_slots() {
    std::vector<std::vector<SlotOption>> options(units_.size());
    for (std::size_t u = 0; u < units_.size(); ++u) {
      for (std::size_t k = 0; k < known_[u]->size(); ++k) {
        SlotOption option{.misses = misses_[u][k]};
        for (const Turn& turn : (*known_[u])[k].turns)
          if (is_slot(turn)) option.slot = slot_of(turn);
        options[u].push_back(option);
      }
    }
    const Assigned assigned = take_slots(options, required_);
    Solution solution{.fits = assigned.fits, .is_proven = true};
    for (std::size_t u = 0; u < units_.size(); ++u)
      take(u, assigned.option[u] == nothing ? 0 : assigned.option[u], solution);
    for (const std::size_t slot : assigned.empty) solution.empty.push_back(places_[slot]);
    return solution;
  }

  void take(std::size_t u, std::size_t k, Solution& solution) const {
    solution.path[units_[u]] = k;
    for (const Turn& turn : (*known_[u])[k].turns) {
      if (update(turn).kind == Update::Kind::claim && *turn.returned == update(turn).initial)
        solution.last[turn.cell] = turn.value;
    }
  }

  /// The turns of units at a cell: which unit, and which of its turns.
  using AtCell = std::vector<std::pair<std::size_t, std::size_t>>;

  /// Each cell alone, then the way that has all that was chosen.
  std::optional<Solution> by_cells() {
    std::map<Cell, AtCell> cells;
    for (std::size_t u = 0; u < units_.size(); ++u) {
      const std::vector<Turn>& turns = known_[u]->front().turns;
      for (std::size_t n = 0; n < turns.size(); ++n) cells[turns[n].cell].push_back({u, n});
    }
    Solution solution{.fits = true, .is_proven = true};
    std::vector<std::map<std::size_t, std::uint64_t>> chosen(units_.size());
    bool is_refuted = false;
    for (const auto& [cell, at] : cells) {
      const Assigned assigned = solve_cell(cell, at, chosen);
      if (!assigned.fits) {
        solution.fits = false;
        is_refuted = is_refuted || assigned.is_proven;
      }
      if (updates_.all().at(cell).kind == Update::Kind::exchange)
        solution.last[cell] = assigned.last;
      if (!assigned.empty.empty()) solution.empty.push_back(cell.at);
    }
    solution.is_proven = is_refuted;
    for (std::size_t u = 0; u < units_.size(); ++u) {
      const auto path = path_with(u, chosen[u]);
      if (!path) return {};
      take(u, *path, solution);
      if (solution.fits && misses_[u][*path] > 0) return {};
    }
    return solution;
  }

  /// What a turn may return, with the fewest misses of the ways in which it does.
  std::map<std::uint64_t, std::pair<std::size_t, const Turn*>> results(std::size_t u,
                                                                       std::size_t n) const {
    std::map<std::uint64_t, std::pair<std::size_t, const Turn*>> all;
    for (std::size_t k = 0; k < known_[u]->size(); ++k) {
      const Turn& turn = (*known_[u])[k].turns[n];
      const auto [entry, is_new] = all.try_emplace(*turn.returned, std::pair(misses_[u][k], &turn));
      if (!is_new) entry->second.first = std::min(entry->second.first, misses_[u][k]);
    }
    return all;
  }

  Assigned solve_cell(const Cell& cell, const AtCell& at,
                      std::vector<std::map<std::size_t, std::uint64_t>>& chosen) {
    std::vector<std::vector<SlotOption>> slots(at.size());
    std::vector<std::vector<LinkOption>> links(at.size());
    std::vector<std::vector<std::uint64_t>> returned(at.size());
    slots_.clear();
    required_.clear();
    places_.clear();
    for (std::size_t k = 0; k < at.size(); ++k) {
      for (const auto& [result, way] : results(at[k].first, at[k].second)) {
        const auto& [misses, turn] = way;
        slots[k].push_back({slot_of(*turn), misses});
        links[k].push_back({result, turn->after(result), misses});
        returned[k].push_back(result);
      }
    }
    const Update& update = updates_.all().at(cell);
    const bool is_trail =
        update.kind == Update::Kind::tiles || update.kind == Update::Kind::exchange;
    Assigned assigned =
        is_trail ? follow_links(links, update.initial, update.last) : take_slots(slots, required_);
    for (std::size_t k = 0; k < at.size(); ++k) {
      if (assigned.option[k] != nothing)
        chosen[at[k].first][at[k].second] = returned[k][assigned.option[k]];
    }
    return assigned;
  }

  std::optional<std::size_t> path_with(std::size_t u,
                                       const std::map<std::size_t, std::uint64_t>& chosen) const {
    for (std::size_t k = 0; k < known_[u]->size(); ++k) {
      const std::vector<Turn>& turns = (*known_[u])[k].turns;
      const auto is_so = [&](const auto& choice) {
        return turns[choice.first].returned == choice.second;
      };
      if (std::ranges::all_of(chosen, is_so)) return k;
    }
    return {};
  }

  const Updates& updates_;
  std::vector<Unit> units_;
  std::vector<const std::vector<KnownPath>*> known_;
  std::vector<std::vector<std::size_t>> misses_;
  std::map<std::pair<Cell, std::uint64_t>, std::size_t> slots_;
  std::vector<bool> required_;    ///< by slot
  std::vector<Location> places_;  ///< by slot
};

/// Looks for an order that gives a device's results.
class OrderSearch {
 public:
  OrderSearch(const Rerun& rerun, const Contents& device, const Contents& expected,
              const oracle::Bounds& bounds, GuidedRun::Clock::time_point end)
      : rerun_(rerun), device_(device), expected_(expected), bounds_(bounds), end_(end) {}

  Orders run() {
    if (!can_be_followed()) return {};
    const bool has_built_ins = !rerun_.pipeline().interface().built_ins.empty();
    if (has_built_ins && leaves_choices(rerun_)) return {};
    note_types();
    for (const Together together :
         {Together::invocation, Together::subgroup, Together::workgroup}) {
      if (has_built_ins && together == Together::invocation) continue;
      if (const std::optional<Orders> orders = find(together)) return *orders;
    }
    return {};
  }

 private:
  /// Values that may be anything else leave orders open, too.
  bool can_be_followed() const {
    bool any = false, open = false;
    for (std::size_t part = 0; part < device_.size(); ++part) {
      for_each_place(rerun_.parts(), part, [&](const Place& place) {
        const Kind kind = kind_of(part, place.byte, io::bytes_of(place.type));
        any = any || kind == Kind::unordered;
        open = open || kind == Kind::open || kind == Kind::undefined;
      });
    }
    return any && !open;
  }
  Kind kind_of(std::size_t part, std::size_t byte, std::size_t bytes) const {
    return bounds_.memory.load(rerun_.address(expected_, part) + byte, bytes).kind;
  }
  void note_types() {
    for (std::size_t part = 0; part < device_.size(); ++part) {
      for_each_place(rerun_.parts(), part, [&](const Place& place) {
        types_.emplace(std::pair(part, place.byte), place.type);
      });
    }
  }
  /// Whether the device has what a store leaves, as far as its bounds say that.
  std::optional<bool> compare(const Store& store) const {
    const std::vector<std::byte>& there = device_[store.at.part];
    const auto type = types_.find({store.at.part, static_cast<std::size_t>(store.at.byte)});
    if (there.empty() || type == types_.end() || io::bytes_of(type->second) != store.bytes ||
        !store.allowed.is_number())
      return {};
    std::array<std::byte, sizeof store.bits> stored;
    std::memcpy(stored.data(), &store.bits, sizeof store.bits);
    return allows(store.allowed, type->second, stored.data(), there.data() + store.at.byte);
  }

  /// Nothing where what units do depends on other units.
  std::optional<Orders> find(Together together) {
    GuidedRun first(rerun_, together, nullptr, {}, end_);
    first.run();
    Updates updates(first, rerun_.inputs(), device_);
    if (!first.is_clear() || !updates.are_understood() || updates.all().empty()) return Orders{};
    const bool too_many = std::ranges::any_of(updates.all(), [](const auto& entry) {
      return entry.second.returns.size() > KnownPaths::most_runs;
    });
    if (too_many) return Orders{};
    KnownPaths paths(
        rerun_, updates, together, [&](const Store& store) { return compare(store); }, end_);
    const KnownPaths::Outcome followed = paths.follow();
    if (followed == KnownPaths::Outcome::dependent) return {};
    if (followed == KnownPaths::Outcome::unknown) return Orders{};
    const auto solution = Solver(paths, updates).solve();
    if (!solution || (!solution->fits && !solution->is_proven)) return Orders{};
    return replay(*solution, paths, updates, together);
  }

  /// Runs with the order, and compares.
  Orders replay(const Solver::Solution& solution, const KnownPaths& paths, Updates& updates,
                Together together) {
    GuidedRun::Decisions decisions;
    for (const auto& [unit, path] : solution.path)
      decisions[unit] = paths.all().at(unit)[path].decisions;
    GuidedRun run(rerun_, together, &updates, decisions, end_);
    run.run();
    Orders orders;
    orders.contents = std::move(run.contents());
    for (const auto& [cell, last] : solution.last) {
      if (cell.at.part == Location::in_shared_memory || !updates.all().at(cell).last) continue;
      std::memcpy(orders.contents[cell.at.part].data() + cell.at.byte, &last, size_at(cell.at));
    }
    orders.wrong.resize(device_.size());
    orders.open.resize(device_.size());
    const std::size_t unsure = compare(orders, run.bounds(), paths, updates);
    for (const Location& at : solution.empty)
      orders.wrong[at.part].insert(static_cast<std::size_t>(at.byte));
    const bool any = std::ranges::any_of(orders.wrong, [](const auto& w) { return !w.empty(); });
    // Where nothing fits, or no way of any unit stores.
    if (any)
      orders.outcome = Outcome::none;
    else if (solution.fits && unsure == 0)
      orders.outcome = Outcome::found;
    return orders;
  }
  std::size_t size_at(const Location& at) const {
    std::size_t bytes = 0;
    for_each_place(rerun_.parts(), at.part, [&](const Place& place) {
      if (place.byte == at.byte) bytes = io::bytes_of(place.type);
    });
    return bytes;
  }
  /// Notes what differs; counts where others may have stored something else.
  std::size_t compare(Orders& orders, const oracle::Bounds& bounds, const KnownPaths& paths,
                      const Updates& updates) const {
    std::set<Location> cells;
    for (const auto& [cell, update] : updates.all()) cells.insert(cell.at);
    std::size_t unsure = 0;
    for (std::size_t part = 0; part < device_.size(); ++part) {
      if (device_[part].empty()) continue;
      for_each_place(rerun_.parts(), part, [&](const Place& place) {
        const std::size_t bytes = io::bytes_of(place.type);
        if (kind_of(part, place.byte, bytes) != Kind::unordered) return;
        const oracle::Allowed allowed =
            bounds.memory.load(rerun_.address(orders.contents, part) + place.byte, bytes);
        if (allows(allowed, place.type, orders.contents[part].data() + place.byte,
                   device_[part].data() + place.byte))
          return;
        if (!allowed.is_number()) {
          orders.open[part].insert(place.byte);
          return;
        }
        const Location at{part, 0, place.byte};
        const bool may_be_stored = paths.is_stored(at) || paths.is_updated(at);
        if (cells.contains(at) || paths.is_exclusive(at) || !may_be_stored)
          orders.wrong[part].insert(place.byte);
        else
          ++unsure;
      });
    }
    return unsure;
  }

  const Rerun& rerun_;
  const Contents& device_;
  const Contents& expected_;
  const oracle::Bounds& bounds_;
  GuidedRun::Clock::time_point end_;
  std::map<std::pair<std::size_t, std::size_t>, npy::Dtype> types_;  ///< by part and byte
};

}  // namespace

Orders find_orders(const Rerun& rerun, const Contents& device, const Contents& expected,
                   const oracle::Bounds& bounds, std::chrono::duration<double> most_time) {
  using Clock = GuidedRun::Clock;
  const Clock::time_point end =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(most_time);
  try {
    return OrderSearch(rerun, device, expected, bounds, end).run();
  } catch (const GuidedRun::TooLong&) {
    return {};
  } catch (const Error&) {
    return {};
  }
}

}  // namespace lockstep::judgement
