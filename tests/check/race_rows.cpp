#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/exec/fault_log.hpp>

#include "runtime/check/races.hpp"

/// \file
/// Races judges rows of words as one. Judged word by word, the same random programs must give the same findings.

namespace {

using namespace lockstep;
using detectors::Races;
namespace bits = memory_semantics;

alignas(16) std::array<std::byte, 40000> buffer_bytes, other_bytes, shared_bytes;

/// A random program's events: several workgroups, whose subgroups access common memory in rows and otherwise.
class Program {
 public:
  Program(std::uint32_t seed, int size) : random_(seed), size_(size) {
    // Of most programs the kinds are few, so that not all have races.
    for (bool& allowed : allows_) allowed = pick(3) != 0;
    tidy_ = pick(3) != 0;
    const std::uint32_t workgroups = 1 + pick(3);
    for (std::uint32_t w = 0; w < workgroups; ++w) run_workgroup(w);
  }
  std::vector<Event> events;

 private:
  static constexpr std::uint32_t subgroups = 3;

  std::uint32_t pick(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
  LaneSet all() const { return LaneSet::first_n(size_); }

  Event& add(Event::Kind kind, std::uint32_t w, std::uint32_t s, LaneSet lanes, int line) {
    Event& e = events.emplace_back();
    e.kind = kind;
    e.where = {"program", line};
    e.workgroup = {w, 0, 0};
    e.subgroup = s;
    e.tangles = {{lanes, false}};
    e.others = lanes;
    return e;
  }

  void run_workgroup(std::uint32_t w) {
    for (std::uint32_t s = 0; s < subgroups; ++s) add(Event::Kind::start, w, s, all(), 0);
    const std::uint32_t rounds = 1 + pick(4);
    for (std::uint32_t round = 0; round < rounds; ++round) {
      for (std::uint32_t k = 1 + pick(6); k-- > 0;) act(w, pick(subgroups));
      if (round + 1 == rounds) break;
      const MemoryOrder order =
          pick(4) == 0 ? any_order() : MemoryOrder{Scope::workgroup, everything};
      for (std::uint32_t s = 0; s < subgroups; ++s)
        add(Event::Kind::barrier, w, s, all(), 0).sync = {Scope::workgroup, order};
    }
  }

  static constexpr std::uint32_t everything =
      bits::acquire_release | bits::buffers | bits::shared | bits::images;
  MemoryOrder any_order() {
    constexpr std::uint32_t storages[] = {bits::buffers, bits::shared,
                                          bits::buffers | bits::shared};
    constexpr Scope scopes[] = {Scope::device, Scope::workgroup, Scope::subgroup};
    return {scopes[pick(3)], bits::acquire_release | storages[pick(3)]};
  }
  LaneSet some_lanes() {
    switch (pick(4)) {
      case 0:
        return LaneSet{1 + (std::uint64_t{random_()} << 32 | random_()) % (all().low)} & all();
      case 1:
        return LaneSet::first_n(1 + static_cast<int>(pick(static_cast<std::uint32_t>(size_))));
      default:
        return all();
    }
  }

  void act(std::uint32_t w, std::uint32_t s) {
    if (pick(6) == 0) {
      Sync sync{std::nullopt, any_order()};
      if (allows_[0] && pick(2) == 0) sync.execution = Scope::subgroup;
      if (sync.execution || allows_[1])
        add(Event::Kind::sync, w, s, pick(3) == 0 ? some_lanes() : all(), 0).sync = sync;
      return;
    }
    touch(w, s);
  }

  /// Where each lane's access starts, in numbers.
  std::vector<std::uint64_t> places(std::uint32_t step) {
    std::vector<std::uint64_t> places;
    const std::uint64_t base = 4 * pick(8), far = pick(12) == 0 ? 4000 : 0;
    const std::uint32_t way = pick(allows_[2] ? 8 : 5), lanes = static_cast<std::uint32_t>(size_);
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      const std::uint64_t at[] = {lane,
                                  lane,
                                  lane,
                                  lane * 2,
                                  lane % (lanes / 2) + lane / (lanes / 2) * 40,
                                  0,
                                  lanes - 1 - lane,
                                  pick(lanes)};
      places.push_back(base + far + at[way] * step);
      if (pick(60) == 0) places.back() = Access::outside;
    }
    return places;
  }

