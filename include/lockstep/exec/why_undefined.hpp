#pragma once

#include <string>
#include <string_view>

#include <lockstep/exec/checks.hpp>
#include <lockstep/exec/detail/use_kind.hpp>
#include <lockstep/exec/finding.hpp>
#include <lockstep/exec/memory_object.hpp>

/// \file
/// Undefined values in words: where they come from, and what makes them visible.

namespace lockstep {

/// How a value became visible: "an undefined value is stored to buffer 1".
std::string to_string(UseKind use, const MemoryObject& object);

/// How the result of a function or operator on numbers of that many bits became undefined, so that it breaks the
/// rule: "subgroupShuffle reads a lane that is inactive here".
std::string why_undefined(Check rule, std::string_view function, int bits = 32);

/// Fills in a finding's message, its memory, and where the value came from; what has no line is in the message.
void describe_undefined(Finding& finding, UseKind use, const MemoryObject& object,
                        SourceLocation origin, const std::string& what);

}  // namespace lockstep
