#pragma once

namespace lockstep::oracle {

/// What conforming devices may leave in memory after a dispatch, an opaque handle: only Lockstep's libraries make one and
/// read it. lockstep/job/allowed.hpp judges outputs by it.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        None.
/// Cost          None of its own; a dispatch that fills one takes many times as long.
/// Spec          None.
/// Example       tests/oracle/allowed_results.cpp
class AllowedResults {
 protected:
  AllowedResults() = default;
  AllowedResults(const AllowedResults&) = default;
  AllowedResults& operator=(const AllowedResults&) = default;
  ~AllowedResults() = default;
};

}  // namespace lockstep::oracle
