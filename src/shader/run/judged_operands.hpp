#pragma once

#include <string_view>

namespace lockstep::spirv {

/// Whether rules concern the operands of a built-in: they must not differ, are ballots, or are of quads.
constexpr bool has_judged_operands(std::string_view name) {
  constexpr std::string_view prefix = "subgroup";
  if (!name.starts_with(prefix)) return true;
  name.remove_prefix(prefix.size());
  if (name == "Ballot" || name == "BroadcastFirst") return false;
  return name.find_first_of("BCPQR") == 0 || name == "InverseBallot";
}

}  // namespace lockstep::spirv
