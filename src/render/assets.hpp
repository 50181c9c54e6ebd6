#pragma once

#include <string_view>

/// \file
/// The files of this folder that make a page; the build writes them into a source.

namespace lockstep::render::assets {

extern const std::string_view page, style, script;

}  // namespace lockstep::render::assets
