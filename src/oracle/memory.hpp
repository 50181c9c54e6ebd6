#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "oracle/allowed.hpp"
#include "oracle/field.hpp"
#include "oracle/placements.hpp"

namespace lockstep::oracle {

/// What words of memory may hold on a device: of each that is not exact, by its address in this process.
class Memory {
 public:
  /// What the number of that many bytes at an address may be.
  Allowed load(const std::byte* at, std::size_t bytes) const;
  /// The same, whoever else may write there.
  Allowed stored(const std::byte* at, std::size_t bytes) const;
  void store(const std::byte* at, std::size_t bytes, const Allowed& allowed);

  /// Whether all of a range is what the reference has.
  bool is_exact(const std::byte* at, std::size_t bytes) const;

  /// A word of 32 bits with several numbers, which may be all that its fields may be.
  void store_fields(const std::byte* at, std::vector<Field> fields, std::uint32_t origin);
  /// The fields of the word at an address, if it was stored so.
  const std::vector<Field>* fields(const std::byte* at) const;

  /// From now on something may have been written anywhere in a range: why and where is in `reason`. If `placed` it is one
  /// of the values in `placements`.
  void taint(const std::byte* begin, std::size_t bytes, const Allowed& reason, bool placed = false);
  /// The same for all memory.
  void taint_everything(const Allowed& reason);
  /// Why something may have been written to an address; exact if nothing may.
  Allowed tainted(const std::byte* at) const;

  /// Forgets what a range holds; what is not written from now on is `blank`.
  void clear(const std::byte* begin, std::size_t bytes, const Allowed& blank);

  /// A run whose atomics return what they did on a device. Nothing in it depends on their order.
  struct Followed {
    bool inexact_atomics =
        false;  ///< what some return may be another number on the device nevertheless
    /// What the last store wrote, with what devices may have instead.
    std::vector<std::pair<const std::byte*, Allowed>> stored = {};
  };
  void follow(Followed* followed) { followed_ = followed; }
  /// Null where atomics return what the order of this run gives.
  Followed* followed() const { return followed_; }

  Placements& placements() { return placements_; }
  const Placements& placements() const { return placements_; }

 private:
  struct Cell {
    std::size_t bytes = 0;
    Allowed allowed;
  };
  struct Range {
    std::uintptr_t begin = 0, end = 0;
    Allowed reason;
    bool has(std::uintptr_t at) const { return begin <= at && at < end; }
  };
  using Cells = std::map<std::uintptr_t, Cell>;

  static std::uintptr_t number(const std::byte* at) { return reinterpret_cast<std::uintptr_t>(at); }
  /// The first cell that ends behind an address.
  Cells::const_iterator first_at(std::uintptr_t at) const;
  static const Range* find(const std::vector<Range>& ranges, std::uintptr_t at);

  void forget_fields(std::uintptr_t begin, std::uintptr_t end);

  Cells cells_;
  std::map<std::uintptr_t, std::vector<Field>> fields_;
  std::vector<Range> taints_, blanks_;
  Placements placements_;
  Followed* followed_ = nullptr;
};

}  // namespace lockstep::oracle
