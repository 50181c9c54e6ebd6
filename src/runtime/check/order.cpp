#include "runtime/check/order.hpp"

#include <algorithm>
#include <utility>

namespace lockstep::detectors {
namespace {

namespace bits = memory_semantics;

constexpr std::uint32_t bit_of(std::size_t storage) {
  constexpr std::uint32_t all[] = {bits::buffers, bits::shared, bits::images};
  return all[storage];
}
bool acquires(std::uint32_t semantics) {
  return (semantics & (bits::acquire | bits::acquire_release | bits::sequentially_consistent)) != 0;
}
bool releases(std::uint32_t semantics) {
  return (semantics & (bits::release | bits::acquire_release | bits::sequentially_consistent)) != 0;
}

/// How many invocations a scope includes, in order.
int width(Scope scope) {
  switch (scope) {
    case Scope::invocation:
      return 0;
    case Scope::subgroup:
      return 1;
    case Scope::workgroup:
      return 2;
    default:
      return 3;
  }
}

/// Whether all that wait for each other learn what the others did, in memory of the storage class or in the order of
/// execution.
bool joins(std::size_t storage, const Sync& sync, Scope execution) {
  if (storage >= memory_storages) return true;
  return width(sync.memory.scope) >= width(execution) &&
         (sync.memory.semantics & bit_of(storage)) != 0 && releases(sync.memory.semantics);
}

}  // namespace

Scope narrower(Scope a, Scope b) { return width(a) < width(b) ? a : b; }

bool in_scope(Scope scope, Who a, Who b, std::uint32_t subgroup_size) {
  switch (width(scope)) {
    case 0:
      return a == b;
    case 1:
      return a.workgroup == b.workgroup &&
             a.invocation / subgroup_size == b.invocation / subgroup_size;
    case 2:
      return a.workgroup == b.workgroup;
    default:
      return true;
  }
}

void Order::start_workgroup() {
  ++workgroup_;
  waiting_.clear();
  shared_locations_.clear();
}

void Order::arrive(std::uint32_t subgroup, const Event& barrier) {
  LaneSet lanes;
  for (const Tangle& tangle : barrier.tangles) lanes = lanes | tangle.lanes;
  waiting_.push_back({subgroup, lanes, barrier.sync});
}

void Order::pass_barrier(std::uint32_t subgroup) {
  if (std::ranges::find(waiting_, subgroup, &Waiting::subgroup) == waiting_.end()) return;
  // Every subgroup waits, or has ended.
  join(waiting_, waiting_.front().sync, Scope::workgroup);
  waiting_.clear();
}

void Order::sync(std::uint32_t subgroup, const Event& event) {
  for (const Tangle& tangle : event.tangles) {
    if (event.sync.execution)
      join({{subgroup, tangle.lanes, event.sync}}, event.sync, *event.sync.execution);
    else
      for_each_lane(tangle.lanes, [&](int lane) { fence(who(subgroup, lane), event.sync.memory); });
  }
}

void Order::set_apart(std::uint32_t subgroup, Group& g) {
  g.alike = false;
  const std::size_t first = std::size_t{subgroup} * size_;
  if (invocations_.size() < first + size_) invocations_.resize(first + size_);
  for (std::size_t k = first; k < first + size_; ++k) {
    Invocation& i = invocations_[k];
    i.clock = g.clock;
    i.knows = g.knows;
    for (Releases& releases : i.released) releases.clear();
    for (Releases& releases : i.read) releases.clear();
  }
}

Knowledge Order::own(Who who, std::size_t storage) {
  Invocation& i = of(who);
  Knowledge knowledge = i.knows[storage];
  knowledge.add(who.workgroup, {{who.invocation, i.clock}});
  return knowledge;
}

void Order::add(Releases& to, Release release) const {
  for (Release& r : to) {
    if (width(r.scope) != width(release.scope) || !in_scope(r.scope, r.who, release.who, size_))
      continue;
    return r.knowledge.join(release.knowledge);
  }
  to.push_back(std::move(release));
}

void Order::acquire(Who who, std::size_t storage, const Releases& from, Scope scope) {
  for (const Release& r : from)
    if (in_scope(narrower(r.scope, scope), r.who, who, size_))
      of(who).knows[storage].join(r.knowledge);
}

/// All of them wait for each other.
void Order::join(const std::vector<Waiting>& waiting, const Sync& sync, Scope execution) {
  if (join_alike(waiting, sync, execution)) return;
  std::vector<Who> together;
  for (const Waiting& w : waiting)
    for_each_lane(w.lanes, [&](int lane) { together.push_back(who(w.subgroup, lane)); });
  if (together.empty()) return;
  std::vector<std::pair<std::uint32_t, Clock>> clocks;
  for (const Who w : together) clocks.emplace_back(w.invocation, of(w).clock);
  for (std::size_t storage = 0; storage < storages; ++storage) {
    const bool all = joins(storage, sync, execution);
    Knowledge released;
    bool any = all;
    const Knowledge* last = nullptr;
    for (const Who w : together) {
      Invocation& i = of(w);
      if (all) {
        if (last == nullptr || !last->same(i.knows[storage])) released.join(i.knows[storage]);
        last = &i.knows[storage];
        continue;
      }
      for (const Release& r : i.released[storage]) {
        if (width(r.scope) < width(execution)) continue;
        released.join(r.knowledge);
        any = true;
      }
    }
    if (all) {
      released.add(together.front().workgroup, clocks);
      for (const Who w : together) of(w).knows[storage] = released;
    } else if (any) {
      for (const Who w : together) of(w).knows[storage].join(released);
    }
  }
  for (const Who w : together) ++of(w).clock;
}

/// The same if all invocations of each subgroup do it and are alike. Returns whether that is so.
bool Order::join_alike(const std::vector<Waiting>& waiting, const Sync& sync, Scope execution) {
  for (const Waiting& w : waiting) {
    const Group& g = group(w.subgroup);
    if (!g.alike || !w.lanes.any_lane() || w.lanes != g.lanes) return false;
  }
  std::vector<std::pair<std::uint32_t, Clock>> clocks;
  clocks.reserve(waiting.size() * size_);
  for (const Waiting& w : waiting) {
    const Clock clock = group(w.subgroup).clock;
    for_each_lane(w.lanes,
                  [&](int lane) { clocks.emplace_back(who(w.subgroup, lane).invocation, clock); });
  }
  Knowledge before, after;  // of the storage before: often the same
  bool any = false;
  for (std::size_t storage = 0; storage < storages; ++storage) {
    if (!joins(storage, sync, execution)) continue;
    Knowledge released;
    for (const Waiting& w : waiting) released.join(group(w.subgroup).knows[storage]);
    if (!any || !released.same(before)) {
      before = released;
      released.add(workgroup_, clocks);
      after = released;
      any = true;
    }
    for (const Waiting& w : waiting) group(w.subgroup).knows[storage] = after;
  }
  for (const Waiting& w : waiting) ++group(w.subgroup).clock;
  return true;
}

void Order::fence(Who who, const MemoryOrder& order) {
  Invocation& i = of(who);
  for (std::size_t storage = 0; storage < memory_storages; ++storage) {
    if ((order.semantics & bit_of(storage)) == 0) continue;
    if (acquires(order.semantics)) acquire(who, storage, i.read[storage], order.scope);
    if (releases(order.semantics)) add(i.released[storage], {own(who, storage), order.scope, who});
  }
  if (releases(order.semantics)) ++i.clock;
}

void Order::atomic_reads(Who who, const std::byte* at, bool shared, const MemoryOrder& order) {
  const auto& locations = shared ? shared_locations_ : locations_;
  const auto found = locations.find(at);
  if (found == locations.end()) return;
  for (std::size_t storage = 0; storage < memory_storages; ++storage) {
    const Releases& released = found->second[storage];
    if ((order.semantics & bit_of(storage)) != 0 && acquires(order.semantics))
      acquire(who, storage, released, order.scope);
    // A later memory barrier acquires it, too.
    for (const Release& r : released)
      if (in_scope(narrower(r.scope, order.scope), r.who, who, size_))
        add(of(who).read[storage], r);
  }
}

void Order::atomic_writes(Who who, const std::byte* at, bool shared, const MemoryOrder& order,
                          bool store) {
  auto& locations = shared ? shared_locations_ : locations_;
  if (store) locations.erase(at);  // the end of a release sequence
  if (!releases(order.semantics) && group(who.invocation / size_).alike) return;
  Invocation& i = of(who);
  bool released = false;
  for (std::size_t storage = 0; storage < memory_storages; ++storage) {
    if ((order.semantics & bit_of(storage)) != 0 && releases(order.semantics)) {
      add(locations[at][storage], {own(who, storage), order.scope, who});
      released = true;
    }
    for (const Release& r : i.released[storage])
      add(locations[at][storage], {r.knowledge, narrower(r.scope, order.scope), who});
  }
  if (released) ++i.clock;
}

}  // namespace lockstep::detectors
