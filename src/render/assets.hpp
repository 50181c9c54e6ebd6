#pragma once

#include <string_view>

/// \file
/// The files of this folder that make a page; the build writes them into a source.

namespace lockstep::render::assets {

extern const std::string_view page, experiment, style, script;
/// What the page of a server has besides: how it asks the server, and the editor and the form.
extern const std::string_view ask_script, serve_script;
/// The same of a page about captured jobs.
extern const std::string_view check_page, check_style, check_script;
/// The same of a page about verified shaders.
extern const std::string_view verify_page, verify_style, verify_script;

}  // namespace lockstep::render::assets
