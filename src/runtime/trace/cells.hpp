#pragma once

/// \file
/// A row with one cell per lane, and how wide cells can be.

#include <algorithm>
#include <string>
#include <vector>

#include <lockstep/trace/terminal.hpp>
#include <lockstep/trace/timeline.hpp>

#include "runtime/trace/painter.hpp"

namespace lockstep::trace {

/// The cell of one lane in a row.
struct Cell {
  enum class Kind { nothing, active, aside, waiting, mark };

  Kind kind = Kind::nothing;
  char letter = ' ';
};
using Cells = std::vector<Cell>;

/// The layout of lanes: the columns of a cell (0: two cells per column), and the lanes per row.
struct Layout {
  int cell = 2;
  int lanes_in_row = 8;
  bool text_beside = true;
  std::size_t number = 3;  ///< columns of a line number
  std::size_t text = 40;   ///< columns left for text

  int group() const { return cell >= 2 ? 0 : cell == 1 ? 8 : 16; }
  std::size_t column(int lane) const {
    const int gaps = group() == 0 ? 0 : lane / group();
    return static_cast<std::size_t>(cell == 0 ? lane / 2 + gaps : lane * cell + gaps);
  }
  std::size_t columns(int lanes) const {
    return lanes == 0 ? 0 : column(lanes - 1) + static_cast<std::size_t>(std::max(cell, 1));
  }
};

/// The widest cells that leave room for the text, whose longest line is `widest`.
Layout choose_layout(const Timeline& timeline, const Look& look, std::size_t widest);

/// One row of cells from lane `first` on, always as wide as the layout requires.
std::string paint_cells(const Cells& cells, int first, const Layout& layout, const Painter& paint);

/// The cells of a step.
Cells cells_of(const Step& step, int lanes);

}  // namespace lockstep::trace
