#pragma once

#include <cstdint>
#include <mutex>

#include <lockstep/exec/endless_loop.hpp>

#include "runtime/dispatch/patience.hpp"

namespace lockstep::driver {

/// Ends loops of a dispatch once nothing has progressed for so many seconds: while its workgroups end one after the
/// other, and the next ones are in loops, it goes on.
class TimeLimit : public Patience {
 public:
  /// How many iterations a loop takes before it asks.
  static constexpr std::uint64_t trips = 4096;

  explicit TimeLimit(std::uint64_t seconds);

  bool goes_on(const Size3& workgroup) override;
  /// How messages say it.
  EndlessLoop::LimitWords words() const;

 private:
  std::uint64_t seconds_;
  std::uint64_t number_;  ///< of the limit, in the process
  std::mutex asking_;
  std::int64_t progressed_;  ///< when a workgroup was seen for the first time, in nanoseconds
};

}  // namespace lockstep::driver
