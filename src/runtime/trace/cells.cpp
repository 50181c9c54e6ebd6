#include "runtime/trace/cells.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::trace {
namespace {

int colour_of_mark(char mark) {
  switch (mark) {
    case 'w':
      return 178;
    case 'm':
      return 71;
    case 'n':
      return 68;
    default:
      return 250;
  }
}

Layout choose_layout(int lanes, std::size_t columns, std::size_t number, std::size_t widest,
                     bool colour) {
  Layout layout;
  layout.number = number;
  layout.lanes_in_row = lanes;
  const std::size_t before = number + 2, gap = 2;
  const auto fits = [&](int cell, std::size_t text) {
    layout.cell = cell;
    const std::size_t taken = before + layout.columns(lanes) + gap;
    layout.text = columns > taken ? columns - taken : 0;
    return taken + text <= columns;
  };
  for (const int cell : {3, 2, 1, 0}) {
    if ((cell == 3 && lanes > 16) || (cell == 0 && (!colour || lanes <= 16))) continue;
    const std::size_t needed = std::min<std::size_t>(widest, cell >= 2 ? 46 : 34);
    if (fits(cell, needed)) return layout;
  }
  layout.text_beside = false;
  layout.text = columns > before ? columns - before : 0;
  for (const int cell : {1, 0}) {
    if (cell == 0 && !colour) continue;
    layout.cell = cell;
    if (before + layout.columns(lanes) <= columns) return layout;
  }
  // Several rows of lanes, each with as many groups of 8 as fit.
  layout.cell = 1;
  layout.lanes_in_row = 8;
  for (int n = 16; n < lanes; n *= 2) {
    if (before + layout.columns(n) <= columns) layout.lanes_in_row = n;
  }
  return layout;
}

std::string paint_cell(const Cell& cell, int width, const Painter& paint) {
  const auto in_middle = [&](std::string_view glyph) {
    return width == 3   ? fmt::format(" {} ", glyph)
           : width == 2 ? fmt::format("{} ", glyph)
                        : std::string(glyph);
  };
  const std::string letter = in_middle(std::string_view(&cell.letter, 1));
  switch (cell.kind) {
    case Cell::Kind::nothing:
      return std::string(static_cast<std::size_t>(width), ' ');
    case Cell::Kind::active:
      return paint.on() ? paint.on_background(letter, hue_of(cell.letter).light) : letter;
    case Cell::Kind::aside: {
      const char small = static_cast<char>(cell.letter - 'A' + 'a');
      return paint(in_middle(std::string_view(&small, 1)), hue_of(cell.letter).light);
    }
    case Cell::Kind::waiting:
      return paint.on() ? paint(in_middle("·"), grey) : in_middle(".");
    case Cell::Kind::mark:
      return paint(letter, colour_of_mark(cell.letter));
  }
  return "";
}

/// The colour of half a column; -1: none.
int colour_of_half(const Cell& cell) {
  switch (cell.kind) {
    case Cell::Kind::nothing:
      return -1;
    case Cell::Kind::active:
      return hue_of(cell.letter).light;
    case Cell::Kind::aside:
      return hue_of(cell.letter).dark;
    case Cell::Kind::waiting:
      return waiting_grey;
    case Cell::Kind::mark:
      return colour_of_mark(cell.letter);
  }
  return -1;
}

}  // namespace

std::string paint_cells(const Cells& cells, int first, const Layout& layout, const Painter& paint) {
  std::string text;
  const int end = std::min(first + layout.lanes_in_row, static_cast<int>(cells.size()));
  for (int lane = first; lane < end; lane += layout.cell == 0 ? 2 : 1) {
    const int in_row = lane - first;
    if (layout.group() != 0 && in_row != 0 && in_row % layout.group() == 0) text += ' ';
    const Cell& cell = cells[static_cast<std::size_t>(lane)];
    if (layout.cell != 0) {
      text += paint_cell(cell, layout.cell, paint);
    } else {
      const Cell right = lane + 1 < end ? cells[static_cast<std::size_t>(lane) + 1] : Cell{};
      text += paint.halves(colour_of_half(cell), colour_of_half(right));
    }
  }
  return text;
}

Cells cells_of(const Step& step, int lanes) {
  Cells cells(static_cast<std::size_t>(lanes));
  const auto put = [&](LaneSet set, Cell::Kind kind, char letter) {
    for_each_lane(set, [&](int i) {
      if (i < lanes) cells[static_cast<std::size_t>(i)] = {kind, letter};
    });
  };
  put(step.waiting, Cell::Kind::waiting, '.');
  for (std::size_t k = 0; k < step.tangles.size(); ++k) {
    put(step.tangles[k], Cell::Kind::active, step.names[k]);
    put(step.tangles[k] & step.aside, Cell::Kind::aside, step.names[k]);
  }
  return cells;
}

Layout choose_layout(const Timeline& timeline, const Look& look, std::size_t widest) {
  std::size_t number = 4;
  for (const Step& step : timeline.steps)
    number = std::max(number, std::to_string(step.where.line).size());
  return choose_layout(timeline.subgroup_size, static_cast<std::size_t>(std::max(look.columns, 20)),
                       number, widest, look.colour);
}

}  // namespace lockstep::trace
