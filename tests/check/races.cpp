#include <lockstep/check/checker.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

/// \file
/// The rules about races, against a slow model: every pair of accesses, and the transitive closure of program
/// order and of the edges between invocations.

namespace {

using namespace lockstep;
namespace bits = memory_semantics;

constexpr int size = 2;  // lanes of a subgroup
constexpr std::uint32_t subgroups = 2, workgroups = 2;
constexpr int lanes_each = size * static_cast<int>(subgroups);

alignas(8) std::array<std::byte, 64> buffer_bytes, shared_bytes;

/// What one lane does in an event: a node of the graph.
struct Node {
  int event = 0;
  int invocation = 0;  ///< of all workgroups
  // An access.
  bool access = false, atomic = false, reads = false, changes = false, shared = false;
  int begin = 0, bytes = 0;
  MemoryOrder order;
  // A barrier: which, and between whom; a memory barrier: none.
  bool fence = false;
  int barrier = -1;
  Scope execution = Scope::invocation;
};

bool acquires(const MemoryOrder& o) {
  return (o.semantics & (bits::acquire | bits::acquire_release)) != 0;
}
bool releases(const MemoryOrder& o) {
  return (o.semantics & (bits::release | bits::acquire_release)) != 0;
}

int reach(Scope scope) {
  return scope == Scope::invocation  ? 0
         : scope == Scope::subgroup  ? 1
         : scope == Scope::workgroup ? 2
                                     : 3;
}
bool include(Scope scope, const Node& a, const Node& b) {
  const int apart = a.invocation == b.invocation                             ? 0
                    : a.invocation / size == b.invocation / size             ? 1
                    : a.invocation / lanes_each == b.invocation / lanes_each ? 2
                                                                             : 3;
  return reach(scope) >= apart;
}

/// A random program as its events, one workgroup after another, and as the nodes of its lanes.
class Program {
 public:
  explicit Program(std::uint32_t seed) : random_(seed) {
    for (std::uint32_t w = 0; w < workgroups; ++w) run_workgroup(w);
  }
  std::vector<Event> events;
  std::vector<Node> nodes;  ///< in the order of execution

 private:
  std::uint32_t pick(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }

  void run_workgroup(std::uint32_t w) {
    for (std::uint32_t s = 0; s < subgroups; ++s) add(Event::Kind::start, w, s, {3});
    if (pick(6) == 0) return pass_message(w);
    const std::uint32_t rounds = 1 + pick(3);
    for (std::uint32_t round = 0; round < rounds; ++round) {
      for (std::uint32_t k = pick(6); k-- > 0;) act(w, pick(subgroups));
      if (round + 1 < rounds) pass_barrier(w);
    }
  }

  MemoryOrder any_order(bool of_atomic) {
    constexpr std::uint32_t kinds[] = {bits::acquire_release, bits::acquire, bits::release};
    constexpr std::uint32_t storages[] = {bits::buffers, bits::shared,
                                          bits::buffers | bits::shared};
    constexpr Scope scopes[] = {Scope::device, Scope::device, Scope::workgroup, Scope::subgroup};
    const Scope scope = scopes[pick(4)];
    if (of_atomic && pick(2) == 0) return {scope, 0};
    return {scope, kinds[pick(3)] | storages[pick(3)]};
  }

  Event& add(Event::Kind kind, std::uint32_t w, std::uint32_t s, LaneSet lanes) {
    Event& e = events.emplace_back();
    e.kind = kind;
    e.where = {"program", static_cast<int>(events.size())};
    e.workgroup = {w, 0, 0};
    e.subgroup = s;
    e.tangles = {{lanes, false}};
    e.others = lanes;
    return e;
  }
  Node& node(std::uint32_t w, std::uint32_t s, int lane) {
    Node& n = nodes.emplace_back();
    n.event = static_cast<int>(events.size());
    n.invocation = static_cast<int>(w * subgroups + s) * size + lane;
    return n;
  }

