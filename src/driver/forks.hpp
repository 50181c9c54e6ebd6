#pragma once

#include "driver/sync.hpp"

namespace lockstep::driver {

/// While it lives, fork() makes the device lost in the child, which has none of the threads that run its queues. The
/// hub is usable there: nobody else holds its lock or waits.
class ForkWatch {
 public:
  explicit ForkWatch(SyncHub& hub);
  ~ForkWatch();
  ForkWatch(const ForkWatch&) = delete;
  ForkWatch& operator=(const ForkWatch&) = delete;

 private:
  SyncHub& hub_;
};

}  // namespace lockstep::driver
