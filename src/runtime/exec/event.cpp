#include <lockstep/exec/event.hpp>

#include <cstddef>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runtime/exec/component.hpp"

namespace lockstep {
namespace {

std::string component_text(LaneValues::Type type, std::uint64_t bits) {
  if (type == LaneValues::Type::none) return "-";
  return visit_component(type, bits, [](auto number) { return fmt::format("{}", number); });
}

std::string tangles_text(const Tangles& tangles) {
  std::string text;
  for (const Tangle& t : tangles) {
    text += fmt::format("{}{{{}}}", text.empty() ? "" : " ", to_string(t.lanes));
  }
  return text.empty() ? "none" : text;
}

std::string arrivals_text(const Event& event) {
  if (event.arrivals.size() < 2) return "";
  std::string text = ", arrived";
  for (const LaneSet lanes : event.arrivals) text += fmt::format(" {{{}}}", to_string(lanes));
  return text + (event.reason == Event::Reason::promised ? ", rejoined as promised" : ", chosen");
}

/// The values of the lanes, lanes with equal values together.
std::string values_text(const LaneValues& values, LaneSet lanes) {
  std::string text;
  while (lanes.any_lane()) {
    const std::string mine = to_string(values, lanes.first());
    LaneSet same;
    for_each_lane(lanes, [&](int i) {
      if (to_string(values, i) == mine) same = same | LaneSet::lane(i);
    });
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", to_string(same), mine);
    lanes = lanes.without(same);
  }
  return text;
}

}  // namespace

std::string to_string(const LaneValues& values, int lane) {
  std::string text;
  const auto components = static_cast<std::size_t>(values.components);
  for (std::size_t k = 0; k < components; ++k) {
    const std::size_t at = static_cast<std::size_t>(lane) * components + k;
    text += (k == 0 ? "" : ", ") +
            component_text(values.type, at < values.bits.size() ? values.bits[at] : 0);
  }
  return values.components > 1 ? "(" + text + ")" : text;
}

bool operator==(const Event& a, const Event& b) {
  return a.kind == b.kind && a.where.line == b.where.line &&
         std::string_view(a.where.file) == b.where.file && a.workgroup == b.workgroup &&
         a.subgroup == b.subgroup && a.depth == b.depth && a.tangles == b.tangles &&
         a.others == b.others && a.arrivals == b.arrivals && a.reason == b.reason &&
         a.trip == b.trip && a.name == b.name && a.operands == b.operands && a.result == b.result &&
         a.access == b.access && a.sync == b.sync;
}

bool changes_memory(const Event& event, int lane) {
  if (event.kind != Event::Kind::atomic) return event.kind == Event::Kind::write;
  if (event.name.ends_with("Load")) return false;
  if (!event.name.ends_with("CompSwap") || event.operands.size() < 2) return true;
  const LaneValues& compared = event.operands[event.operands.size() - 2];
  const auto at = static_cast<std::size_t>(lane);
  return at >= event.result.bits.size() || at >= compared.bits.size() ||
         event.result.bits[at] == compared.bits[at];
}

std::string_view to_string(Event::Kind kind) {
  using Kind = Event::Kind;
  switch (kind) {
    case Kind::start:
      return "start";
    case Kind::enter:
      return "enter";
    case Kind::flip:
      return "flip";
    case Kind::leave:
      return "leave";
    case Kind::loop:
      return "loop";
    case Kind::trip:
      return "trip";
    case Kind::next_trip:
      return "next trip";
    case Kind::exit:
      return "exit";
    case Kind::call:
      return "call";
    case Kind::jump_break:
      return "break";
    case Kind::jump_loop:
      return "break loop";
    case Kind::jump_continue:
      return "continue";
    case Kind::jump_return:
      return "return";
    case Kind::line:
      return "line";
    case Kind::built_in:
      return "built-in";
    case Kind::read:
      return "read";
    case Kind::write:
      return "write";
    case Kind::atomic:
      return "atomic";
    case Kind::barrier:
      return "barrier";
    case Kind::sync:
      return "sync";
    case Kind::end:
      return "end";
  }
  return "?";
}

std::string to_string(LaneSet lanes) {
  std::string text;
  while (lanes.any_lane()) {
    const int first = lanes.first();
    int last = first;
    while (last < 127 && lanes.test(last + 1)) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ",", first);
    if (last > first) text += fmt::format("-{}", last);
    lanes = lanes.without(LaneSet::first_n(last + 1));
  }
  return text.empty() ? "none" : text;
}

namespace {

/// The lanes' first bytes, and how memory is ordered.
std::string access_text(const Event& event) {
  const Access& access = event.access;
  std::string text;
  if (!access.byte.empty()) {
    text += ", bytes (";
    std::string_view separator;
    for_each_lane(event.others, [&](int i) {
      const std::uint64_t byte = access.byte[static_cast<std::size_t>(i)];
      text += fmt::format("{}{}: {}", separator, i,
                          byte == Access::outside ? "outside" : std::to_string(byte));
      separator = ", ";
    });
    text += ")";
  }
  if (event.kind == Event::Kind::atomic || access.order != MemoryOrder{})
    text += fmt::format(" [{}]", to_string(access.order));
  return text;
}

}  // namespace

std::string to_string(const Event& event) {
  std::string text =
      event.where.line == 0  // as for start, which has no place
          ? std::string(to_string(event.kind))
          : fmt::format("{}:{}: {}", event.where.file, event.where.line, to_string(event.kind));
  if (!event.name.empty()) text += fmt::format(" {}", event.name);
  if (is_access(event.kind)) text += fmt::format(" {}", to_string(event.access.object));
  text += fmt::format(" -> {}", tangles_text(event.tangles));
  if (event.others.any_lane()) text += fmt::format(", others {{{}}}", to_string(event.others));
  text += arrivals_text(event);
  if (event.kind == Event::Kind::trip) text += fmt::format(", trip {}", event.trip);
  if (is_access(event.kind)) text += access_text(event);
  if (event.kind == Event::Kind::barrier || event.kind == Event::Kind::sync)
    text += fmt::format(" [{}]", to_string(event.sync));
  const LaneSet shown = event.others.any_lane() ? event.others : [&] {
    LaneSet all;
    for (const Tangle& t : event.tangles) all = all | t.lanes;
    return all;
  }();
  for (const LaneValues& operand : event.operands) {
    text += fmt::format(", ({})", values_text(operand, shown));
  }
  if (event.result.type != LaneValues::Type::none)
    text += fmt::format(" = ({})", values_text(event.result, shown));
  return text;
}

}  // namespace lockstep