  void pass_barrier(std::uint32_t w) {
    const MemoryOrder order = pick(4) == 0 ? MemoryOrder{Scope::workgroup, 0} : any_order(false);
    const int barrier = barriers_++;
    for (std::uint32_t s = 0; s < subgroups; ++s) {
      add(Event::Kind::barrier, w, s, {3}).sync = {Scope::workgroup, order};
      synchronise(barrier, w, s, {3}, order, Scope::workgroup);
      if (s + 1 < subgroups && pick(2) == 0) act(w, s + 1);
    }
  }
  void synchronise(int barrier, std::uint32_t w, std::uint32_t s, LaneSet lanes,
                   const MemoryOrder& order, Scope execution) {
    for_each_lane(lanes, [&](int lane) {
      Node& n = node(w, s, lane);
      n.barrier = barrier;
      n.order = order;
      n.execution = execution;
    });
  }

  void act(std::uint32_t w, std::uint32_t s) {
    const LaneSet lanes{1 + pick(3)};
    switch (pick(8)) {
      case 0: {
        const MemoryOrder order = any_order(false);
        add(Event::Kind::sync, w, s, lanes).sync = {Scope::subgroup, order};
        return synchronise(barriers_++, w, s, lanes, order, Scope::subgroup);
      }
      case 1:
      case 2: {
        const MemoryOrder order = any_order(false);
        add(Event::Kind::sync, w, s, lanes).sync = {std::nullopt, order};
        return for_each_lane(lanes, [&](int lane) {
          Node& n = node(w, s, lane);
          n.fence = true;
          n.order = order;
        });
      }
      default:
        touch(w, s, lanes);
    }
  }

  void touch(std::uint32_t w, std::uint32_t s, LaneSet lanes) {
    constexpr Event::Kind kinds[] = {Event::Kind::read, Event::Kind::write, Event::Kind::atomic};
    const Event::Kind kind = kinds[pick(3)];
    const bool atomic = kind == Event::Kind::atomic, shared = pick(3) == 0;
    constexpr std::string_view names[] = {"atomicAdd", "atomicLoad", "atomicStore"};
    const std::string_view name = atomic ? names[pick(3)] : "";
    const std::uint32_t bytes = atomic || pick(4) != 0 ? 4 : 1u << pick(4);
    const MemoryOrder order = atomic ? any_order(true) : MemoryOrder{Scope::device, 0};
    std::vector<std::uint64_t> places;
    for (int lane = 0; lane < size; ++lane) places.push_back(pick(16 / bytes) * bytes);
    access(w, s, lanes, {kind, name, shared, bytes, order}, places);
  }

  /// What lanes do with memory.
  struct Touched {
    Event::Kind kind;
    std::string_view name;  ///< of an atomic
    bool shared;
    std::uint32_t bytes;
    MemoryOrder order;
  };
  void access(std::uint32_t w, std::uint32_t s, LaneSet lanes, const Touched& how,
              const std::vector<std::uint64_t>& places) {
    const bool atomic = how.kind == Event::Kind::atomic;
    Event& e = add(how.kind, w, s, lanes);
    e.name = how.name;
    e.access.object.kind = how.shared ? MemoryObject::Kind::shared : MemoryObject::Kind::buffer;
    e.access.data = how.shared ? shared_bytes.data() : buffer_bytes.data();
    e.access.bytes = how.bytes;
    e.access.order = how.order;
    if (e.name == "atomicLoad") e.access.order.semantics &= ~std::uint32_t{bits::release};
    e.access.byte = places;
    for_each_lane(lanes, [&](int lane) {
      Node& n = node(w, s, lane);
      n.access = true;
      n.atomic = atomic;
      n.reads = how.kind == Event::Kind::read || (atomic && e.name != "atomicStore");
      n.changes = how.kind == Event::Kind::write || (atomic && e.name != "atomicLoad");
      n.shared = how.shared;
      n.begin = static_cast<int>(e.access.byte[static_cast<std::size_t>(lane)]);
      n.bytes = static_cast<int>(how.bytes);
      n.order = e.access.order;
    });
  }

