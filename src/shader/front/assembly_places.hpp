#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

/// \file
/// Where the instructions of a module in assembly are, and what its ids are called.

namespace lockstep::spirv {

/// The module that was assembled from the text with its places: the line of each instruction as OpLine, and the names that
/// variables and structures have in the text as OpName.
///
/// Requires      Words of the module with a header.
/// Active lanes  None.
/// Errors        None: a module with lines of its own, or that is not what the text says, stays as it is.
/// Cost          Linear.
/// Spec          SPIR-V 2.4, logical layout of a module
/// Example       tests/spirv/assembly_places.cpp
std::vector<std::uint32_t> with_places(std::string_view text, std::vector<std::uint32_t> words);

}  // namespace lockstep::spirv
