#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace lockstep::render {

/// A page about captured jobs, in one file that loads nothing: a table of jobs with the numbers of verdicts, and of the
/// selected one the verdict of each element, and of each lane the worst one of what it wrote.
///
/// Requires      What `lockstep check --json` prints.
/// Active lanes  None.
/// Errors        None.
/// Cost          The data once more.
/// Spec          None.
/// Example       tests/cli/check.cpp
std::string check_page(const nlohmann::ordered_json& checked);

/// The same for verified shaders: a table of entries, and the details of the selected one with its sources, in which
/// findings and lines that never ran are marked. Requires what `lockstep verify --json` prints, with "sources": the text of
/// each file.
std::string verify_page(const nlohmann::ordered_json& verified);

}  // namespace lockstep::render
