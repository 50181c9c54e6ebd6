#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "judgement/guided_run.hpp"
#include "judgement/updates.hpp"

/// \file
/// What each unit does for each number that its atomics may return.

namespace lockstep::judgement {

/// One way of a unit.
struct KnownPath {
  std::vector<std::uint32_t> decisions;
  std::vector<Turn> turns;        ///< those that are guided
  std::vector<Location> missing;  ///< where it stores what the device does not have
};

/// Follows all ways of all units, many units at a time.
///
/// Requires      The updates come from a first run with the same units.
/// Active lanes  As in the shader.
/// Errors        As GuidedRun.
/// Cost          As many runs as a unit has ways.
/// Spec          None.
/// Example       tests/judgement/orders.cpp
class KnownPaths {
 public:
  enum class Outcome : std::uint8_t {
    complete,
    dependent,  ///< what a unit does depends on what others were told
    unknown,    ///< not all was tried, or it is not understood
  };
  /// No unit has more ways.
  static constexpr std::size_t most_runs = 2000;
  /// Whether the device has what a store leaves; nothing if that cannot be said.
  using Compare = std::function<std::optional<bool>(const Store&)>;

  KnownPaths(const Rerun& rerun, Updates& updates, Together together, Compare compare,
             GuidedRun::Clock::time_point end)
      : rerun_(rerun),
        updates_(updates),
        together_(together),
        compare_(std::move(compare)),
        end_(end) {}

  Outcome follow();

  const std::map<Unit, std::vector<KnownPath>>& all() const { return known_; }
  /// Whether the device must have what the unit stores there that takes this way: no other one can replace it.
  bool is_exclusive(const Location& at) const;
  /// Whether any way stores there.
  bool is_stored(const Location& at) const { return writers_.contains(at); }
  /// Whether any way makes an atomic there that is not guided.
  bool is_updated(const Location& at) const { return updated_.contains(at); }
  /// How much of what the device has contradicts a way.
  std::size_t misses(const KnownPath& path) const;

 private:
  /// The part of a counter that a unit has taken: others have others.
  struct Share {
    Cell cell;
    std::uint64_t begin = 0, end = 0;
  };
  struct Writers {
    Unit first = 0;
    bool several = false, comparable = true;
    std::optional<Share> common = {};  ///< what all that write there have taken
  };

  bool add(const GuidedRun& run);
  bool add(Unit unit, const Path& path, const std::vector<std::uint32_t>& decided);
  std::optional<Share> share_of(const KnownPath& path) const;
  bool note_store(const Store& store, Unit unit, const std::optional<Share>& share,
                  bool comparable);
  bool depends_on_others(const GuidedRun& run);

  const Rerun& rerun_;
  Updates& updates_;
  Together together_;
  Compare compare_;
  GuidedRun::Clock::time_point end_;
  std::map<Unit, std::vector<KnownPath>> known_;
  GuidedRun::Decisions next_;
  std::set<Unit> over_;
  std::size_t paths_ = 0;
  std::map<Location, Writers> writers_;
  std::set<Location> updated_;
  std::map<std::size_t, std::size_t> sizes_;  ///< of numbers, by part
  std::map<std::tuple<Unit, Location, std::size_t>, std::uint64_t> loaded_;
};

}  // namespace lockstep::judgement
