#pragma once

#include <lockstep/exec/error.hpp>
#include <lockstep/exec/fault_log.hpp>

namespace lockstep {

/// A finding that ends its run: an endless loop, or a barrier that not all invocations reach.
///
/// Requires      None.
/// Active lanes  As Finding.
/// Errors        This is one. Its text is the place and the finding's message.
/// Cost          None until it is thrown.
/// Spec          None.
/// Example       tests/exec/finding_error.cpp
class FindingError : public Error {
 public:
  explicit FindingError(Finding finding);

  /// The finding that ended the run.
  const Finding& finding() const { return finding_; }
  /// What the run had found before.
  const FaultLog& earlier() const { return earlier_; }
  /// Adds what was found before the run ended.
  void add_earlier(const FaultLog& log) { earlier_.merge_by_workgroup(log); }

 private:
  Finding finding_;
  FaultLog earlier_;
};

}  // namespace lockstep
