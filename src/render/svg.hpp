#pragma once

#include <string>

#include <lockstep/trace/trace.hpp>

namespace lockstep::render {

/// The steps of a trace as a figure for slides: lanes as columns in the colours of the page, the text of each line, and
/// a legend. A second run stands to the right of the first, step by step, with the first differences marked.
///
/// Requires      None.
/// Active lanes  As trace::draw.
/// Errors        Throws Error for more than most_figure_steps steps, which no slide shows.
/// Cost          One element for each lane and step.
/// Spec          None.
/// Example       tests/render/svg.cpp
std::string to_svg(const trace::Trace& trace, const trace::Trace* beside = nullptr);
inline constexpr std::size_t most_figure_steps = 500;

}  // namespace lockstep::render
