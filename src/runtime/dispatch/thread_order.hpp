#pragma once

#ifdef LOCKSTEP_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
#endif

namespace lockstep {

/// Tells ThreadSanitizer that what precedes give() on one thread happens before what follows take() on another.
/// It does not see the synchronization in oneTBB, which is compiled without it. Does nothing unless CMake defines
/// LOCKSTEP_THREAD_SANITIZER.
class ThreadOrder {
 public:
  void give() {
#ifdef LOCKSTEP_THREAD_SANITIZER
    __tsan_release(this);
#endif
  }
  void take() {
#ifdef LOCKSTEP_THREAD_SANITIZER
    __tsan_acquire(this);
#endif
  }
};

}  // namespace lockstep
