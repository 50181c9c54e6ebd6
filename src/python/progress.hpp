#pragma once

#include <atomic>
#include <chrono>
#include <csignal>

#include <lockstep/spirv/interruption.hpp>

#include "python/bind.hpp"

namespace lockstep::python {

/// While one exists on the main thread, Ctrl-C sets a flag besides what Python makes of it.
///
/// Requires      One at a time in the main thread; others see no signals.
/// Active lanes  None.
/// Errors        None.
/// Cost          Two system calls.
/// Spec          POSIX "Signal Concepts"
/// Example       tests/python/test_interrupt.py
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  bool asked() const;

 private:
  bool installed_ = false;
};

/// Tells a callable how far a run is, at most ten times a second and at its end, and ends the run at Ctrl-C.
class RunProgress : public InterruptibleProgress {
 public:
  /// None: nothing is called.
  explicit RunProgress(const py::object& callback) : callback_(callback) {}

  void on(std::size_t done, std::size_t total) override;
  bool interrupted() const override { return interruption_.asked(); }

 private:
  using Clock = std::chrono::steady_clock;

  const py::object& callback_;
  Interruption interruption_;
  Clock::time_point last_{};
};

}  // namespace lockstep::python
