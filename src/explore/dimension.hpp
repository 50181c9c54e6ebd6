#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/exec/chooser.hpp>

/// \file
/// What a conforming implementation is free to choose: the dimensions of `lockstep explore`.

namespace lockstep::explore {

enum class Dimension : std::uint8_t {
  convergence,      ///< which lanes rejoin where nothing promises it
  switch_grouping,  ///< whether lanes with several labels of one case are together in it
  fallthrough,      ///< whether lanes that fall into a case join those that branch to it
  late_break,       ///< whether code before a break runs once, after the loop
  subgroup_size,
  mapping,            ///< which invocation is which lane
  partial_subgroups,  ///< which invocations are in which subgroup that has fewer than it has room for
  workgroup_order,    ///< in which workgroups start
  subgroup_order,     ///< in which the subgroups of a workgroup run between barriers
  side_order,         ///< in which the sides of a branch run
  atomic_order,       ///< in which the lanes of an atomic take effect
  reduction_order,    ///< in which a reduction of floats combines its values
  progress,           ///< which workgroups, subgroups and lanes go on while others wait for them
};
inline constexpr std::array all_dimensions = {
    Dimension::convergence,       Dimension::switch_grouping, Dimension::fallthrough,
    Dimension::late_break,        Dimension::subgroup_size,   Dimension::mapping,
    Dimension::partial_subgroups, Dimension::workgroup_order, Dimension::subgroup_order,
    Dimension::side_order,        Dimension::atomic_order,    Dimension::reduction_order,
    Dimension::progress};

/// Their names, which scripts depend on: "switch-grouping".
std::string_view to_string(Dimension dimension);
/// The one in which a chooser's answers are choices.
Dimension dimension_of(Choice choice);

/// Some of the dimensions.
class Dimensions {
 public:
  constexpr Dimensions() = default;

  static constexpr Dimensions all() {
    Dimensions dimensions;
    for (const Dimension d : all_dimensions) dimensions.add(d);
    return dimensions;
  }
  /// "mapping,subgroup-size". Throws Error for another word, and names those that there are.
  static Dimensions parse(std::string_view text);
  /// As parse(), for programs: also sizes, order, and all. These are those whose change changes no rounding and needs no
  /// subgroup that is partly filled.
  static Dimensions parse_for_programs(std::string_view text);

  constexpr bool has(Dimension d) const { return (bits_ & bit(d)) != 0; }
  constexpr void add(Dimension d) { bits_ = static_cast<std::uint16_t>(bits_ | bit(d)); }
  constexpr void remove(Dimension d) { bits_ = static_cast<std::uint16_t>(bits_ & ~bit(d)); }
  constexpr bool any() const { return bits_ != 0; }
  std::vector<Dimension> list() const;

  friend bool operator==(const Dimensions&, const Dimensions&) = default;

 private:
  static constexpr unsigned bit(Dimension d) { return 1u << static_cast<unsigned>(d); }

  std::uint16_t bits_ = 0;
};

/// The kinds of choice of some dimensions, in the order of these.
std::vector<Choice> choices_of(const Dimensions& dimensions);

}  // namespace lockstep::explore
