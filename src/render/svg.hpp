#pragma once

#include <cstddef>
#include <string>

#include <lockstep/trace/terminal.hpp>

#include "render/page.hpp"

namespace lockstep::render {

inline constexpr std::size_t most_figure_steps = 500;

struct Svg {
  std::string text;   ///< of the file
  std::string shown;  ///< "the first 500 of 1203 steps"; empty if all are
};

/// The steps of a trace as a figure for slides: lanes as columns in the colours of the page, the text of each line, and
/// a legend. A second run stands to the right of the first, step by step, with the first differences marked. Findings
/// have their rules below, and their lines red numbers. After most_figure_steps rows the figure ends, as no slide shows
/// more, and says so below them. Of two runs the steps are those of the first, and those that only the second run has
/// between them.
///
/// Requires      None.
/// Active lanes  As trace::draw.
/// Errors        None.
/// Cost          One element for each lane and step.
/// Spec          None.
/// Example       tests/render/svg.cpp
Svg to_svg(const Shown& run, const Shown* beside = nullptr, const trace::StepRange& steps = {});

}  // namespace lockstep::render
