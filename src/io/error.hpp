#pragma once

#include <stdexcept>

namespace lockstep::io {

/// Unusable input, explained in one line: what, where, and what to do.
struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace lockstep::io
