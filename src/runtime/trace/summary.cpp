#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <lockstep/trace/terminal.hpp>

#include "runtime/trace/excerpt.hpp"
#include "runtime/trace/painter.hpp"
#include "runtime/trace/sets.hpp"
#include "runtime/trace/text.hpp"

namespace lockstep::trace {
namespace {

std::string bar(double part, std::size_t columns, bool unicode) {
  const auto halves = static_cast<std::size_t>(part * static_cast<double>(columns) * 2 + 0.5);
  std::string text;
  if (!unicode) return std::string(std::max<std::size_t>(halves / 2, 1), '#');
  for (std::size_t k = 0; k < halves / 2; ++k) text += "━";
  if (halves % 2 != 0 || halves == 0) text += "╸";
  return text;
}

/// The merges without reconvergence, each place once.
std::string apart_text(const Timeline& timeline, const Summary& summary, std::size_t columns,
                       bool unicode) {
  std::vector<std::pair<const Step*, int>> places;
  for (const std::size_t k : summary.apart) {
    const Step& step = timeline.steps[k];
    const auto known = std::ranges::find_if(places, [&](const auto& place) {
      return place.first->where.line == step.where.line && place.first->merge == step.merge &&
             std::string_view(place.first->where.file) == step.where.file;
    });
    if (known != places.end())
      ++known->second;
    else
      places.emplace_back(&step, 1);
  }
  std::string text;
  for (const auto& [step, times] : places) {
    std::string lanes = sets_text(step->tangles, " | ");
    if (times > 1) lanes = fmt::format("{} times, first {}", times, lanes);
    const std::string indented = "    " + lanes;
    text += fmt::format("  {}:{}\n{}\n    {}\n", short_name(step->where.file), step->where.line,
                        clipped(indented, columns, unicode), why_open(*step, timeline.existing));
  }
  return text;
}

}  // namespace

std::string draw_summary(const Timeline& timeline, const Look& look) {
  const Painter paint(look.colour);
  const Summary summary = summarize(timeline);
  const auto columns = static_cast<std::size_t>(std::max(look.columns, 20));
  std::string text = fmt::format("{}, {} of their lanes at work, {}",
                                 counted(summary.times, "line executed", "lines executed"),
                                 percent(summary.utilisation),
                                 counted(summary.divergences, "divergence", "divergences"));
  if (summary.apart.empty()) {
    text += "; every merge rejoined\n";
  } else {
    text += ";\n";
    text += paint(counted(summary.apart.size(), "merge", "merges") + " did not rejoin:", 203, true);
    text += '\n';
  }
  text += apart_text(timeline, summary, columns, look.colour);

  Excerpt excerpt(timeline);
  std::uint64_t most = 1;
  for (const LineWork& work : summary.lines) most = std::max(most, work.lanes);
  const std::size_t bar_columns = columns < 100 ? 8 : 16;
  text += '\n';
  text += paint("line  times  lanes   busy", grey);
  text += '\n';
  for (const LineWork& work : summary.lines) {
    const double busy = static_cast<double>(work.lanes) /
                        (static_cast<double>(work.times) * timeline.subgroup_size);
    const double part = static_cast<double>(work.lanes) / static_cast<double>(most);
    const std::string numbers = fmt::format("{:>4}  {:>5}  {:>5}  {:>5}  ", work.where.line,
                                            work.times, work.lanes, percent(busy));
    const std::size_t before = width_of(numbers) + bar_columns + 1;
    text += trimmed(numbers + paint(padded(bar(part, bar_columns, look.colour), bar_columns), 75) +
                    " " +
                    clipped(excerpt.line(work.where), columns > before ? columns - before : 0,
                            look.colour)) +
            "\n";
  }
  return text;
}

}  // namespace lockstep::trace
