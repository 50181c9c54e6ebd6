#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "judgement/rerun.hpp"
#include "oracle/memory.hpp"

/// \file
/// Results that no order of atomics leaves, where the order itself is not known.

namespace lockstep::judgement {

/// A part after the reference's run, and what a device left there.
struct OfPart {
  const std::byte* at = nullptr;  ///< the address during the reference's run
  std::span<const std::byte> device;
  std::vector<Place> places;
};

/// Where numbers start that no order leaves there, and why. A number is one that some invocation stores there; what the slots
/// of one counter have is what its invocations store, each once; and so are the numbers that a counter hands out.
///
/// Requires      The memory is that of the run.
/// Active lanes  As in the shader.
/// Errors        None: where anything may be, nothing is impossible.
/// Cost          O(elements), with look-ups among the values that were stored.
/// Spec          SPIR-V OpAtomic...: each is made at once, in some order
/// Example       tests/judgement/possible.cpp
std::map<std::size_t, std::string> find_impossible(const OfPart& part,
                                                   const oracle::Memory& memory);

}  // namespace lockstep::judgement
