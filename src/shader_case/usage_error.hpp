#pragma once

#include <stdexcept>
#include <string>

#include <lockstep/exec/error.hpp>

namespace lockstep::shader_case {

/// Wrong usage or input, explained in one line; ends the program with `exit_usage`.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A message's first line; compiler messages may have several.
std::string first_line(const std::string& message);

/// Calls f; what the compiler or the engine does not support becomes a UsageError of one line.
template <class F>
auto with_usage_errors(F f) {
  try {
    return f();
  } catch (const Error& error) {
    throw UsageError(first_line(error.what()));
  }
}

}  // namespace lockstep::shader_case
