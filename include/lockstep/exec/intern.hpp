#pragma once

#include <string_view>

namespace lockstep {

/// The same text, zero-terminated and at one address for the rest of the process: what events and
/// findings point to, so that they outlive the shader or kernel that they speak of.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        None.
/// Cost          A lock and a hash of the text. Texts are never freed: intern names, not messages.
/// Spec          None.
/// Example       tests/exec/intern.cpp
const char* intern(std::string_view text);

}  // namespace lockstep
