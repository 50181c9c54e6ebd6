#pragma once

#include <lockstep/exec/event.hpp>
#include <lockstep/exec/fault_log.hpp>

namespace lockstep::detectors {

/// One of the detectors of a run, which sees every event.
class Detector {
 public:
  virtual ~Detector() = default;
  virtual void on(const Event& event) = 0;
  /// The events that it looks at.
  virtual Interest interest() const = 0;
  /// The run has ended: gives its findings.
  virtual void end(FaultLog& findings) = 0;
};

}  // namespace lockstep::detectors
