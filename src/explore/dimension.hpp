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
  subgroup_size,
  mapping,          ///< which invocation is which lane
  workgroup_order,  ///< in which workgroups start
};
inline constexpr std::array all_dimensions = {Dimension::convergence, Dimension::switch_grouping,
                                              Dimension::fallthrough, Dimension::subgroup_size,
                                              Dimension::mapping,     Dimension::workgroup_order};

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

  constexpr bool has(Dimension d) const { return (bits_ & bit(d)) != 0; }
  constexpr void add(Dimension d) { bits_ = static_cast<std::uint8_t>(bits_ | bit(d)); }
  constexpr void remove(Dimension d) { bits_ = static_cast<std::uint8_t>(bits_ & ~bit(d)); }
  constexpr bool any() const { return bits_ != 0; }
  std::vector<Dimension> list() const;

  friend bool operator==(const Dimensions&, const Dimensions&) = default;

 private:
  static constexpr unsigned bit(Dimension d) { return 1u << static_cast<unsigned>(d); }

  std::uint8_t bits_ = 0;
};

}  // namespace lockstep::explore
