#pragma once

#include <string>
#include <vector>

#include <lockstep/exec/source_location.hpp>

#include "explore/explorer.hpp"

namespace lockstep::explore {

/// A place where two runs part, in the dimension that is chosen there.
struct Parting {
  Dimension dimension = Dimension::convergence;
  SourceLocation where;
};

/// What to do about a result that depends on a choice.
struct Advice {
  std::vector<Parting> where;  ///< each place once, in the order of the run
  std::string text;            ///< a sentence for each dimension
};

/// Runs the request's first setting and the counterexample again, with observers, and says where they part. Of what
/// depends on `core` also explores whether subgroup-uniform control flow is enough.
Advice advise(const Subject& subject, const Request& request, const Counterexample& found);

}  // namespace lockstep::explore
