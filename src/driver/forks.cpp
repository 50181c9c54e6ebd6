#include "driver/forks.hpp"

#include <mutex>
#include <new>
#include <set>

#include <pthread.h>

namespace lockstep::driver {
namespace {

std::mutex watching;
/// Never destroyed: a process may fork at its end.
std::set<SyncHub*>& hubs() {
  static auto& all = *new std::set<SyncHub*>;
  return all;
}

void before_fork() {
  watching.lock();
  for (SyncHub* const hub : hubs()) hub->mutex.lock();
}

void in_parent() {
  for (SyncHub* const hub : hubs()) hub->mutex.unlock();
  watching.unlock();
}

void in_child() {
  for (SyncHub* const hub : hubs()) {
    hub->lost = hub->forked = true;
    new (&hub->changed) std::condition_variable;  // without those who wait in the parent
  }
  in_parent();
}

}  // namespace

ForkWatch::ForkWatch(SyncHub& hub) : hub_(hub) {
  static const int registered = pthread_atfork(before_fork, in_parent, in_child);
  static_cast<void>(registered);
  const std::lock_guard lock(watching);
  hubs().insert(&hub_);
}

ForkWatch::~ForkWatch() {
  const std::lock_guard lock(watching);
  hubs().erase(&hub_);
}

}  // namespace lockstep::driver
