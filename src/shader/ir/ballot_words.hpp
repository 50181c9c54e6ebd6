#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "shader/ir/ir.hpp"

/// \file
/// Which values are ballots of lanes that the subgroup has.

namespace lockstep::spirv {

/// Values that have only bits that some ballot of the subgroup has: results of ballots, and what moves, selections and
/// masks make of them. Other values may be such ballots, too.
class BallotWords {
 public:
  explicit BallotWords(const Ir& ir);

  /// Whether these are the components of such a ballot, from the first on.
  bool is_ballot(std::span<const Reg> words) const;

 private:
  std::vector<std::uint8_t> word_;  ///< by register: the component that it is
};

}  // namespace lockstep::spirv
