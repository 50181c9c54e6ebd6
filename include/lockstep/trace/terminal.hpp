#pragma once

#include <string>

#include <lockstep/trace/timeline.hpp>

/// \file
/// A timeline as text for a terminal.

namespace lockstep::trace {

/// What the terminal can show, and what to show on it.
struct Look {
  int columns = 80;
  bool colour = false;  ///< 256 colours and Unicode; without, plain ASCII
  bool stack = false;   ///< below each row the constructs around it, when they changed
};

/// The steps as rows: the line's number, a cell for each lane, the line's text where its file can be
/// read. With many lanes in few columns, cells get narrower, then the text gets a row of its own.
///
/// Requires      look.columns of at least 40 to look well.
/// Active lanes  A letter and a colour for each tangle; small letters where a condition is false,
///               dots for lanes that wait, blanks for those that returned.
/// Errors        None: a source that cannot be read is left out.
/// Cost          Reads each source file once.
/// Spec          None.
/// Example       tests/trace/terminal.cpp
std::string draw(const Timeline& timeline, const Look& look);

/// What the cells mean: for below a drawing.
std::string draw_legend(const Timeline& timeline, const Look& look);

/// Utilisation, divergences, merges that did not rejoin, and the work of each line.
std::string draw_summary(const Timeline& timeline, const Look& look);

/// A file's name as it is best printed: below the current directory if it is there.
std::string short_name(const char* file);

}  // namespace lockstep::trace
