#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include <lockstep/exec/checks.hpp>

#include "runtime/check/detector.hpp"
#include "runtime/check/order.hpp"
#include "runtime/check/shadow.hpp"

namespace lockstep::detectors {

/// Whether an atomic orders nothing by itself, and lanes of a subgroup may make it at once.
inline bool is_relaxed(const MemoryOrder& order) {
  namespace bits = memory_semantics;
  constexpr std::uint32_t orders =
      bits::acquire | bits::release | bits::acquire_release | bits::sequentially_consistent;
  return (order.semantics & orders) == 0 && order.scope != Scope::invocation;
}

/// Finds accesses of different invocations to the same bytes that nothing orders: data races and their relatives.
///
/// Requires      One dispatch, whose workgroups run one after another.
/// Active lanes  Those of the events; lanes of one subgroup race as others do.
/// Errors        None.
/// Cost          A look at the last accesses of each word of four bytes, once for lanes that read the same word, and
///               once for words that lanes access in a row, each as far from the last, and accessed alike before.
/// Spec          Vulkan memory model: data race
/// Example       tests/check/races.cpp
class Races : public Detector {
 public:
  static constexpr Checks rules{
      Check::data_race,    Check::lockstep_exchange, Check::barrier_orders_shared_only,
      Check::atomic_mixed, Check::atomic_scope,      Check::not_coherent};

  /// Whether rows of words are examined as one. What is found is the same.
  enum class Rows { together, word_by_word };

  Races(Checks checks, int subgroup_size, Rows rows = Rows::together)
      : checks_(checks), rows_(rows), order_(subgroup_size) {}

  void on(const Event& event) override;
  Interest interest() const override;
  void end(FaultLog& findings) override;

 private:
  /// A place in the source, and what is accessed there and how.
  struct Site {
    SourceLocation where;
    MemoryObject object;
    const std::byte* data = nullptr;
    AccessKind kind = AccessKind::read;
    Scope scope{};
    std::string_view name;  ///< of an atomic
  };

  /// What a subgroup knows of another: the least and the greatest clock of its lanes.
  struct Range {
    Knowledge knowledge;
    std::uint32_t workgroup = 0, subgroup = 0;
    Clock least = 0, greatest = 0;
  };

  /// What a subgroup knows of its workgroup: the greatest clock.
  struct Latest {
    Knowledge knowledge;
    std::uint32_t workgroup = ~std::uint32_t{0};
    Clock clock = 0;
    bool others = false;       ///< it knows something of other workgroups
    std::uint32_t number = 0;  ///< of this knowledge, from 1
  };

  /// One end of a race.
  struct End {
    Who who;
    Clock clock;
    std::uint32_t site;
  };

  /// The races between two sites, whichever access came first in the run.
  struct Race {
    Check check;
    std::uint32_t before, now;
    Finding finding;
  };

  class Row;  ///< the words that lanes access in a row

  void start(const Event& event);
  void access(const Event& event);
  void access_by_lanes(const Event& event, Touch& now, LaneSet changes, Storage storage);
  bool can_be_rows(const Event& event, Storage storage) const;
  void access_in_rows(const Event& event, Touch& now, LaneSet changes, Storage storage,
                      const Order::Group& group);
  void update_latest(const Touch& now, const Knowledge& knowledge);
  bool add_atomic(Touch& now, std::uintptr_t word, Storage storage, const Order::Group& group);
  void touch_words(Touch& now, const Access& access, std::uint64_t byte, Storage storage);
  void touch(Shadow::Id& id, std::uintptr_t word, const Touch& now, Storage storage,
             std::uintptr_t address);
  void pass(Touch& old, const Touch& now, LaneSet known, Storage storage, std::uintptr_t address);
  bool pass_alike(Touch& old, const Touch& now, LaneSet known, const Knowledge& knowledge,
                  Storage storage);
  LaneSet included(const Knowledge& knowledge, LaneSet lanes, const Touch& old);
  void examine(const Touch& old, const Touch& now, int lane, LaneSet before, Storage storage,
               std::uintptr_t address);
  void report(Check check, const End& before, const End& now, std::uintptr_t address);
  Finding finding(Check check, const End& before, const End& now, std::uintptr_t address);
  Check rule_of(const End& before, const End& now, Storage storage);
  /// Whether two unordered accesses of different invocations to common bytes are a race.
  static bool conflict(const Touch& a, const Touch& b) {
    const bool like = a.kind == AccessKind::atomic && b.kind == AccessKind::atomic &&
                      a.bytes == b.bytes && a.size == b.size;
    if (like && a.scope == Scope::device && b.scope == Scope::device) return false;
    return (a.changes || b.changes) && (!like || apart(a, b));
  }
  static bool apart(const Touch& a, const Touch& b) {
    return apart(narrower(a.scope, b.scope), a, b);
  }
  static bool apart(Scope scope, const Touch& a, const Touch& b);
  static bool is_stale(const Touch& old, const Touch& now, Storage storage);
  Shadow& shadow_of(Storage storage) { return storage == Storage::shared ? shared_ : memory_; }
  Who who(const Touch& touch, int lane) const {
    return {touch.workgroup,
            touch.subgroup * order_.subgroup_size() + static_cast<std::uint32_t>(lane)};
  }
  std::uint32_t site_of(const Event& event);
  std::string text_of(Who who) const;

  Checks checks_;
  Rows rows_;
  Order order_;
  std::vector<Size3> workgroups_;  ///< in the order in which they started
  std::vector<Site> sites_;
  std::size_t last_site_ = 0;  ///< found last
  std::vector<Race> races_;
  std::array<Range, 64> ranges_;  ///< those asked for last
  Latest latest_;
  Shadow memory_, shared_;
};

}  // namespace lockstep::detectors
