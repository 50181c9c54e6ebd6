#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace lockstep::bench {

/// A kernel on another machine, for comparison.
class Rival {
 public:
  virtual ~Rival() = default;
  /// The seconds of one run on one thread; throws Error if the result is wrong.
  virtual double run() = 0;
};

/// Makes the kernel's rival, or null; set by lavapipe.cpp if it is built.
using MakeRival = std::unique_ptr<Rival> (*)(const std::string& kernel, std::size_t elements);
MakeRival& make_rival();

}  // namespace lockstep::bench
