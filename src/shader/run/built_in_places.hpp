#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "shader/run/program.hpp"

/// \file
/// Which built-in variables the start of a subgroup writes, for run.cpp and for machine code.

namespace lockstep::spirv {

/// When a built-in variable changes.
enum class Changes : std::uint8_t { never, with_workgroup, with_subgroup };

/// A component of a built-in variable.
struct Component {
  spv::BuiltIn built_in;
  std::size_t number;
  Slot slot;
};

/// A component that is base + lane. Base is the number of the subgroup's first invocation in the workgroup, or with
/// `global` in the dispatch.
struct Numbers {
  Slot slot;
  bool global;
};

struct BuiltInPlaces {
  std::array<std::vector<Component>, 3> components;  ///< by Changes, without those in numbers
  std::vector<Numbers> numbers;                      ///< that change with the subgroup
};

/// The places of a program's built-in variables. linear: lane and invocation numbers are in the same order.
BuiltInPlaces find_built_in_places(const Program& program, bool linear);

/// A word of one of the masks gl_SubgroupEqMask to gl_SubgroupLtMask.
std::uint32_t mask_word(spv::BuiltIn which, std::size_t word, int lane, int size);

}  // namespace lockstep::spirv
