#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "amber/script.hpp"

namespace lockstep::amber {

/// Gives a file's content by the path that a script has.
using ReadFile = std::function<std::string(const std::string& path)>;

/// What a buffer holds before the first command. A file's text is numbers as DATA has them.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        ScriptError for a file whose content does not fit, and what `read` throws.
/// Cost          O(bytes).
/// Spec          AmberScript
/// Example       tests/amber/memory.cpp
std::vector<std::byte> initial_bytes(const Buffer& buffer, const ReadFile& read);

}  // namespace lockstep::amber
