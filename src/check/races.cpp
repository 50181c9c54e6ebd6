#include "check/races.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

namespace lockstep::judges {
namespace {

using Kind = MemoryObject::Kind;

Storage storage_of(Kind kind) {
  return kind == Kind::shared  ? Storage::shared
         : kind == Kind::image ? Storage::images
                               : Storage::buffers;
}

/// Whether every access that conflicts with the old one conflicts with the new one.
bool replaces(const Touch& now, const Touch& old) {
  if ((old.bytes & ~now.bytes) != 0) return false;
  if (now.kind == AccessKind::write) return true;
  if (now.kind == AccessKind::read) return !old.changes && old.kind == AccessKind::read;
  return old.kind == AccessKind::atomic && old.size == now.size && old.scope == now.scope &&
         old.bytes == now.bytes && (now.changes || !old.changes);
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

std::string_view advice(Check check) {
  switch (check) {
    case Check::lockstep_exchange:
      return "lanes of one subgroup do not order their accesses by running in lockstep; put "
             "subgroupMemoryBarrier() and subgroupBarrier() between them, or exchange values with "
             "subgroupShuffle";
    case Check::barrier_orders_shared_only:
      return "the barrier between them orders shared memory only; put memoryBarrierBuffer() or "
             "memoryBarrierImage() before it";
    case Check::atomic_mixed:
      return "one is atomic and the other is not, and nothing orders them; make both atomic";
    case Check::atomic_scope:
      return "both are atomic, but the scope of one does not include the other; widen it";
    case Check::not_coherent:
      return "a barrier orders them, but the memory is not declared coherent, so the later access "
             "need not see the earlier one";
    default:
      return "nothing orders them; put a barrier between them, or make both atomic";
  }
}

}  // namespace

Interest Races::interest() const {
  using enum Event::Kind;
  return {{start, read, write, atomic, barrier, sync}, false};
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
  if (!workgroups_.empty() && workgroups_.back() == workgroup) return;
  workgroups_.push_back(workgroup);
  order_.start_workgroup();
  shared_.clear();
}

std::uint32_t Races::site_of(const Event& event) {
  // Most events come from one of few places, whose files are the same pointers.
  const bool coherent = event.access.order.scope != Scope::invocation;
  const AccessKind kind = event.kind == Event::Kind::read    ? AccessKind::read
                          : event.kind == Event::Kind::write ? AccessKind::write
                                                             : AccessKind::atomic;
  const auto same = [&](const Site& s) {
    return s.where.line == event.where.line && s.where.column == event.where.column &&
           s.data == event.access.data && s.kind == kind && s.coherent == coherent &&
           s.where.file == event.where.file && s.object == event.access.object;
  };
  for (std::size_t k = sites_.size(); k-- > 0;)
    if (same(sites_[k])) return static_cast<std::uint32_t>(k);
  sites_.push_back(
      {event.where, event.access.object, event.access.data, kind, coherent, event.name});
  return static_cast<std::uint32_t>(sites_.size() - 1);
}

void Races::access(const Event& event) {
  const Access& access = event.access;
  const Kind object = access.object.kind;
  if (access.data == nullptr || access.bytes == 0 ||
      (object != Kind::buffer && object != Kind::shared && object != Kind::image))
    return;
  const Storage storage = storage_of(object);
  const bool shared = object == Kind::shared;
  Shadow& shadow = shared ? shared_ : memory_;
  Touch touched;
  touched.site = site_of(event);
  touched.kind = sites_[touched.site].kind;
  touched.scope = access.order.scope;
  touched.size = static_cast<std::uint8_t>(access.bytes);
  for_each_lane(event.others, [&](int lane) {
    const auto number = static_cast<std::size_t>(lane);
    if (access.byte[number] == Access::outside) return;
    touched.who = order_.who(event.subgroup, lane);
    touched.clock = order_.clock(touched.who);
    touched.changes = changes_memory(event, lane);
    const std::byte* at = access.data + access.byte[number];
    const bool atomic = event.kind == Event::Kind::atomic, store = event.name.ends_with("Store");
    if (atomic && !store) order_.atomic_reads(touched.who, at, shared, access.order);
    const auto base = reinterpret_cast<std::uintptr_t>(at);
    for (std::uint32_t k = 0; k < access.count; ++k) {
      const std::uintptr_t begin = base + std::uintptr_t{k} * access.step;
      const std::uintptr_t end = begin + access.bytes;
      for (std::uintptr_t word = begin & ~(Shadow::word_bytes - 1); word < end;
           word += Shadow::word_bytes) {
        unsigned bytes = 0xf;
        if (word < begin) bytes &= 0xfu << (begin - word);
        if (word + Shadow::word_bytes > end) bytes &= 0xfu >> (word + Shadow::word_bytes - end);
        touched.bytes = static_cast<std::uint8_t>(bytes & 0xf);
        touch(shadow.word(word), touched, storage, std::max(word, begin));
      }
    }
    if (event.kind == Event::Kind::write) order_.write(at, shared);
    if (atomic && touched.changes)
      order_.atomic_writes(touched.who, at, shared, access.order, store);
  });
}

/// Whether two unordered accesses of different invocations to common bytes are a race.
bool Races::conflict(const Touch& a, const Touch& b) const {
  if (!a.changes && !b.changes) return false;
  if (a.kind != AccessKind::atomic || b.kind != AccessKind::atomic) return true;
  return a.bytes != b.bytes || a.size != b.size ||
         !in_scope(narrower(a.scope, b.scope), a.who, b.who, order_.subgroup_size());
}

void Races::touch(Word& word, const Touch& now, Storage storage, std::uintptr_t address) {
  bool known = false;
  word.remove_if([&](const Touch& old) {
    if ((old.bytes & now.bytes) == 0) return false;
    if (old.who == now.who) {
      if (old.clock == now.clock && old.site == now.site && replaces(old, now)) known = true;
      return !known && replaces(now, old);
    }
    if (!old.changes && !now.changes)
      return replaces(now, old) && order_.ordered(old.who, old.clock, now.who, storage);
    if (order_.ordered(old.who, old.clock, now.who, storage)) {
      const bool coherent = (old.kind == AccessKind::atomic || sites_[old.site].coherent) &&
                            (now.kind == AccessKind::atomic || sites_[now.site].coherent);
      if (storage != Storage::shared && !coherent && old.changes)
        report(Check::not_coherent, old, now, address);
      return replaces(now, old);
    }
    if (!conflict(old, now)) return false;
    report(rule_of(old, now, storage), old, now, address);
    return replaces(now, old);  // a race is told once
  });
  if (!known) word.add(now);
}

Check Races::rule_of(const Touch& old, const Touch& now, Storage storage) {
  const bool old_atomic = old.kind == AccessKind::atomic;
  const bool now_atomic = now.kind == AccessKind::atomic;
  if (old_atomic && now_atomic) return Check::atomic_scope;
  if (storage != Storage::shared && order_.ordered(old.who, old.clock, now.who, Storage::execution))
    return Check::barrier_orders_shared_only;
  if (old_atomic || now_atomic) return Check::atomic_mixed;
  return in_scope(Scope::subgroup, old.who, now.who, order_.subgroup_size())
             ? Check::lockstep_exchange
             : Check::data_race;
}

std::string Races::text_of(const Touch& touch) const {
  const auto [x, y, z] = workgroups_[touch.who.workgroup];
  const std::uint32_t size = order_.subgroup_size();
  return fmt::format("lane {} of subgroup {} of workgroup ({}, {}, {})",
                     touch.who.invocation % size, touch.who.invocation / size, x, y, z);
}

void Races::report(Check check, const Touch& old, const Touch& now, std::uintptr_t address) {
  if (!checks_.has(check)) return;
  for (Race& race : races_) {
    if (race.check != check || race.before != old.site || race.now != now.site) continue;
    ++race.finding.count;
    const auto lane = static_cast<int>(now.who.invocation % order_.subgroup_size());
    race.finding.lanes = race.finding.lanes | LaneSet::lane(lane);
    return;
  }
  races_.push_back({check, old.site, now.site, finding(check, old, now, address)});
}

Finding Races::finding(Check check, const Touch& old, const Touch& now,
                       std::uintptr_t address) const {
  const std::uint32_t size = order_.subgroup_size();
  const Site& site = sites_[now.site];
  const auto byte = address - reinterpret_cast<std::uintptr_t>(site.data);
  Finding found = finding_of(check);
  found.message = fmt::format("{} byte {} of {}, which {} {}: {}", noun(now.kind), byte,
                              to_string(site.object), text_of(old), verb(old.kind), advice(check));
  found.where = site.where;
  found.workgroup = workgroups_[now.who.workgroup];
  found.subgroup = now.who.invocation / size;
  found.lanes = LaneSet::lane(static_cast<int>(now.who.invocation % size));
  found.access = {now.kind, site.object, LaneAccess::Unit::byte, byte, 0};
  found.other =
      OtherEnd{sites_[old.site].where, fmt::format("{} {} it here", text_of(old), verb(old.kind)),
               workgroups_[old.who.workgroup], old.who.invocation / size,
               LaneSet::lane(static_cast<int>(old.who.invocation % size))};
  return found;
}

void Races::end(FaultLog& findings) {
  for (const Race& race : races_) findings.record(race.finding);
  races_.clear();
}

}  // namespace lockstep::judges
