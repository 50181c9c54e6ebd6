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

// The sums themselves are what the type makes of them: they wrap around or are rounded.
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
      throw ScriptError(buffer.line,
                        fmt::format("{}:{}: '{}' is no value for the {} of {}; write a number in "
                                    "its range",
                                    path, token.line, token.text, buffer.type.name, buffer.name));
    values.push_back(*value);
  }
  return values;
}

Bytes bytes_of_file(const Buffer& buffer, const FileData& file, const ReadFile& read) {
  const std::string content = read(file.path);
  Bytes bytes;
  if (file.kind == FileData::Kind::text) {
    const auto values = parse_values(buffer, file.path, content);
    if (values.size() % buffer.layout.components.size() == 0)
      bytes = bytes_of_values(buffer, values);
  } else {
    bytes.resize(content.size());
    std::memcpy(bytes.data(), content.data(), content.size());
  }
  const std::size_t expected = std::size_t{buffer.count} * buffer.layout.stride;
  if (bytes.size() != expected)
    throw ScriptError(
        buffer.line,
        fmt::format("{} does not hold the {} elements of {} ({} bytes); change SIZE or "
                    "the file",
                    file.path, buffer.count, buffer.name, expected));
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
