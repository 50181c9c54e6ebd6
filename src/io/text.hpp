#pragma once

#include <string_view>
#include <vector>

/// \file
/// Texts on a command line.

namespace lockstep::io {

/// The parts between separators: one more than there are separators.
std::vector<std::string_view> parts_of(std::string_view text, char separator);
/// Throws InputError: what is wrong with the text, and what to do.
[[noreturn]] void refuse(std::string_view text, std::string_view why);

}  // namespace lockstep::io
