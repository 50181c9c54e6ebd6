#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include <lockstep/spirv/module.hpp>

/// \file
/// Shaders that do their work a number of times: what one time takes is the difference between many and few, so that
/// all that is around the work cancels out. On the engine and on lavapipe, both on one thread.

namespace lockstep::bench {

/// Invocations of one dispatch, in workgroups of 128.
inline constexpr std::uint32_t round_elements = 1 << 13, round_workgroups = round_elements / 128;
/// How often a shader does its work.
inline constexpr std::uint32_t few_rounds = 2, many_rounds = 34;

/// From the fastest runs of each kind, because the smallest difference would favour disturbed ones.
class Difference {
 public:
  /// run(rounds) gives its seconds.
  template <class Run>
  void measure(Run run) {
    few_ = std::min(few_, run(few_rounds));
    many_ = std::min(many_, run(many_rounds));
  }
  /// Seconds of one round in one invocation.
  double per_round() const {
    return (many_ - few_) / (double{many_rounds - few_rounds} * round_elements);
  }

 private:
  double few_ = 1e9, many_ = 1e9;
};

/// A shader with a buffer of 32-bit arguments at binding 0, one of results at binding 1, and the rounds as its push
/// constant, on lavapipe.
class RivalRounds {
 public:
  virtual ~RivalRounds() = default;
  /// The seconds of one run.
  virtual double run(std::uint32_t rounds) = 0;
};
/// Null if lavapipe is not installed or does not support the shader.
std::unique_ptr<RivalRounds> make_rival_rounds(const Module& module,
                                               std::span<const std::byte> arguments);

}  // namespace lockstep::bench
