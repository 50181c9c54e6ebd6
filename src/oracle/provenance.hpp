#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "oracle/allowed.hpp"

namespace lockstep::oracle {

/// An operation that made a value which is not exact.
struct Step {
  std::uint32_t origin = 0;  ///< its line, as Allowed has it
  std::string operation;     ///< "x * y", "subgroupAdd"
  double value = 0;          ///< of the reference
  Allowed allowed;
  /// An operand: the step that made it, or its exact value.
  struct Operand {
    std::uint32_t step = 0;  ///< from 1; 0: exact
    double value = 0;
    int lane = -1;  ///< of an operation between lanes
  };
  std::vector<Operand> operands;
};

/// How the values of one workgroup came about.
class Provenance {
 public:
  /// Only steps of this workgroup are kept.
  explicit Provenance(const std::array<std::uint32_t, 3>& workgroup) : workgroup_(workgroup) {}

  const std::array<std::uint32_t, 3>& workgroup() const { return workgroup_; }
  /// Keeps a step and returns its number, from 1; 0 where there are too many to keep.
  std::uint32_t add(Step step);
  /// The step of a value; null if it was not kept.
  const Step* find(std::uint32_t number) const;

 private:
  std::array<std::uint32_t, 3> workgroup_;
  std::vector<Step> steps_;
};

}  // namespace lockstep::oracle