  /// An invocation writes a number and releases a flag, which another one may change; a last one acquires the flag and
  /// reads the number.
  void pass_message(std::uint32_t w) {
    constexpr std::uint64_t number = 0, flag = 8;
    constexpr Scope scopes[] = {Scope::device, Scope::device, Scope::workgroup, Scope::subgroup};
    const bool shared = pick(3) == 0;
    const Scope scope = scopes[pick(4)];
    const auto act = [&](Event::Kind kind, std::string_view name, std::uint64_t place,
                         std::uint32_t semantics) {
      const std::uint32_t storages = semantics == 0 ? 0 : shared ? bits::shared : bits::buffers;
      const std::vector<std::uint64_t> places(size, place);
      access(w, s_, LaneSet::lane(lane_), {kind, name, shared, 4, {scope, semantics | storages}},
             places);
    };
    const auto other_invocation = [&] {
      s_ = pick(subgroups);
      lane_ = static_cast<int>(pick(size));
    };
    other_invocation();
    act(Event::Kind::write, "", number, 0);
    act(Event::Kind::atomic, pick(2) == 0 ? "atomicStore" : "atomicAdd", flag, bits::release);
    for (std::uint32_t k = pick(3); k-- > 0;) {
      other_invocation();
      constexpr std::string_view names[] = {"atomicStore", "atomicAdd", "atomicLoad"};
      act(Event::Kind::atomic, names[pick(3)], flag, pick(3) == 0 ? bits::release : 0);
    }
    other_invocation();
    act(Event::Kind::atomic, pick(2) == 0 ? "atomicLoad" : "atomicAdd", flag, bits::acquire);
    act(Event::Kind::read, "", number, 0);
  }

  std::mt19937 random_;
  int barriers_ = 0;
  std::uint32_t s_ = 0;  ///< the invocation that passes a message
  int lane_ = 0;
};

/// Happens-before for one storage class, as a matrix.
class Model {
 public:
  Model(const std::vector<Node>& nodes, std::uint32_t storage)
      : nodes_(nodes), storage_(storage), before_(nodes.size(), std::vector<bool>(nodes.size())) {
    const std::size_t n = nodes.size();
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < n; ++b)
        before_[a][b] = (a < b && nodes[a].invocation == nodes[b].invocation) || edge(a, b);
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = 0; before_[a][k] && b < n; ++b)
          if (before_[k][b]) before_[a][b] = true;
  }
  bool before(std::size_t a, std::size_t b) const { return before_[a][b]; }

 private:
  bool covers(const Node& node) const { return (node.order.semantics & storage_) != 0; }
  bool in_scopes(const Node& a, const Node& b) const {
    return include(a.order.scope, a, b) && include(b.order.scope, a, b);
  }
  bool later(std::size_t a, std::size_t b) const {
    return a < b && nodes_[a].invocation == nodes_[b].invocation;
  }

  /// Whether `from` releases what `to` acquires.
  bool edge(std::size_t from, std::size_t to) const {
    const Node &a = nodes_[from], &b = nodes_[to];
    if (a.invocation == b.invocation) return false;
    if (b.barrier >= 0) {
      if (a.barrier == b.barrier)
        return covers(a) && releases(a.order) && reach(a.order.scope) >= reach(a.execution);
      if (!a.fence || !covers(a) || !releases(a.order) || reach(a.order.scope) < reach(b.execution))
        return false;
      for (std::size_t k = from; k < nodes_.size(); ++k)
        if (later(from, k) && nodes_[k].barrier == b.barrier) return true;
      return false;
    }
    if (!covers(a) || !covers(b) || !releases(a.order) || !acquires(b.order)) return false;
    // Release and acquire are an atomic's own, or those of a memory barrier before and after it.
    for (std::size_t x = from; x < nodes_.size(); ++x) {
      if (!(a.fence ? later(from, x) : x == from)) continue;
      if (!nodes_[x].atomic || !nodes_[x].changes) continue;
      for (std::size_t y = 0; y <= to; ++y) {
        if (!(b.fence ? later(y, to) : y == to)) continue;
        if (nodes_[y].atomic && nodes_[y].reads && in_scopes(a, b) && in_scopes(a, nodes_[y]) &&
            in_scopes(nodes_[x], nodes_[y]) && reads_from(x, y))
          return true;
      }
    }
    return false;
  }
  static bool same_place(const Node& a, const Node& b) {
    return a.access && b.access && a.shared == b.shared && a.begin == b.begin;
  }
  /// Whether y reads what x wrote, or what updates made of it.
  bool reads_from(std::size_t x, std::size_t y) const {
    if (x >= y || !same_place(nodes_[x], nodes_[y])) return false;
    if (nodes_[x].shared && nodes_[x].invocation / lanes_each != nodes_[y].invocation / lanes_each)
      return false;
    for (std::size_t k = x + 1; k < y; ++k) {
      const Node& n = nodes_[k];
      if (same_place(n, nodes_[x]) && n.changes && !(n.atomic && n.reads)) return false;
    }
    return true;
  }

  const std::vector<Node>& nodes_;
  std::uint32_t storage_;
  std::vector<std::vector<bool>> before_;
};

