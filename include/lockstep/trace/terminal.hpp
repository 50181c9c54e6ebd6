#pragma once

#include <cstddef>
#include <string>

#include <lockstep/trace/timeline.hpp>

/// \file
/// A timeline as text for a terminal.

namespace lockstep::trace {

/// Some of the steps of a timeline, counted from 1.
struct StepRange {
  static constexpr std::size_t end = ~std::size_t{0};

  std::size_t first = 1, last = end;

  /// Whether no step is left out.
  bool all() const { return first == 1 && last == end; }
  /// Whether the step of this number is drawn.
  bool has(std::size_t number) const { return number >= first && number <= last; }
  /// The steps that a timeline of so many has in it, in words: "steps 8 to 14 of 35".
  std::string text(std::size_t steps) const;
};

/// Capabilities of the terminal, and what to show.
struct Look {
  int columns = 80;
  bool colour = false;  ///< 256 colours and Unicode; without, plain ASCII
  bool stack = false;   ///< below each row the enclosing constructs, when they changed
  StepRange steps = {};
};

/// What the terminal at standard output can show: its columns, or those in $COLUMNS, else 80; and colours, unless
/// $NO_COLOR is set.
Look look_of_terminal();

/// The steps as rows: the line number, a cell for each lane, and the line's text if its file can be
/// read. With many lanes in few columns, cells get narrower, then the text gets a row of its own. A line above says
/// which steps these are, unless they are all.
///
/// Requires      look.columns of at least 40 to be readable.
/// Active lanes  A letter and a colour for each tangle; lower case where a condition is false, dots
///               for waiting lanes, blanks for returned ones.
/// Errors        None: the text of an unreadable source is left out.
/// Cost          Reads each source file once.
/// Spec          None.
/// Example       tests/trace/terminal.cpp
std::string draw(const Timeline& timeline, const Look& look);

/// A legend of the cells, to print below a drawing.
std::string draw_legend(const Timeline& timeline, const Look& look);

/// Utilisation, divergences, merges that did not rejoin, and the work of each line.
std::string draw_summary(const Timeline& timeline, const Look& look);

/// A file's name for printing: relative to the current directory if it is below it.
std::string short_name(const char* file);

}  // namespace lockstep::trace