  void touch(std::uint32_t w, std::uint32_t s) {
    constexpr Event::Kind kinds[] = {Event::Kind::read, Event::Kind::write, Event::Kind::atomic};
    const Event::Kind kind = kinds[pick(allows_[3] ? 3 : 2)];
    const bool atomic = kind == Event::Kind::atomic, shared = pick(3) == 0;
    constexpr std::string_view names[] = {"atomicAdd", "atomicAdd", "atomicLoad", "atomicStore",
                                          "atomicCompSwap"};
    const int line = 1 + static_cast<int>(pick(4));
    Event& e = add(kind, w, s, some_lanes(), line);
    Access& access = e.access;
    e.name = atomic ? names[pick(5)] : "";
    access.object.kind = shared ? MemoryObject::Kind::shared : MemoryObject::Kind::buffer;
    access.data =
        shared ? shared_bytes.data() : (pick(2) == 0 ? buffer_bytes.data() : other_bytes.data());
    access.bytes = pick(5) != 0 ? 4 : allows_[4] ? 1u << pick(4) : 8;
    if (!atomic && pick(4) == 0) {
      access.count = 2 + pick(3);
      access.step = access.bytes * (1 + pick(4) / 3);
    }
    access.order = {atomic || pick(8) != 0 ? Scope::device : Scope::invocation, 0};
    if (atomic && allows_[5] && pick(4) == 0) access.order = any_order();
    const std::uint32_t apart = access.count > 1 ? access.count * access.step / access.bytes : 1;
    // In a tidy program most accesses of a subgroup are to memory of its own.
    const std::uint64_t own = tidy_ && pick(12) != 0 ? (w * subgroups + s) * 4000 : 0;
    std::vector<std::uint64_t> where = places(apart + (pick(8) == 0 ? 1 : 0));
    if (pick(5) == 0) pack(where, e.others, apart);
    for (const std::uint64_t place : where)
      access.byte.push_back(place == Access::outside ? place : own + place * access.bytes);
    if (e.name == "atomicCompSwap") compare(e);
  }
  /// The lanes add to a list: each comes after the last, whichever they are.
  void pack(std::vector<std::uint64_t>& where, LaneSet lanes, std::uint32_t step) {
    std::uint64_t next = 4 * pick(8);
    for_each_lane(lanes, [&](int lane) {
      where[static_cast<std::size_t>(lane)] = next;
      next += step;
    });
  }
  /// Some lanes find what they compare with.
  void compare(Event& e) {
    const auto some = [&](std::uint32_t n) {
      LaneValues values{LaneValues::Type::uint32, 1, {}};
      for (int lane = 0; lane < size_; ++lane) values.bits.push_back(pick(n));
      return values;
    };
    e.operands = {some(2), some(2)};
    e.result = some(2);
  }

  std::mt19937 random_;
  int size_;
  std::array<bool, 6> allows_{};
  bool tidy_ = false;
};

/// Tells of lanes that are as far from each other as a row instead of each lane's byte.
void make_row(Event& event, int size) {
  LaneSet lanes;
  for_each_lane(event.others, [&](int lane) {
    if (event.access.byte[static_cast<std::size_t>(lane)] != Access::outside)
      lanes = lanes | LaneSet::lane(lane);
  });
  if (!lanes.any_lane()) return;
  const auto at = [&](int lane) {
    return static_cast<std::int64_t>(event.access.byte[static_cast<std::size_t>(lane)]);
  };
  const int first = lanes.first(), last = lanes.last();
  const std::int64_t stride = first == last ? 4 : (at(last) - at(first)) / (last - first);
  bool regular = true;
  for_each_lane(lanes,
                [&](int lane) { regular &= at(lane) == at(first) + stride * (lane - first); });
  if (regular)
    event.access.byte.set_row(static_cast<std::size_t>(size), lanes,
                              static_cast<std::uint64_t>(at(first) - stride * first), stride);
}

/// All that is found, in words.
std::string findings(const std::vector<Event>& events, int size, Races::Rows rows) {
  Races races(Races::rules, size, rows);
  for (const Event& event : events) races.on(event);
  FaultLog log;
  races.end(log);
  std::string text;
  for (const Finding& f : log.findings())
    text += to_string(f) + " " + f.message + "; " + std::to_string(f.access.index) + "; " +
            f.other->message + " line " + std::to_string(f.other->where.line) + " lanes " +
            to_string(f.other->lanes) + "\n";
  return text;
}

}  // namespace

