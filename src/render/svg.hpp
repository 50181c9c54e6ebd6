#pragma once

#include <string>

#include <lockstep/trace/trace.hpp>

namespace lockstep::render {

/// The steps of a trace as a figure for slides: lanes as columns in the colours of the page, and the text of each line.
///
/// Requires      None.
/// Active lanes  As trace::draw.
/// Errors        Throws Error for more than most_figure_steps steps, which no slide shows.
/// Cost          One element for each lane and step.
/// Spec          None.
/// Example       tests/render/svg.cpp
std::string to_svg(const trace::Trace& trace);
inline constexpr std::size_t most_figure_steps = 500;

}  // namespace lockstep::render
