#pragma once

#include <string_view>

namespace lockstep {

/// The same text, zero-terminated and at one address for the rest of the process. Events and
/// findings point to it, so that they outlive their shader or kernel.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        None.
/// Cost          A lock and a hash of the text. Texts are never freed: intern names, not messages.
/// Spec          None.
/// Example       tests/exec/intern.cpp
const char* intern(std::string_view text);

}  // namespace lockstep
