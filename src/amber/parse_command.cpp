#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "amber/parser.hpp"

namespace lockstep::amber {
namespace {

struct NamedComparator {
  std::string_view name;
  Comparator comparator;
};
constexpr std::array comparators{
    NamedComparator{"EQ", Comparator::eq}, NamedComparator{"NE", Comparator::ne},
    NamedComparator{"LT", Comparator::lt}, NamedComparator{"LE", Comparator::le},
    NamedComparator{"GT", Comparator::gt}, NamedComparator{"GE", Comparator::ge},
};

bool is_graphics_command(std::string_view name) {
  return name == "CLEAR" || name == "CLEAR_COLOR" || name == "CLEAR_DEPTH" ||
         name == "CLEAR_STENCIL";
}

bool is_file(const Buffer& buffer) { return std::holds_alternative<FileData>(buffer.data); }

// The number of elements in a file is known only later.
bool alike(const Buffer& a, const Buffer& b) {
  return a.type.name == b.type.name && a.layout == b.layout && a.width == b.width &&
         a.height == b.height && (a.count == b.count || is_file(a) || is_file(b));
}

}  // namespace

bool Parser::parse_repeatable(const Token& token, Command& into) {
  if (token.text == "RUN") {
    into.actions.emplace_back(token.line, parse_run());
  } else if (token.text == "COPY") {
    into.actions.emplace_back(token.line, parse_copy());
  } else if (token.text == "EXPECT") {
    into.actions.emplace_back(token.line, parse_expect());
  } else if (is_graphics_command(token.text)) {
    pipeline_named(word("the pipeline to clear"));
    fail(fmt::format("{} of a compute pipeline, which has no framebuffer; remove it", token.text));
  } else {
    return false;
  }
  return true;
}

void Parser::parse_repeat() {
  Command command{.line = line_, .times = number("count of REPEAT"), .actions = {}};
  if (command.times == 0) fail("REPEAT 0; write at least 1");
  end_statement("REPEAT");
  for (Token token; next_in_block(token, "REPEAT");)
    if (!parse_repeatable(token, command))
      fail(fmt::format("'{}' cannot be repeated; write RUN, EXPECT, COPY or END", token.text));
  end_statement("REPEAT");
  script_.commands.push_back(std::move(command));
}

Run Parser::parse_run() {
  Run run;
  run.timed = accept("TIMED_EXECUTION");
  run.pipeline = pipeline_named(word("the pipeline of RUN"));
  const Token token = reader_.peek();
  if (token.is("DRAW_RECT") || token.is("DRAW_GRID") || token.is("DRAW_ARRAY"))
    fail(fmt::format("{} of a compute pipeline; write the numbers of workgroups", token.text));
  run.groups.x = number("number of workgroups");
  run.groups.y = number("number of workgroups");
  run.groups.z = number("number of workgroups");
  end_statement("RUN");
  return run;
}

Copy Parser::parse_copy() {
  Copy copy;
  copy.from = buffer_named(word("the buffer of COPY"));
  expect("TO", "COPY");
  copy.to = buffer_named(word("the destination of COPY"));
  const Buffer& from = script_.buffers[copy.from];
  const Buffer& to = script_.buffers[copy.to];
  if (copy.from == copy.to) fail(fmt::format("COPY of {} to itself; name two buffers", from.name));
  if (!alike(from, to))
    fail(fmt::format("COPY of {} to {}, which differ in type or size; declare them alike",
                     from.name, to.name));
  end_statement("COPY");
  return copy;
}

// ---- Expectations ----

Action Parser::parse_expect() {
  const std::size_t buffer = buffer_named(word("the buffer of EXPECT"));
  const std::string comparison = word("IDX or a comparison of buffers");
  if (comparison != "IDX") return parse_expect_buffers(buffer, comparison);
  const std::uint32_t x = number("byte or pixel of IDX");
  const Token token = reader_.peek();
  if (token.is_word() && parse_literal(token.text)) {
    const std::uint32_t y = number("row of IDX");
    expect("SIZE", "EXPECT with two numbers after IDX");
    return parse_expect_pixels(buffer, x, y);
  }
  if (token.is("SIZE"))
    fail("SIZE after one number of IDX; write column and row of the first pixel");
  return parse_expect_values(buffer, x);
}

Action Parser::parse_expect_buffers(std::size_t buffer, const std::string& comparison) {
  ExpectBuffers expectation;
  expectation.buffer = buffer;
  if (comparison == "RMSE_BUFFER")
    expectation.kind = ExpectBuffers::Kind::root_mean_square;
  else if (comparison == "EQ_HISTOGRAM_EMD_BUFFER")
    expectation.kind = ExpectBuffers::Kind::histogram;
  else if (comparison != "EQ_BUFFER")
    fail(fmt::format(
        "'{}' is not a comparison; write IDX, EQ_BUFFER, RMSE_BUFFER or EQ_HISTOGRAM_EMD_BUFFER",
        comparison));
  expectation.other = buffer_named(word("the other buffer of EXPECT"));
  const Buffer& a = script_.buffers[buffer];
  const Buffer& b = script_.buffers[expectation.other];
  if (!alike(a, b))
    fail(
        fmt::format("EXPECT of {} and {}, which differ in type or size; compare buffers of the "
                    "same type and size",
                    a.name, b.name));
  if (expectation.kind != ExpectBuffers::Kind::equal) {
    expect("TOLERANCE", comparison);
    expectation.tolerance = literal("TOLERANCE").real;
  }
  const auto is_channel = [](const Component& c) {
    return c.number == Number{Encoding::unsigned_int, 8};
  };
  if (expectation.kind == ExpectBuffers::Kind::histogram &&
      (a.layout.components.size() != 4 || !std::ranges::all_of(a.layout.components, is_channel)))
    fail("EQ_HISTOGRAM_EMD_BUFFER compares four 8-bit channels; use RMSE_BUFFER for other formats");
  end_statement("EXPECT");
  return expectation;
}

Action Parser::parse_expect_pixels(std::size_t buffer, std::uint32_t x, std::uint32_t y) {
  ExpectPixels expectation;
  expectation.buffer = buffer;
  expectation.x = x;
  expectation.y = y;
  expectation.width = number("width of SIZE");
  expectation.height = number("height of SIZE");
  if (expectation.width == 0 || expectation.height == 0)
    fail("SIZE without pixels; write at least 1 1");
  const Buffer& pixels = script_.buffers[buffer];
  if (pixels.width == 0 || pixels.type.structure || pixels.type.columns > 1 || pixels.depth > 1)
    fail(fmt::format("{} has no pixels; compare values with EXPECT {} IDX BYTE EQ", pixels.name,
                     pixels.name));
  if (std::uint64_t{x} + expectation.width > pixels.width ||
      std::uint64_t{y} + expectation.height > pixels.height)
    fail(fmt::format("the rectangle extends beyond {}, which has {} x {} pixels; make it smaller",
                     pixels.name, pixels.width, pixels.height));
  const std::string comparison = word("EQ_RGB or EQ_RGBA");
  expectation.alpha = comparison == "EQ_RGBA";
  if (!expectation.alpha && comparison != "EQ_RGB")
    fail(fmt::format("'{}' does not compare pixels; write EQ_RGB or EQ_RGBA", comparison));
  for (std::size_t k = 0; k < (expectation.alpha ? 4U : 3U); ++k) {
    expectation.colour[k] = number("value of a colour");
    if (expectation.colour[k] > 255)
      fail(fmt::format("the colour {} is above 255; write 0 to 255", expectation.colour[k]));
  }
  if (accept("TOLERANCE")) expectation.tolerances = parse_tolerances(expectation.alpha ? 4 : 3);
  end_statement("EXPECT");
  return expectation;
}

Action Parser::parse_expect_values(std::size_t buffer, std::uint32_t offset) {
  ExpectValues expectation;
  expectation.buffer = buffer;
  expectation.offset = offset;
  const Buffer& target = script_.buffers[buffer];
  if (accept("TOLERANCE")) expectation.tolerances = parse_tolerances(4);
  const std::string comparator = word("EQ, NE, LT, LE, GT or GE");
  const auto* known = std::ranges::find(comparators, comparator, &NamedComparator::name);
  if (known == comparators.end())
    fail(fmt::format("'{}' is not a comparator; write EQ, NE, LT, LE, GT or GE", comparator));
  expectation.comparator = known->comparator;
  if (!expectation.tolerances.empty() && known->comparator != Comparator::eq)
    fail(fmt::format("TOLERANCE with {}, but only EQ accepts one; remove it", comparator));
  if (offset % target.layout.stride != 0)
    fail(
        fmt::format("IDX {} is inside an element: IDX counts bytes, and elements of {} have {}; "
                    "write a multiple of that",
                    offset, target.name, target.layout.stride));
  const auto& components = target.layout.components;
  while (reader_.peek().is_word()) {
    const std::string text = word("a value");
    const auto value = parse_literal(text);
    const Number number = components[expectation.values.size() % components.size()].number;
    if (!value || !fits(*value, number))
      fail(fmt::format("'{}' is not a valid value for the {} of {}; write a number in its range",
                       text, target.type.name, target.name));
    expectation.values.push_back(*value);
  }
  if (expectation.values.empty()) fail("EXPECT has no values; write at least one");
  return expectation;
}

// Numbers up to the comparator, each optionally with a percent sign.
std::vector<Tolerance> Parser::parse_tolerances(std::size_t most) {
  std::vector<Tolerance> tolerances;
  for (;;) {
    std::string text = reader_.peek().text;
    const bool joined = text.size() > 1 && text.ends_with('%');
    if (joined) text.pop_back();
    const auto value = reader_.peek().is_word() ? parse_literal(text) : std::nullopt;
    if (!value) break;
    reader_.next();
    tolerances.push_back({value->real, joined || accept("%")});
  }
  if (tolerances.empty() || tolerances.size() > most)
    fail(fmt::format("TOLERANCE with {} values; write 1 to {} numbers, with or without %",
                     tolerances.size(), most));
  return tolerances;
}

}  // namespace lockstep::amber
