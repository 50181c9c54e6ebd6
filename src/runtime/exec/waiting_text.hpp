#pragma once

#include <string>
#include <vector>

#include <lockstep/exec/endless_loop.hpp>

namespace lockstep {

/// "; subgroups 1-3 wait for their turn": what other subgroups wait for, in the order of their first numbers.
std::string to_string(std::vector<EndlessLoop::Waiting> others);

}  // namespace lockstep
