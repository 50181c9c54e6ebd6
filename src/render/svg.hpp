#pragma once

#include <string>

#include "render/page.hpp"

namespace lockstep::render {

inline constexpr std::size_t most_figure_steps = 500;

struct Svg {
  std::string text;   ///< of the file
  std::string shown;  ///< "the first 500 of 1203 steps"; empty if all are
};

/// The steps of a trace as a figure for slides: lanes as columns in the colours of the page, the text of each line, and
/// a legend. A second run stands to the right of the first, step by step, with the first differences marked. After
/// Findings have their rules below, and their lines red numbers. After most_figure_steps rows the figure ends, as no slide shows more, and says so below them.
///
/// Requires      None.
/// Active lanes  As trace::draw.
/// Errors        None.
/// Cost          One element for each lane and step.
/// Spec          None.
/// Example       tests/render/svg.cpp
Svg to_svg(const Shown& run, const Shown* beside = nullptr);

}  // namespace lockstep::render
