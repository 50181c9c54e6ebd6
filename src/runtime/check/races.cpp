#include "runtime/check/races.hpp"

#include <algorithm>
#include <string>
#include <tuple>

#include <fmt/format.h>

#include "runtime/exec/hlsl_words.hpp"

namespace lockstep::detectors {
namespace {

using Kind = MemoryObject::Kind;

Storage storage_of(Kind kind) {
  return kind == Kind::shared  ? Storage::shared
         : kind == Kind::image ? Storage::images
                               : Storage::buffers;
}

/// As ==, but quicker where the names are one.
bool is_same(const MemoryObject& a, const MemoryObject& b) {
  return a.name == b.name ? a.kind == b.kind && a.set == b.set && a.binding == b.binding &&
                                a.element == b.element && a.address == b.address
                          : a == b;
}

/// Which lanes of an access change memory.
LaneSet changing(const Event& event) {
  LaneSet lanes;
  if (event.kind == Event::Kind::read) return lanes;
  const bool all = event.kind == Event::Kind::write ||
                   (!event.name.ends_with("Load") && !event.name.ends_with("CompSwap"));
  if (all)
    lanes = event.others;
  else
    for_each_lane(event.others, [&](int lane) {
      if (changes_memory(event, lane)) lanes = lanes | LaneSet::lane(lane);
    });
  return lanes;
}

std::string_view verb(AccessKind kind) {
  switch (kind) {
    case AccessKind::read:
      return "reads";
    case AccessKind::write:
      return "writes";
    case AccessKind::atomic:
      break;
  }
  return "updates";
}

std::string_view noun(AccessKind kind) {
  switch (kind) {
    case AccessKind::read:
      return "read of";
    case AccessKind::write:
      return "write to";
    case AccessKind::atomic:
      break;
  }
  return "atomic on";
}

/// What the two ends of a race have in common.
struct Ends {
  bool workgroup;  ///< both are of one
  bool store;      ///< both are the same store, no atomic
  bool barrier;    ///< an execution barrier is between them
  bool image;      ///< they access one
  bool shared;     ///< they access shared memory
};

std::string_view advice_on_race(const Ends& ends) {
  if (ends.store)
    return "nothing orders them, so either value may stay; let one of them write, give each an "
           "element of its own, or make it atomic";
  if (ends.barrier)
    return "the barrier between them orders no shared memory; put memoryBarrierShared() before it";
  if (ends.workgroup) return "nothing orders them; put a barrier between them, or make both atomic";
  return "nothing orders them, and no barrier() orders workgroups; use two dispatches, make both "
         "atomic, or let an atomic after memoryBarrier() say that it is done";
}

std::string_view advice(Check check, const Ends& ends) {
  switch (check) {
    case Check::lockstep_exchange:
      if (ends.store)
        return "lanes of one subgroup do not order their accesses by running in lockstep, so "
               "either value may stay; let one of them write, as after if (subgroupElect()), give "
               "each an element of its own, or make it atomic";
      return "lanes of one subgroup do not order their accesses by running in lockstep; put "
             "subgroupMemoryBarrier() and subgroupBarrier() between them, or exchange values with "
             "subgroupShuffle";
    case Check::barrier_orders_shared_only:
      return ends.image ? "the barrier between them orders shared memory only; put "
                          "memoryBarrierImage() before it"
                        : "the barrier between them orders shared memory only; put "
                          "memoryBarrierBuffer() before it";
    case Check::atomic_mixed:
      return ends.workgroup ? "one is atomic and the other is not, and nothing orders them; put a "
                              "barrier between them, or make both atomic"
                            : "one is atomic and the other is not, and nothing orders them; make "
                              "both atomic";
    case Check::atomic_scope:
      return "both are atomic, but the scope of one does not include the other; widen it";
    case Check::not_coherent:
      return "a barrier orders them, but the memory is not declared coherent, so the later access "
             "need not see the earlier one; declare it coherent";
    default:
      return advice_on_race(ends);
  }
}

/// The barrier that HLSL has for such accesses.
std::string_view barrier_of_hlsl(const Ends& ends) {
  return ends.shared ? "GroupMemoryBarrierWithGroupSync()" : "AllMemoryBarrierWithGroupSync()";
}

std::string advice_on_race_in_hlsl(const Ends& ends) {
  if (ends.store)
    return "nothing orders them, so either value may stay; let one of them write, give each an "
           "element of its own, or use InterlockedMax or another Interlocked function";
  if (ends.barrier)
    return "the barrier between them orders no groupshared memory; make it "
           "GroupMemoryBarrierWithGroupSync()";
  if (ends.workgroup)
    return fmt::format("nothing orders them; put {} between them", barrier_of_hlsl(ends));
  return "nothing orders them, and no barrier orders thread groups; use two dispatches, use "
         "Interlocked functions for both, or let one after DeviceMemoryBarrier() say that it is "
         "done";
}

/// As advice(), with what HLSL has. It reads atomically only with a function that writes.
std::string advice_in_hlsl(Check check, const Ends& ends) {
  constexpr std::string_view both_atomic =
      "use Interlocked functions for both: InterlockedOr(x, 0, value) reads, "
      "InterlockedExchange(x, value, old) writes";
  switch (check) {
    case Check::lockstep_exchange:
      if (ends.store)
        return "lanes of one wave do not order their accesses by running in lockstep, so either "
               "value may stay; let one of them write, as after if (WaveIsFirstLane()), give each "
               "an element of its own, or use an Interlocked function";
      return fmt::format(
          "lanes of one wave do not order their accesses by running in lockstep; put {} between "
          "them, or exchange values with WaveReadLaneAt",
          barrier_of_hlsl(ends));
    case Check::barrier_orders_shared_only:
      return "the barrier between them orders groupshared memory only; make it "
             "AllMemoryBarrierWithGroupSync()";
    case Check::atomic_mixed:
      return fmt::format(
          "one is atomic and the other is not, and nothing orders them; {}{}",
          ends.workgroup ? fmt::format("put {} between them, or ", barrier_of_hlsl(ends)) : "",
          both_atomic);
    case Check::not_coherent:
      return "a barrier orders them, but the memory is not declared globallycoherent, so the later "
             "access of another thread group need not see the earlier one; declare it "
             "globallycoherent";
    case Check::atomic_scope:
      return std::string(advice(check, ends));
    default:
      return advice_on_race_in_hlsl(ends);
  }
}

std::string advice_in(const SourceLocation& where, Check check, const Ends& ends) {
  return is_hlsl_file(where.file) ? advice_in_hlsl(check, ends) : std::string(advice(check, ends));
}

}  // namespace

Interest Races::interest() const {
  using enum Event::Kind;
  return {{start, read, write, atomic, barrier, sync}, false, false};
}

void Races::on(const Event& event) {
  if (event.kind == Event::Kind::start) return start(event);
  order_.go_on(event.subgroup);
  if (is_access(event.kind))
    access(event);
  else if (event.kind == Event::Kind::barrier)
    order_.arrive(event.subgroup, event);
  else if (event.kind == Event::Kind::sync)
    order_.sync(event.subgroup, event);
}

void Races::start(const Event& event) {
  const Size3 workgroup{event.workgroup[0], event.workgroup[1], event.workgroup[2]};
  if (workgroups_.empty() || workgroups_.back() != workgroup) {
    workgroups_.push_back(workgroup);
    order_.start_workgroup();
    shared_.clear();
  }
  order_.start_subgroup(event.subgroup, event.tangles.lanes());
}

std::uint32_t Races::site_of(const Event& event) {
  // Most events come from one of few places, in the same order as before, whose files are the same pointers.
  const Scope scope = event.access.order.scope;
  const AccessKind kind = event.kind == Event::Kind::read    ? AccessKind::read
                          : event.kind == Event::Kind::write ? AccessKind::write
                                                             : AccessKind::atomic;
  const auto same = [&](const Site& s) {
    return s.where.line == event.where.line && s.where.column == event.where.column &&
           s.data == event.access.data && s.kind == kind && s.scope == scope &&
           s.where.file == event.where.file && is_same(s.object, event.access.object);
  };
  for (std::size_t k = 0; k < sites_.size(); ++k) {
    if (++last_site_ >= sites_.size()) last_site_ = 0;
    if (same(sites_[last_site_])) return static_cast<std::uint32_t>(last_site_);
  }
  last_site_ = sites_.size();
  sites_.push_back({event.where, event.access.object, event.access.data, kind, scope, event.name});
  return static_cast<std::uint32_t>(last_site_);
}

void Races::access(const Event& event) {
  const Access& access = event.access;
  const Kind object = access.object.kind;
  if (access.data == nullptr || access.bytes == 0 ||
      (object != Kind::buffer && object != Kind::shared && object != Kind::image))
    return;
  const Storage storage = storage_of(object);
  Touch now;
  now.workgroup = order_.workgroup();
  now.subgroup = event.subgroup;
  now.site = site_of(event);
  now.kind = sites_[now.site].kind;
  now.scope = access.order.scope;
  now.size = static_cast<std::uint8_t>(access.bytes);
  const LaneSet changes = changing(event);
  const Order::Group* const alike = order_.alike(event.subgroup);
  if (alike != nullptr && can_be_rows(event, storage))
    access_in_rows(event, now, changes, storage, *alike);
  else
    access_by_lanes(event, now, changes, storage);
}

void Races::access_by_lanes(const Event& event, Touch& now, LaneSet changes, Storage storage) {
  const Access& access = event.access;
  const bool shared = storage == Storage::shared;
  const bool atomic = event.kind == Event::Kind::atomic;
  const bool store = atomic && event.name.ends_with("Store");
  // Lanes that race with each other, or order each other, come one by one.
  const bool together = event.kind == Event::Kind::read || (atomic && is_relaxed(access.order));
  LaneSet left = event.others;
  while (left.any_lane()) {
    const int lane = left.first();
    const std::uint64_t byte = access.byte[static_cast<std::size_t>(lane)];
    now.lanes = LaneSet::lane(lane);
    now.clock = order_.clock(who(now, lane));
    now.changes = changes.test(lane);
    left = left.without(now.lanes);
    if (byte == Access::outside) continue;
    for (int next = left.first(); together && next < 128; next = left.first()) {
      if (access.byte[static_cast<std::size_t>(next)] != byte ||
          order_.clock(who(now, next)) != now.clock || changes.test(next) != now.changes)
        break;
      now.lanes = now.lanes | LaneSet::lane(next);
      left = left.without(LaneSet::lane(next));
    }
    const std::byte* const at = access.data + byte;
    if (atomic && !store)
      for_each_lane(now.lanes,
                    [&](int one) { order_.atomic_reads(who(now, one), at, shared, access.order); });
    touch_words(now, access, byte, storage);
    if (event.kind == Event::Kind::write) order_.write(at, shared);
    if (atomic && now.changes)
      for_each_lane(now.lanes, [&](int one) {
        order_.atomic_writes(who(now, one), at, shared, access.order, store);
      });
  }
}

/// All words of the numbers that start at the byte.
void Races::touch_words(Touch& now, const Access& access, std::uint64_t byte, Storage storage) {
  Shadow& shadow = shadow_of(storage);
  const auto base = reinterpret_cast<std::uintptr_t>(access.data + byte);
  for (std::uint32_t k = 0; k < access.count; ++k) {
    const std::uintptr_t begin = base + std::uintptr_t{k} * access.step;
    const std::uintptr_t end = begin + access.bytes;
    for (std::uintptr_t word = begin & ~(Shadow::word_bytes - 1); word < end;
         word += Shadow::word_bytes) {
      unsigned bytes = 0xf;
      if (word < begin) bytes &= 0xfu << (begin - word);
      if (word + Shadow::word_bytes > end) bytes &= 0xfu >> (word + Shadow::word_bytes - end);
      now.bytes = static_cast<std::uint8_t>(bytes & 0xf);
      touch(*shadow.ids(word), word, now, storage, std::max(word, begin));
    }
  }
}

/// Whether two accesses are of different groups of that scope.
bool Races::apart(Scope scope, const Touch& a, const Touch& b) {
  switch (scope) {
    case Scope::invocation:
      return true;
    case Scope::subgroup:
      return !a.is_of_subgroup(b);
    case Scope::workgroup:
      return a.workgroup != b.workgroup;
    default:
      return false;
  }
}

/// Accesses to one word.
void Races::touch(Shadow::Id& id, std::uintptr_t word, const Touch& now, Storage storage,
                  std::uintptr_t address) {
  State& state = shadow_of(storage).own(id, word);
  const Order::Group* const alike = order_.alike(now.subgroup);
  LaneSet known;  // lanes that a touch stands for already
  state.remove_if([&](Touch& old) {
    if ((old.bytes & now.bytes) == 0) return false;
    if (old.is_like(now) && replaces(old, now)) known = known | (old.lanes & now.lanes);
    if (alike == nullptr ||
        !pass_alike(old, now, known, alike->knows[static_cast<std::size_t>(storage)], storage))
      pass(old, now, known, storage, address);
    return !old.lanes.any_lane();
  });
  Touch added = now;
  added.lanes = now.lanes.without(known);
  if (added.lanes.any_lane()) state.add(added);
}

/// The lanes of the earlier access that are included in what a subgroup knows.
LaneSet Races::included(const Knowledge& knowledge, LaneSet lanes, const Touch& old) {
  if (knowledge.is_none()) return {};
  Range& range = ranges_[(old.subgroup ^ old.workgroup * 5) % ranges_.size()];
  if (!range.knowledge.same(knowledge) || range.workgroup != old.workgroup ||
      range.subgroup != old.subgroup) {
    range = {knowledge, old.workgroup, old.subgroup, 0, 0};
    const auto all = LaneSet::first_n(static_cast<int>(order_.subgroup_size()));
    std::tie(range.least, range.greatest) = knowledge.range(all, who(old, 0));
  }
  if (old.clock <= range.least) return lanes;
  if (old.clock > range.greatest) return {};
  return knowledge.included(lanes, who(old, 0), old.clock);
}

/// As pass, for a subgroup whose lanes know the same, where that finds nothing. Returns whether it does.
bool Races::pass_alike(Touch& old, const Touch& now, LaneSet known, const Knowledge& knowledge,
                       Storage storage) {
  const bool replaced = replaces(now, old), harmless = !old.changes && !now.changes;
  if (harmless && (!replaced || old.is_same(now))) return true;
  if (!harmless && is_stale(old, now, storage)) return false;
  const LaneSet mates = old.is_of_subgroup(now) ? old.lanes : LaneSet();
  const bool one = now.lanes == LaneSet::lane(now.lanes.first());
  // Of one lane, its own earlier access is no other's; of several, that of each is another's for the rest.
  const LaneSet others = one ? old.lanes.without(mates & now.lanes) : old.lanes;
  const LaneSet before = others.any_lane() ? included(knowledge, others, old) : LaneSet();
  if (!harmless && before != others && conflict(old, now)) return false;
  if (!replaced) return true;
  old.lanes = old.lanes.without((mates & now.lanes).without(known)).without(before);
  return true;
}

/// Compares the new accesses with the old ones, and removes those of the old ones that the new ones replace.
void Races::pass(Touch& old, const Touch& now, LaneSet known, Storage storage,
                 std::uintptr_t address) {
  const bool replaced = replaces(now, old), harmless = !old.changes && !now.changes;
  if (harmless && (!replaced || old.is_same(now))) return;
  const LaneSet mates = old.is_of_subgroup(now) ? old.lanes : LaneSet();
  const Who first = who(old, 0);
  const Knowledge* last = nullptr;
  LaneSet before;
  for_each_lane(now.lanes, [&](int lane) {
    const LaneSet self = mates & LaneSet::lane(lane);
    if (replaced && !known.test(lane)) old.lanes = old.lanes.without(self);
    if (!old.lanes.without(self).any_lane()) return;
    const Knowledge& knowledge = order_.knowledge(who(now, lane), storage);
    if (last == nullptr || !knowledge.same(*last))
      before = knowledge.included(old.lanes, first, old.clock);
    last = &knowledge;
    if (!harmless) examine(old, now, lane, before, storage, address);
    if (!replaced) return;
    // A race is told once.
    const LaneSet gone = !harmless && conflict(old, now) ? old.lanes : before;
    old.lanes = old.lanes.without(gone.without(self));
  });
}

/// Whether the later access of another invocation need not see the earlier one, though ordered.
bool Races::is_stale(const Touch& old, const Touch& now, Storage storage) {
  if (storage == Storage::shared || !old.changes) return false;
  const auto seen_in = [](const Touch& touch) {
    return touch.kind == AccessKind::atomic ? Scope::device : touch.scope;
  };
  return apart(narrower(seen_in(old), seen_in(now)), old, now);
}

/// Reports what is wrong between the old accesses and that of one lane; `before` are those that happen before it.
void Races::examine(const Touch& old, const Touch& now, int lane, LaneSet before, Storage storage,
                    std::uintptr_t address) {
  const bool stale = is_stale(old, now, storage);
  const bool races = conflict(old, now);
  if (!stale && !races) return;
  const End end{who(now, lane), now.clock, now.site};
  for_each_lane(old.lanes, [&](int one) {
    const End other{who(old, one), old.clock, old.site};
    if (other.who == end.who) return;
    if (!before.test(one)) {
      if (races) report(rule_of(other, end, storage), other, end, address);
    } else if (stale) {
      report(Check::not_coherent, other, end, address);
    }
  });
}

Check Races::rule_of(const End& old, const End& now, Storage storage) {
  const bool old_atomic = sites_[old.site].kind == AccessKind::atomic;
  const bool now_atomic = sites_[now.site].kind == AccessKind::atomic;
  if (old_atomic && now_atomic) return Check::atomic_scope;
  if (storage != Storage::shared && order_.ordered(old.who, old.clock, now.who, Storage::execution))
    return Check::barrier_orders_shared_only;
  if (old_atomic || now_atomic) return Check::atomic_mixed;
  return in_scope(Scope::subgroup, old.who, now.who, order_.subgroup_size())
             ? Check::lockstep_exchange
             : Check::data_race;
}

std::string Races::text_of(Who who) const {
  const auto [x, y, z] = workgroups_[who.workgroup];
  const std::uint32_t size = order_.subgroup_size();
  return fmt::format("lane {} of subgroup {} of workgroup ({}, {}, {})", who.invocation % size,
                     who.invocation / size, x, y, z);
}

void Races::report(Check check, const End& old, const End& now, std::uintptr_t address) {
  if (!checks_.has(check)) return;
  for (Race& race : races_) {
    const bool same = race.before == old.site && race.now == now.site;
    // Unordered accesses happen in any order: one of the pair's places is that of the finding.
    const bool reversed =
        check != Check::not_coherent && race.before == now.site && race.now == old.site;
    if (race.check != check || !(same || reversed)) continue;
    ++race.finding.count;
    const Who who = same ? now.who : old.who;
    race.finding.lanes = race.finding.lanes |
                         LaneSet::lane(static_cast<int>(who.invocation % order_.subgroup_size()));
    return;
  }
  races_.push_back({check, old.site, now.site, finding(check, old, now, address)});
}

Finding Races::finding(Check check, const End& old, const End& now, std::uintptr_t address) {
  const std::uint32_t size = order_.subgroup_size();
  const Site& site = sites_[now.site];
  const auto byte = address - reinterpret_cast<std::uintptr_t>(site.data);
  Finding found = finding_of(check);
  const Ends ends{old.who.workgroup == now.who.workgroup,
                  old.site == now.site && site.kind == AccessKind::write,
                  order_.ordered(old.who, old.clock, now.who, Storage::execution),
                  site.object.kind == Kind::image, site.object.kind == Kind::shared};
  found.message = fmt::format("{} {}, which {} {}: {}", noun(site.kind),
                              byte_to_string(site.object, byte), text_of(old.who),
                              verb(sites_[old.site].kind), advice_in(site.where, check, ends));
  found.where = site.where;
  found.workgroup = workgroups_[now.who.workgroup];
  found.subgroup = now.who.invocation / size;
  found.lanes = LaneSet::lane(static_cast<int>(now.who.invocation % size));
  const std::uint32_t stride = site.object.stride;
  const bool is_element = stride != 0 && byte % stride == 0;
  found.access = {site.kind, site.object,
                  is_element ? LaneAccess::Unit::element : LaneAccess::Unit::byte,
                  is_element ? byte / stride : byte, 0};
  found.other =
      OtherEnd{sites_[old.site].where,
               fmt::format("{} {} it here", text_of(old.who), verb(sites_[old.site].kind)),
               workgroups_[old.who.workgroup], old.who.invocation / size,
               LaneSet::lane(static_cast<int>(old.who.invocation % size))};
  return found;
}

void Races::end(FaultLog& findings) {
  for (const Race& race : races_) findings.record(race.finding);
  races_.clear();
}

}  // namespace lockstep::detectors
