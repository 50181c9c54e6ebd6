#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

/// \file
/// Which unit was when: orders that explain the most of what was seen.

namespace lockstep::judgement {

/// No slot, or no option.
inline constexpr std::size_t nothing = ~std::size_t{0};

/// An option of a unit: the slot that it takes, and how much of what was seen contradicts it.
struct SlotOption {
  std::size_t slot = nothing;
  std::size_t misses = 0;
};
/// An option of a unit: the number that it finds, and the number that it leaves.
struct LinkOption {
  std::uint64_t from = 0, to = 0;
  std::size_t misses = 0;
};

/// A legal choice for all units.
struct Assigned {
  /// Of each unit: which of its options; nothing where none is left.
  std::vector<std::size_t> option;
  bool fits = false;               ///< nothing contradicts it
  bool is_proven = true;           ///< if it does not fit: no choice does
  std::vector<std::size_t> empty;  ///< slots that must be taken, and are not
  std::uint64_t last = 0;          ///< of links: what is left at the end
};

/// Each unit takes one option and each slot has one unit at most. `required` slots have one.
///
/// Requires      Slots are below the number of `required`.
/// Active lanes  None.
/// Errors        None.
/// Cost          O(units * options): a matching. What does not fit is placed where the least contradicts it.
/// Spec          None.
/// Example       tests/judgement/assignment.cpp
Assigned take_slots(const std::vector<std::vector<SlotOption>>& units,
                    const std::vector<bool>& required);

/// All units in a row: each finds what the one before it left, the first one `first`; the last one leaves `last`.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        None.
/// Cost          O(units * options) where few options fit. It gives up after some 100,000 steps.
/// Spec          None.
/// Example       tests/judgement/assignment.cpp
Assigned follow_links(const std::vector<std::vector<LinkOption>>& units, std::uint64_t first,
                      std::optional<std::uint64_t> last);

}  // namespace lockstep::judgement
