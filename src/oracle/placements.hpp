#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "oracle/allowed.hpp"

/// \file
/// What a run stored where the order of atomics decides.

namespace lockstep::oracle {

/// A number of a run, and what devices may have instead.
struct StoredValue {
  const std::byte* at = nullptr;  ///< null: outside
  std::uint64_t bits = 0;
  Allowed allowed = {};
};

/// Notes of a run: which values went where an atomic's result says, which results of atomics were stored, and where anything
/// may be. With them, values that another order gives can be told from values that no order gives.
class Placements {
 public:
  /// A number that atomics update.
  struct Counter {
    std::uint64_t initial = 0, step = 0;
    std::uint64_t most = 0;  ///< all of its bits
    std::size_t turns = 0;
    bool plain = true;  ///< each of them adds `step` and nothing else happens to it
  };
  /// Where one store may go: each `stride` bytes from `first` on, below `end`.
  struct Reach {
    const std::byte* first = nullptr;
    std::uint64_t stride = 0;
    const std::byte* end = nullptr;
    std::size_t bytes = 0;  ///< of a number
  };
  /// The values of one store.
  struct Placed {
    Reach reach = {};
    std::vector<StoredValue> values = {};
    std::uint32_t counter = 0;  ///< whose results alone are its indices; 0: none
    std::map<std::uint64_t, std::size_t> slots = {};  ///< of values, by index
  };
  /// The results of atomics that one store stored, by address.
  struct Returned {
    std::uint32_t counter = 0;  ///< 0: of several
    std::size_t bytes = 0;
    std::map<const std::byte*, std::uint64_t> values = {};
  };

  /// An atomic's turn at a number; returns the counter's number. It has `before` then; `adds` something or does something else.
  std::uint32_t note_turn(const std::byte* at, std::size_t bytes, std::uint64_t before, bool adds,
                          std::uint64_t step);
  /// A store to where an atomic's result says. With a counter the index is its result.
  void note_placed(const void* store, std::size_t component, const Reach& reach,
                   const StoredValue& value, std::uint32_t counter, std::uint64_t index);
  /// What a number had that no atomic placed, before one did.
  void note_before(const StoredValue& value) { before_[value.at].push_back(value); }
  /// A store of an atomic's result.
  void note_returned(const void* store, std::size_t component, const StoredValue& value,
                     std::size_t bytes, std::uint32_t counter);
  /// Anything may be in a range.
  void note_unknown(const std::byte* begin, std::size_t bytes);
  /// Forgets a range, in which other numbers begin.
  void clear(const std::byte* begin, std::size_t bytes);

  const Counter& counter(std::uint32_t number) const { return counters_[number - 1]; }
  bool is_unknown(const std::byte* at, std::size_t bytes) const;
  const std::vector<StoredValue>* before(const std::byte* at) const;

  using Store = std::tuple<const void*, std::size_t, const std::byte*>;
  const std::map<Store, Placed>& placed() const { return placed_; }
  const std::map<Store, Returned>& returned() const { return returned_; }

 private:
  std::vector<Counter> counters_;
  std::map<const std::byte*, std::uint32_t> active_;  ///< numbers of counters, by address
  std::map<Store, Placed> placed_;
  std::map<Store, Returned> returned_;
  std::map<const std::byte*, std::vector<StoredValue>> before_;
  std::map<const std::byte*, const std::byte*> unknown_;  ///< ends by beginnings; no two meet
};

}  // namespace lockstep::oracle
