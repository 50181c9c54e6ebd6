#pragma once

#include <cstdint>
#include <vector>

#include <lockstep/exec/error.hpp>
#include <lockstep/exec/source_location.hpp>
#include <lockstep/workgroup/size3.hpp>

namespace lockstep {

namespace fail {

/// A barrier that some subgroups reached and others, having ended, never will.
[[noreturn]] void partial_barrier(SourceLocation where, Size3 workgroup,
                                  const std::vector<std::uint32_t>& waiting,
                                  const std::vector<std::uint32_t>& ended);
/// A subgroup size that no compiled width holds.
[[noreturn]] void subgroup_size(int size, int widest);
/// A kernel without invocations.
[[noreturn]] void local_size();
/// An array with more elements than a 32-bit index reaches.
[[noreturn]] void buffer_size();

}  // namespace fail
}  // namespace lockstep
