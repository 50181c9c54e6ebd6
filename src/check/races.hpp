#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <lockstep/exec/checks.hpp>

#include "check/judge.hpp"
#include "check/order.hpp"
#include "check/shadow.hpp"

namespace lockstep::judges {

/// Finds accesses of different invocations to the same bytes that nothing orders: data races and their relatives.
///
/// Requires      One dispatch, whose workgroups run one after another.
/// Active lanes  Those of the events; lanes of one subgroup race as others do.
/// Errors        None.
/// Cost          A look at the last accesses of each word of four bytes, once for lanes that read the same word.
/// Spec          Vulkan memory model: data race
/// Example       tests/check/races.cpp
class Races : public Judge {
 public:
  static constexpr Checks rules{
      Check::data_race,    Check::lockstep_exchange, Check::barrier_orders_shared_only,
      Check::atomic_mixed, Check::atomic_scope,      Check::not_coherent};

  Races(Checks checks, int subgroup_size) : checks_(checks), order_(subgroup_size) {}

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
    bool coherent = false;
    std::string_view name;  ///< of an atomic
  };

  /// One end of a race.
  struct End {
    Who who;
    Clock clock;
    std::uint32_t site;
  };

  /// The races between two sites.
  struct Race {
    Check check;
    std::uint32_t before, now;
    Finding finding;
  };

  void start(const Event& event);
  void access(const Event& event);
  void touch_words(Touch& now, const Access& access, std::uint64_t byte, Storage storage);
  void touch(Word& word, const Touch& now, Storage storage, std::uintptr_t address);
  void pass(Touch& old, const Touch& now, LaneSet known, Storage storage, std::uintptr_t address);
  void judge(const Touch& old, const Touch& now, int lane, LaneSet before, Storage storage,
             std::uintptr_t address);
  void report(Check check, const End& before, const End& now, std::uintptr_t address);
  Finding finding(Check check, const End& before, const End& now, std::uintptr_t address) const;
  Check rule_of(const End& before, const End& now, Storage storage);
  bool conflict(const Touch& a, const Touch& b) const;
  Who who(const Touch& touch, int lane) const {
    return {touch.workgroup,
            touch.subgroup * order_.subgroup_size() + static_cast<std::uint32_t>(lane)};
  }
  std::uint32_t site_of(const Event& event);
  std::string text_of(Who who) const;

  Checks checks_;
  Order order_;
  std::vector<Size3> workgroups_;  ///< in the order in which they started
  std::vector<Site> sites_;
  std::vector<Race> races_;
  Shadow memory_, shared_;
};

}  // namespace lockstep::judges
