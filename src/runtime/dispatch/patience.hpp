#pragma once

#include <lockstep/dispatch/parallel.hpp>
#include <lockstep/workgroup/size3.hpp>

namespace lockstep {

/// Decides how long the loops of a shader may take by something else than their iterations, such as the time. It is the
/// progress of a dispatch, is told nothing, and is asked each time that a loop has taken as many iterations again as the
/// dispatch allows.
///
/// Requires      goes_on() may be called by all threads of the dispatch at once.
/// Active lanes  None.
/// Errors        A loop that does not go on is endless: EndlessLoop, after as many iterations as the dispatch allows.
/// Cost          A call for so many iterations of a loop.
/// Spec          None.
/// Example       tests/spirv/patience.cpp
class Patience : public Progress {
 public:
  void on(std::size_t, std::size_t) final {}
  /// Whether a loop in that workgroup may take as many iterations again.
  virtual bool goes_on(const Size3& workgroup) = 0;
};

}  // namespace lockstep