TEST_CASE("races: rows of words give the same findings as words one by one") {
#if defined(LOCKSTEP_TEST_REDUCED)
  constexpr int programs = 2000;
#else
  constexpr int programs = 20000;
#endif
  int found = 0, none = 0;
  std::size_t told_as_rows = 0;
  for (std::uint32_t seed = 1; seed <= std::uint32_t{programs}; ++seed) {
    const int size = seed % 3 == 0 ? 16 : seed % 3 == 1 ? 8 : 32;
    std::vector<Event> events = Program(seed, size).events;
    const std::string by_word = findings(events, size, Races::Rows::word_by_word);
    INFO("seed " << seed);
    REQUIRE(findings(events, size, Races::Rows::together) == by_word);
    for (Event& event : events) {
      if (is_access(event.kind)) make_row(event, size);
      told_as_rows += event.access.byte.is_row() ? 1 : 0;
    }
    REQUIRE(findings(events, size, Races::Rows::together) == by_word);
    ++(by_word.empty() ? none : found);
  }
  CHECK(found > programs / 5);
  CHECK(none > programs / 5);
  CHECK(told_as_rows > programs);
}

TEST_CASE("races: what a subgroup knows does not judge the atomics of another") {
  // A write, which only its own subgroup is ordered after; then both update the number.
  std::vector<Event> events;
  const auto add = [&](Event::Kind kind, std::uint32_t subgroup, int line) -> Event& {
    Event& e = events.emplace_back();
    e.kind = kind;
    e.where = {"program", line};
    e.subgroup = subgroup;
    e.tangles = {{LaneSet::first_n(8), false}};
    e.others = LaneSet::first_n(8);
    return e;
  };
  const auto touch = [&](Event::Kind kind, std::uint32_t subgroup, int line) -> Event& {
    Event& e = add(kind, subgroup, line);
    e.name = kind == Event::Kind::atomic ? "atomicAdd" : "";
    e.access.object.kind = MemoryObject::Kind::buffer;
    e.access.data = buffer_bytes.data();
    e.access.bytes = 4;
    e.access.byte = std::vector<std::uint64_t>(8, 16);
    e.access.order = {Scope::device, 0};
    return e;
  };
  const auto subgroup_barrier = [&](std::uint32_t subgroup) {
    add(Event::Kind::sync, subgroup, 2).sync = {
        Scope::subgroup, {Scope::subgroup, bits::acquire_release | bits::buffers}};
  };
  for (const std::uint32_t s : {0u, 1u}) add(Event::Kind::start, s, 0);
  touch(Event::Kind::write, 0, 1).others = LaneSet::lane(3);
  for (const std::uint32_t s : {0u, 1u}) subgroup_barrier(s);
  touch(Event::Kind::atomic, 0, 3);
  const std::string ordered = findings(events, 8, Races::Rows::together);
  CHECK(ordered == "");
  touch(Event::Kind::atomic, 1, 3);
  const std::string found = findings(events, 8, Races::Rows::together);
  CHECK(found == findings(events, 8, Races::Rows::word_by_word));
  CHECK_THAT(found, Catch::Contains("lane 3 of subgroup 0") && Catch::Contains("subgroup 1") &&
                        Catch::Contains("[atomic-mixed]"));
}
