#pragma once

#include <lockstep/dispatch/parallel.hpp>
#include <lockstep/exec/error.hpp>

namespace lockstep {

/// The progress of a dispatch that can be ended from outside, also within a workgroup's long loop.
///
/// Requires      Lives as long as the dispatch.
/// Active lanes  None.
/// Errors        The dispatch ends with Interrupted once interrupted() is true. What it has written until then stays.
/// Cost          A call after each part, as Progress, and one for every 65536 iterations of a subgroup's loops.
/// Spec          None.
/// Example       tests/spirv/interruption.cpp
class InterruptibleProgress : public Progress {
 public:
  /// Asked by several threads at once.
  virtual bool interrupted() const = 0;
};

/// A dispatch that was ended from outside.
class Interrupted : public Error {
 public:
  Interrupted() : Error("the run was interrupted") {}
};

}  // namespace lockstep
