#include "amber/memory.hpp"

#include <fmt/format.h>

#include <cstring>

#include "amber/error.hpp"
#include "amber/reader.hpp"

namespace lockstep::amber {
namespace {

using Bytes = std::vector<std::byte>;

// Every component of every element from next(), which is called in a script's order.
template <class Next>
void store_all(const Buffer& buffer, Bytes& bytes, Next next) {
  const std::size_t stride = buffer.layout.stride;
  for (std::size_t at = 0; at + stride <= bytes.size(); at += stride)
    for (const Component& component : buffer.layout.components)
      store(next(), component.number, bytes.data() + at + component.byte);
}

Bytes bytes_of_values(const Buffer& buffer, const std::vector<Literal>& values) {
  Bytes bytes(values.size() / buffer.layout.components.size() * buffer.layout.stride);
  std::size_t at = 0;
  store_all(buffer, bytes, [&] { return values[at++]; });
  return bytes;
}

// The sums wrap around or are rounded, depending on the type.
Bytes bytes_of_series(const Buffer& buffer, const Series& series) {
  Bytes bytes(std::size_t{buffer.count} * buffer.layout.stride);
  const bool floating = buffer.layout.components.front().number.encoding == Encoding::floating;
  const auto whole = [](const Literal& l) { return l.negative ? 0 - l.magnitude : l.magnitude; };
  Literal value;
  value.fractional = floating;
  value.real = series.start.real;
  value.magnitude = whole(series.start);
  const std::uint64_t step = whole(series.increment);
  store_all(buffer, bytes, [&] {
    const Literal current = value;
    value.real += series.increment.real;
    value.magnitude += step;
    return current;
  });
  return bytes;
}

std::vector<Literal> parse_values(const Buffer& buffer, const std::string& path,
                                  const std::string& text) {
  const auto& components = buffer.layout.components;
  std::vector<Literal> values;
  Reader reader(text);
  for (Token token = reader.next(); token.kind != Token::Kind::end_of_text; token = reader.next()) {
    if (!token.is_word()) continue;
    const auto value = parse_literal(token.text);
    if (!value || !fits(*value, components[values.size() % components.size()].number))
      throw ScriptError(
          buffer.line,
          fmt::format(
              "{}:{}: '{}' is not a valid value for the {} of {}; write a number in its range",
              path, token.line, token.text, buffer.type.name, buffer.name));
    values.push_back(*value);
  }
  return values;
}

[[noreturn]] void fail_file(const Buffer& buffer, const FileData& file, const std::string& what) {
  throw ScriptError(buffer.line, fmt::format("{} {}", file.path, what));
}

// A file decides how many elements there are, whatever SIZE says. It must agree only where elements
// have rows and columns.
void check_size(const Buffer& buffer, const FileData& file, std::size_t bytes) {
  const std::size_t stride = buffer.layout.stride, expected = std::size_t{buffer.count} * stride;
  if (bytes == 0)
    fail_file(buffer, file, fmt::format("is empty, but {} needs an element; add one", buffer.name));
  if (bytes > max_buffer_bytes)
    fail_file(buffer, file, "is more than 4 GiB, the largest size of a buffer; make it smaller");
  if (buffer.width > 0 && bytes != expected)
    fail_file(buffer, file,
              fmt::format("does not hold the {} elements of {} ({} bytes); change WIDTH and HEIGHT "
                          "or the file",
                          buffer.count, buffer.name, expected));
}

Bytes bytes_of_file(const Buffer& buffer, const FileData& file, const ReadFile& read) {
  const std::string content = read(file.path);
  const bool text = file.kind == FileData::Kind::text;
  Bytes bytes;
  std::vector<Literal> values;
  if (text) {
    values = parse_values(buffer, file.path, content);
  } else {
    bytes.resize(content.size());
    std::memcpy(bytes.data(), content.data(), content.size());
  }
  const std::size_t each = text ? buffer.layout.components.size() : buffer.layout.stride;
  const std::size_t there = text ? values.size() : bytes.size();
  if (there % each != 0)
    fail_file(buffer, file,
              fmt::format("has {} {}, but an element of {} takes {}; give whole elements", there,
                          text ? "values" : "bytes", buffer.name, each));
  if (text) bytes = bytes_of_values(buffer, values);
  check_size(buffer, file, bytes.size());
  return bytes;
}

}  // namespace

Bytes initial_bytes(const Buffer& buffer, const ReadFile& read) {
  if (const auto* data = std::get_if<Data>(&buffer.data))
    return bytes_of_values(buffer, data->values);
  if (const auto* series = std::get_if<Series>(&buffer.data))
    return bytes_of_series(buffer, *series);
  if (const auto* file = std::get_if<FileData>(&buffer.data))
    return bytes_of_file(buffer, *file, read);
  Bytes bytes(std::size_t{buffer.count} * buffer.layout.stride);
  if (const auto* fill = std::get_if<Fill>(&buffer.data))
    store_all(buffer, bytes, [fill] { return fill->value; });
  return bytes;
}

}  // namespace lockstep::amber
