#pragma once

#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "judgement/rerun.hpp"
#include "oracle/bounds.hpp"
#include "shader/run/atomic_guide.hpp"

/// \file
/// Runs in which atomics return what another device may have got.

namespace lockstep::judgement {

/// A byte of a part, or of the shared memory of a workgroup.
struct Location {
  static constexpr std::size_t in_shared_memory = ~std::size_t{0};

  std::size_t part = 0;
  std::uint64_t object = 0;  ///< of shared memory: which, and of which workgroup
  std::uint64_t byte = 0;
  friend auto operator<=>(const Location&, const Location&) = default;
};

/// A number that atomics update, between two plain stores to it.
struct Cell {
  Location at;
  std::uint32_t epoch = 0;  ///< the number of stores before
  friend auto operator<=>(const Cell&, const Cell&) = default;
};

/// An atomic that was made.
struct Turn {
  Cell cell;
  spirv::Operator op = spirv::Operator::add;
  std::uint32_t bytes = 0;
  std::uint64_t value = 0, compare = 0;
  std::uint64_t memory = 0;                    ///< what was there
  bool ordered = false;                        ///< as AtomicTurn::ordered
  std::optional<std::uint64_t> returned = {};  ///< what it was told to return

  /// What it makes of a number.
  std::uint64_t after(std::uint64_t before) const;
};

/// A plain store to a part.
struct Store {
  Location at;
  std::size_t bytes = 0;
  std::uint64_t bits = 0;
  oracle::Allowed allowed = {};  ///< what devices may store in this order of atomics
};

/// What may depend on what an atomic returned to one of them.
enum class Together : std::uint8_t { invocation, subgroup, workgroup };
/// The invocations that are together, by a number.
using Unit = std::uint64_t;

/// What a unit did in a run.
struct Path {
  std::vector<std::uint32_t> options;  ///< of each guided atomic: how many results it may have
  std::vector<Turn> turns;
  std::vector<Store> stores;
};

/// What atomics may return.
class Returns {
 public:
  virtual ~Returns() = default;
  /// The numbers that an atomic may return, none twice; null if it returns what memory has.
  virtual const std::vector<std::uint64_t>* of(const Turn& turn) = 0;
};

/// A run whose atomics return what is decided.
///
/// Requires      One run each.
/// Active lanes  As in the shader.
/// Errors        Throws Error where the shader does not come to its end, and TooLong after the time that is given.
/// Cost          A run with an observer of its accesses and, if it is guided, bounds.
/// Spec          None.
/// Example       tests/judgement/orders.cpp
class GuidedRun : public spirv::AtomicGuide {
 public:
  using Clock = std::chrono::steady_clock;
  struct TooLong : std::runtime_error {
    using std::runtime_error::runtime_error;
  };
  /// Which of the numbers that they may return atomics return, by unit; those without an entry the first one.
  using Decisions = std::map<Unit, std::vector<std::uint32_t>>;
  /// A plain load of what the unit itself did not store: which one of that place it is, and what it gave.
  struct Load {
    Unit unit = 0;
    Location at;
    std::size_t number = 0;
    std::uint64_t bits = 0;
  };

  /// Without `returns` nothing is guided.
  GuidedRun(const Rerun& rerun, Together together, Returns* returns, Decisions decisions,
            Clock::time_point end)
      : rerun_(rerun),
        together_(together),
        returns_(returns),
        decisions_(std::move(decisions)),
        end_(end) {}

  void run();

  const std::map<Unit, Path>& paths() const { return paths_; }
  const std::vector<Load>& loads() const { return loads_; }
  /// What each cell had before its first atomic.
  const std::map<Cell, std::uint64_t>& initial() const { return initial_; }
  Contents& contents() { return contents_; }
  /// What devices may leave where atomics return this.
  const oracle::Bounds& bounds() const { return bounds_; }
  /// Whether all memory that it accesses belongs to a part or a workgroup, in numbers of up to 64 bits, it stores none
  /// in images, and what atomics return is exact.
  bool is_clear() const { return clear_; }

  std::optional<std::uint64_t> returned(const spirv::AtomicTurn& turn) override;
  void on(const Event& event) override;
  Interest interest() const override {
    return {{Event::Kind::read, Event::Kind::write, Event::Kind::atomic, Event::Kind::trip},
            true,
            false};
  }

 private:
  struct Range {
    const std::byte* begin = nullptr;
    std::size_t bytes = 0, part = 0;
  };

  Unit unit_of(const std::array<std::uint32_t, 3>& workgroup, std::uint32_t subgroup,
               int lane) const;
  std::optional<Location> location_of(const MemoryObject& object, const std::byte* at,
                                      std::uint64_t byte,
                                      const std::array<std::uint32_t, 3>& workgroup) const;
  std::uint64_t number_of(const std::array<std::uint32_t, 3>& workgroup) const;
  void note(const Event& event, int lane, std::uint32_t number);
  oracle::Allowed allowed_at(const std::byte* at);
  void look_at_clock();

  const Rerun& rerun_;
  Together together_;
  Returns* returns_;
  Decisions decisions_;
  Clock::time_point end_;
  std::uint64_t events_ = 0;
  bool clear_ = true;
  Contents contents_;
  oracle::Bounds bounds_;
  oracle::Memory::Followed followed_;
  std::vector<Range> ranges_;
  std::map<Unit, Path> paths_;
  std::vector<Load> loads_;
  std::map<std::pair<Unit, Location>, std::size_t> loaded_;  ///< how often
  std::map<Cell, std::uint64_t> initial_;
  std::map<Location, std::uint32_t> epochs_;
  std::map<Location, Unit> writers_;
};

}  // namespace lockstep::judgement
