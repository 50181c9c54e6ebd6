#pragma once

#include <string>

#include <lockstep/exec/chooser.hpp>

namespace lockstep {

/// The choices as text: what Chooser::parse takes, and the places of those that are not the default.
std::string text_of(const Chooser& chooser);

}  // namespace lockstep
