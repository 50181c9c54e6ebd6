#include <cstddef>
#include <string>

#include "playground/playground.hpp"

/// \file
/// What engine.js calls. A message is written where message_buffer says, and its answer read from where answer says.

namespace {

std::string message, last_answer;

}  // namespace

extern "C" {

// libc++abi asks the C library to end thread-local objects with their thread. The one thread never ends.
// NOLINTNEXTLINE(bugprone-reserved-identifier): its name
int __cxa_thread_atexit_impl(void (*)(void*), void*, void*) { return 0; }

[[clang::export_name("message_buffer")]] char* message_buffer(std::size_t bytes) {
  message.resize(bytes);
  return message.data();
}

[[clang::export_name("answer")]] const char* answer() {
  last_answer = lockstep::playground::answer(message);
  return last_answer.data();
}

[[clang::export_name("answer_bytes")]] std::size_t answer_bytes() { return last_answer.size(); }

}  // extern "C"