bool conflict(const Node& a, const Node& b) {
  if (!a.access || !b.access || a.shared != b.shared || a.invocation == b.invocation) return false;
  if (a.shared && a.invocation / lanes_each != b.invocation / lanes_each) return false;
  if (a.begin >= b.begin + b.bytes || b.begin >= a.begin + a.bytes) return false;
  if (!a.changes && !b.changes) return false;
  const bool together = a.atomic && b.atomic && a.begin == b.begin && a.bytes == b.bytes &&
                        include(a.order.scope, a, b) && include(b.order.scope, a, b);
  return !together;
}

/// The lines of all races, the earlier access first.
std::vector<std::pair<int, int>> all_races(const Program& program) {
  const Model buffers(program.nodes, bits::buffers), shared(program.nodes, bits::shared);
  std::vector<std::pair<int, int>> races;
  for (std::size_t b = 0; b < program.nodes.size(); ++b) {
    for (std::size_t a = 0; a < b; ++a) {
      const Model& model = program.nodes[a].shared ? shared : buffers;
      if (conflict(program.nodes[a], program.nodes[b]) && !model.before(a, b))
        races.emplace_back(program.nodes[a].event, program.nodes[b].event);
    }
  }
  return races;
}

constexpr Checks races{Check::data_race, Check::lockstep_exchange,
                       Check::barrier_orders_shared_only, Check::atomic_mixed, Check::atomic_scope};

}  // namespace

TEST_CASE("races: the first of a random program, and none where there is none, as in the model") {
  int racy = 0, ordered = 0;
  for (std::uint32_t seed = 1; seed <= 12000; ++seed) {
    const Program program(seed);
    const auto expected = all_races(program);
    Checker checker(races, size);
    FaultLog found;
    int event = 0;
    for (; event < static_cast<int>(program.events.size()) && found.count() == 0;) {
      checker.on(program.events[static_cast<std::size_t>(event++)]);
      found = checker.take();
    }
    INFO("seed " << seed << ", " << found);
    if (expected.empty()) {
      REQUIRE(found.count() == 0);
      ++ordered;
      continue;
    }
    ++racy;
    REQUIRE(found.count() > 0);
    const auto first = std::ranges::min(expected, {}, [](const auto& race) { return race.second; });
    REQUIRE(event == first.second);
    for (const Finding& finding : found.findings()) {
      REQUIRE(finding.other);
      const std::pair race(finding.other->where.line, finding.where.line);
      REQUIRE(std::ranges::find(expected, race) != expected.end());
    }
  }
  CHECK(racy > 1200);
  CHECK(ordered > 1200);
}
