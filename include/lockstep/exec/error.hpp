#pragma once

#include <stdexcept>

namespace lockstep {

/// Wrong use of the API, or a kernel that cannot continue: says what is wrong, where, and what to do.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace lockstep
