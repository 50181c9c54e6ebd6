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
/// Cost          A look at the last accesses of each word of four bytes.
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

  /// The races between two sites.
  struct Race {
    Check check;
    std::uint32_t before, now;
    Finding finding;
  };

  void start(const Event& event);
  void access(const Event& event);
  void touch(Word& word, const Touch& now, Storage storage, std::uintptr_t address);
  void report(Check check, const Touch& before, const Touch& now, std::uintptr_t address);
  Finding finding(Check check, const Touch& before, const Touch& now, std::uintptr_t address) const;
  Check rule_of(const Touch& before, const Touch& now, Storage storage);
  bool conflict(const Touch& a, const Touch& b) const;
  std::uint32_t site_of(const Event& event);
  std::string text_of(const Touch& touch) const;

  Checks checks_;
  Order order_;
  std::vector<Size3> workgroups_;  ///< in the order in which they started
  std::vector<Site> sites_;
  std::vector<Race> races_;
  Shadow memory_, shared_;
};

}  // namespace lockstep::judges
