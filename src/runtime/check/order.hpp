#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include <lockstep/exec/event.hpp>
#include <lockstep/exec/memory_order.hpp>

#include "runtime/check/clocks.hpp"

/// \file
/// Which accesses happen before which: barriers, fences and atomics.

namespace lockstep::detectors {

/// Memory that barriers and atomics order together, and the order of execution barriers alone.
enum class Storage : std::uint8_t { buffers, shared, images, execution };
inline constexpr std::size_t memory_storages = 3;

/// Whether both scopes, each of its invocation, include the other invocation. Needs the subgroup size.
bool in_scope(Scope scope, Who a, Who b, std::uint32_t subgroup_size);
/// The smaller of two scopes.
Scope narrower(Scope a, Scope b);

/// Happens-before among the invocations of the running workgroup and those of earlier ones.
///
/// Clocks are kept for each storage class, since ordering through one is none for another. Of the GLSL idiom
/// `memoryBarrierBuffer(); barrier();` the memory barrier before is enough: an acquire after it is not required,
/// nor is it by compilers.
///
/// Requires      Events of one workgroup after another.
/// Active lanes  Those of the events.
/// Errors        None.
/// Cost          A barrier takes as long as its invocations are many, an access one look. While the invocations of a
///               subgroup do alike, they are one.
/// Spec          Vulkan memory model: synchronizes-with, happens-before
/// Example       tests/check/races.cpp
class Order {
 public:
  explicit Order(int subgroup_size) : size_(static_cast<std::uint32_t>(subgroup_size)) {}

  /// What the invocations of a subgroup have in common.
  struct Group {
    std::uint32_t workgroup = ~std::uint32_t{0};  ///< of which the rest is
    LaneSet lanes;                                ///< that started
    bool alike = true;  ///< the rest holds for all of them, and none has anything to release
    Clock clock = 1;
    std::array<Knowledge, memory_storages + 1> knows;
  };

  /// The next workgroup starts.
  void start_workgroup();
  /// A subgroup of it starts with these lanes.
  void start_subgroup(std::uint32_t subgroup, LaneSet lanes) { group(subgroup).lanes = lanes; }
  std::uint32_t workgroup() const { return workgroup_; }

  Who who(std::uint32_t subgroup, int lane) const {
    return {workgroup_, subgroup * size_ + static_cast<std::uint32_t>(lane)};
  }
  /// What a subgroup of the running workgroup has in common; null if its invocations differ.
  const Group* alike(std::uint32_t subgroup) {
    const Group& g = group(subgroup);
    return g.alike ? &g : nullptr;
  }
  /// The clock of an invocation of the running workgroup.
  Clock clock(Who who) {
    const Group& g = group(who.invocation / size_);
    return g.alike ? g.clock : of(who).clock;
  }
  /// What an invocation of the running workgroup knows of the others.
  const Knowledge& knowledge(Who who, Storage storage) {
    const Group& g = group(who.invocation / size_);
    return (g.alike ? g.knows : of(who).knows)[static_cast<std::size_t>(storage)];
  }
  /// Whether what `before` did at the clock happens before what `now`, in the running workgroup, does next.
  bool ordered(Who before, Clock clock, Who now, Storage storage) {
    return knowledge(now, storage).includes(before, clock);
  }
  std::uint32_t subgroup_size() const { return size_; }

  /// A subgroup arrives at a workgroup barrier; it is passed with the subgroup's next event.
  void arrive(std::uint32_t subgroup, const Event& barrier);
  /// Any event of a subgroup: it has passed the barrier at which it waited.
  void go_on(std::uint32_t subgroup) {
    if (!waiting_.empty()) pass_barrier(subgroup);
  }
  /// A memory barrier, or a barrier of the subgroup.
  void sync(std::uint32_t subgroup, const Event& event);
  /// An atomic of one invocation reads a location, and acquires: before the access itself is examined.
  void atomic_reads(Who who, const std::byte* location, bool shared, const MemoryOrder& order);
  /// It has written the location, and releases; a store, which does not read, releases nothing of others.
  void atomic_writes(Who who, const std::byte* location, bool shared, const MemoryOrder& order,
                     bool store);
  /// Whether atomics on relaxed terms acquire and release nothing: no atomic has released anything, and a subgroup
  /// that is alike has nothing to release.
  bool has_releases(bool shared) const {
    return !(shared ? shared_locations_ : locations_).empty();
  }
  /// A write that is no atomic: what atomics read there later is not what they released.
  void write(const std::byte* location, bool shared) {
    auto& locations = shared ? shared_locations_ : locations_;
    if (!locations.empty()) [[unlikely]]
      locations.erase(location);
  }

 private:
  static constexpr std::size_t storages = memory_storages + 1;

  /// What a release published.
  struct Release {
    Knowledge knowledge;
    Scope scope;
    Who who;
  };
  using Releases = std::vector<Release>;
  /// An invocation of a subgroup whose invocations are not alike.
  struct Invocation {
    Clock clock = 1;
    std::array<Knowledge, storages> knows;
    std::array<Releases, memory_storages>
        released;                                ///< by memory barriers: at most one of each scope
    std::array<Releases, memory_storages> read;  ///< by atomics, for a later acquire
  };
  struct Waiting {
    std::uint32_t subgroup;
    LaneSet lanes;
    Sync sync;
  };
  using Location = std::array<Releases, memory_storages>;

  Group& group(std::uint32_t subgroup) {
    if (subgroup >= groups_.size()) groups_.resize(subgroup + 1);
    Group& g = groups_[subgroup];
    if (g.workgroup != workgroup_) begin(g);
    return g;
  }
  /// A subgroup of the running workgroup that has done nothing yet.
  void begin(Group& g) const {
    g.workgroup = workgroup_;
    g.lanes = {};
    g.alike = true;
    g.clock = 1;
    for (Knowledge& knowledge : g.knows) knowledge = {};
  }
  /// The invocation itself: those of its subgroup are no longer alike.
  Invocation& of(Who who) {
    Group& g = group(who.invocation / size_);
    if (g.alike) [[unlikely]]
      set_apart(who.invocation / size_, g);
    return invocations_[who.invocation];
  }
  void pass_barrier(std::uint32_t subgroup);
  void set_apart(std::uint32_t subgroup, Group& g);
  bool join_alike(const std::vector<Waiting>& together, const Sync& sync, Scope execution);
  void join(const std::vector<Waiting>& waiting, const Sync& sync, Scope execution);
  void fence(Who who, const MemoryOrder& order);
  void acquire(Who who, std::size_t storage, const Releases& releases, Scope scope);
  /// What the invocation knows, and itself.
  Knowledge own(Who who, std::size_t storage);
  void add(Releases& to, Release release) const;

  std::uint32_t size_;
  std::uint32_t workgroup_ = ~std::uint32_t{0};
  std::vector<Group> groups_;
  std::vector<Invocation> invocations_;  ///< of subgroups that are not alike
  std::vector<Waiting> waiting_;
  std::unordered_map<const std::byte*, Location> locations_, shared_locations_;
};

}  // namespace lockstep::detectors
