#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "amber/script.hpp"

namespace lockstep::amber {

/// Returns a file's content, given the path in a script.
using ReadFile = std::function<std::string(const std::string& path)>;

/// The contents of a buffer before the first command. A file's text holds numbers as DATA does.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        ScriptError for a file whose content does not fit, and whatever `read` throws.
/// Cost          O(bytes).
/// Spec          AmberScript
/// Example       tests/amber/memory.cpp
std::vector<std::byte> initial_bytes(const Buffer& buffer, const ReadFile& read);

}  // namespace lockstep::amber
