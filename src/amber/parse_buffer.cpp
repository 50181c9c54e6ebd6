#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include <lockstep/dispatch/mip_levels.hpp>

#include "amber/parser.hpp"

namespace lockstep::amber {
namespace {

bool is_initializer(const Token& token) {
  return token.is("DATA") || token.is("FILL") || token.is("SERIES_FROM");
}

bool is_sample_count(std::uint32_t count) {
  return count >= 1 && count <= 64 && (count & (count - 1)) == 0;
}

}  // namespace

// ---- Structures ----

void Parser::parse_struct() {
  const std::string name = word("the name of STRUCT");
  if (structs_.contains(name) || parse_type(name))
    fail(fmt::format("type {} already exists; choose another name", name));
  auto structure = std::make_shared<Struct>();
  if (accept("STRIDE")) structure->stride = number("STRIDE of a structure");
  end_statement("STRUCT");
  std::set<std::string> names;
  for (Token token; next_in_block(token, fmt::format("STRUCT {}", name));) {
    Member member = parse_member(name, token.text);
    if (!names.insert(member.name).second)
      fail(
          fmt::format("STRUCT {} has a member {} already; choose another name", name, member.name));
    structure->members.push_back(std::move(member));
  }
  end_statement("STRUCT");
  if (structure->members.empty()) fail(fmt::format("STRUCT {} has no members; add one", name));
  structs_[name] = std::move(structure);
}

Member Parser::parse_member(const std::string& structure, const std::string& type) {
  if (type == structure)
    fail(fmt::format("STRUCT {} contains itself; remove that member", structure));
  Member member;
  member.type = type_named(type);
  member.name = word("the name of a member");
  while (reader_.peek().is_word()) {
    const std::string option = word("an option of a member");
    if (option == "OFFSET") {
      member.offset = number("OFFSET of a member");
    } else if (option == "ARRAY_STRIDE") {
      if (!member.type.array)
        fail(fmt::format("ARRAY_STRIDE of {}, which is not an array; remove it", member.name));
      member.array_stride = number("ARRAY_STRIDE of a member");
    } else if (option == "MATRIX_STRIDE") {
      if (member.type.columns == 1)
        fail(fmt::format("MATRIX_STRIDE of {}, which is not a matrix; remove it", member.name));
      member.matrix_stride = number("MATRIX_STRIDE of a member");
    } else {
      fail(fmt::format(
          "'{}' is not an option of a member; write OFFSET, ARRAY_STRIDE or MATRIX_STRIDE",
          option));
    }
  }
  return member;
}

Type Parser::type_named(const std::string& name) {
  if (const auto found = structs_.find(name); found != structs_.end()) {
    Type type;
    type.name = name;
    type.structure = found->second;
    return type;
  }
  auto type = parse_type(name);
  if (!type)
    fail(
        fmt::format("'{}' is not a data type; write one such as uint32, vec4<float>, mat4x4<float> "
                    "or the name of a STRUCT",
                    name));
  if (type->format) {
    const char channel = type->format->channels.front().name;
    if (channel == 'D' || channel == 'S' || channel == 'X')
      reject_later(
          fmt::format("{} is a format of depth and stencil buffers, which only graphics pipelines "
                      "have; use a colour format",
                      name));
  }
  return *type;
}

// ---- Buffers ----

void Parser::parse_buffer() {
  Buffer buffer;
  buffer.line = line_;
  buffer.name = word("the name of BUFFER");
  const std::string kind = word("DATA_TYPE or FORMAT");
  if (kind == "DATA_TYPE")
    parse_buffer_of_type(buffer);
  else if (kind == "FORMAT")
    parse_buffer_of_format(buffer);
  else
    fail(fmt::format("'{}' where BUFFER {} expects DATA_TYPE or FORMAT; write one of them", kind,
                     buffer.name));
  add_buffer(std::move(buffer));
}

void Parser::parse_buffer_of_type(Buffer& buffer) {
  buffer.type = type_named(word("the data type"));
  Layout layout = Layout::std430;
  if (accept("STD140"))
    layout = Layout::std140;
  else
    accept("STD430");
  set_layout(buffer, layout);
  std::string keyword = word("SIZE or DATA");
  if (keyword == "SIZE") {
    set_count(buffer, number("SIZE of a buffer"));
    keyword = word("FILL, SERIES_FROM or FILE");
    if (keyword == "DATA") fail("DATA after SIZE; the data determines the size: remove SIZE");
  } else if (keyword == "WIDTH") {
    buffer.dimensions = 2;
    buffer.width = number("WIDTH of a buffer");
    expect("HEIGHT", "WIDTH of a buffer");
    buffer.height = number("HEIGHT of a buffer");
    set_count(buffer, std::uint64_t{buffer.width} * buffer.height);
    keyword = word("FILL or SERIES_FROM");
  } else if (keyword != "DATA") {
    fail(fmt::format("'{}' where BUFFER {} expects SIZE or DATA; write one of them", keyword,
                     buffer.name));
  }
  parse_initializer(buffer, keyword);
}

// A buffer with the size of a graphics pipeline's framebuffer.
void Parser::parse_buffer_of_format(Buffer& buffer) {
  const std::string format = word("the format");
  buffer.type = type_named(format);
  if (!buffer.type.format) fail(fmt::format("'{}' is not an image format; write one", format));
  set_layout(buffer, Layout::std430);
  while (reader_.peek().is_word()) {
    const std::string option = word("an option of BUFFER");
    if (option == "MIP_LEVELS" || option == "SAMPLES") {
      number(option);
    } else if (option == "FILE") {
      accept("PNG");
      word("the path of FILE");
    } else {
      fail(fmt::format("'{}' is not an option of BUFFER FORMAT; write MIP_LEVELS, SAMPLES or FILE",
                       option));
    }
  }
  reject_later(fmt::format(
      "BUFFER {} takes its size from a graphics pipeline's framebuffer; write IMAGE with "
      "WIDTH and HEIGHT",
      buffer.name));
}

void Parser::set_layout(Buffer& buffer, Layout layout) {
  try {
    buffer.layout = layout_of(buffer.type, layout);
  } catch (const std::invalid_argument& error) {
    fail(fmt::format("{} {}", buffer.type.name, error.what()));
  }
}

void Parser::set_count(Buffer& buffer, std::uint64_t count) {
  if (count == 0) fail(fmt::format("{} has no elements; give it at least one", buffer.name));
  if (count > max_buffer_bytes / buffer.layout.stride)
    fail(fmt::format("{} is more than 4 GiB, the largest size of a buffer; use fewer elements",
                     buffer.name));
  buffer.count = static_cast<std::uint32_t>(count);
}

// Checks that each component of an element can hold each of the values.
void Parser::check_values(const Buffer& buffer, std::initializer_list<Literal> values) {
  for (const Component& component : buffer.layout.components)
    for (const Literal& value : values)
      if (!fits(value, component.number))
        fail(fmt::format("a value does not fit the {} of {}; write an integer in its range",
                         buffer.type.name, buffer.name));
}

void Parser::parse_initializer(Buffer& buffer, const std::string& keyword) {
  if (keyword == "DATA") {
    parse_data(buffer);
  } else if (keyword == "FILL") {
    const Literal value = literal("value of FILL");
    check_values(buffer, {value});
    buffer.data = Fill{value};
  } else if (keyword == "SERIES_FROM") {
    if (buffer.type.rows > 1 || buffer.type.columns > 1 || buffer.type.structure ||
        buffer.layout.components.size() > 1)
      fail(fmt::format("SERIES_FROM fills scalars, but {} holds {}; write DATA", buffer.name,
                       buffer.type.name));
    const Literal start = literal("start of SERIES_FROM");
    expect("INC_BY", "SERIES_FROM");
    const Literal increment = literal("step of SERIES_FROM");
    check_values(buffer, {start, increment});
    buffer.data = Series{start, increment};
  } else if (keyword == "FILE" && !buffer.image) {
    FileData file;
    if (accept("BINARY"))
      file.kind = FileData::Kind::binary;
    else if (!accept("TEXT"))
      fail("FILE is neither BINARY nor TEXT; say which");
    file.path = word("the path of FILE");
    buffer.data = std::move(file);
  } else {
    fail(fmt::format("'{}' does not fill {}; write DATA, FILL or SERIES_FROM", keyword,
                     buffer.name));
  }
  end_statement(buffer.image ? "IMAGE" : "BUFFER");
}

void Parser::parse_data(Buffer& buffer) {
  Data data;
  const auto& components = buffer.layout.components;
  for (Token token; next_in_block(token, fmt::format("DATA of {}", buffer.name));) {
    const auto value = parse_literal(token.text);
    const Number number = components[data.values.size() % components.size()].number;
    if (!value || !fits(*value, number))
      fail(fmt::format("'{}' is not a valid value for the {} of {}; write a number in its range",
                       token.text, buffer.type.name, buffer.name));
    data.values.push_back(*value);
  }
  if (data.values.size() % components.size() != 0)
    fail(
        fmt::format("DATA of {} has {} values, but an element of {} takes {}; write whole elements",
                    buffer.name, data.values.size(), buffer.type.name, components.size()));
  const std::uint64_t count = data.values.size() / components.size();
  if (buffer.image && count != buffer.count)
    fail(fmt::format("DATA of {} has {} texels, but its size is {}; write as many", buffer.name,
                     count, buffer.count));
  set_count(buffer, count);
  buffer.data = std::move(data);
}

// ---- Images ----

void Parser::parse_image_option(Buffer& buffer, const std::string& option) {
  if (option == "FORMAT" || option == "DATA_TYPE") {
    const std::string type = word("the format of an image");
    buffer.type = type_named(type);
    if (option == "FORMAT" && !buffer.type.format)
      fail(fmt::format("'{}' is not an image format; write one", type));
  } else if (option == "DIM_1D" || option == "DIM_2D" || option == "DIM_3D") {
    buffer.dimensions = static_cast<std::uint32_t>(option[4] - '0');
  } else if (option == "WIDTH" || option == "HEIGHT" || option == "DEPTH") {
    const std::uint32_t size = number(option);
    if (size == 0) fail(fmt::format("{} 0; an image has at least 1", option));
    (option == "WIDTH" ? buffer.width : option == "HEIGHT" ? buffer.height : buffer.depth) = size;
  } else if (option == "MIP_LEVELS") {
    buffer.levels = number(option);
    if (buffer.levels == 0) fail("MIP_LEVELS 0; an image has at least 1");
  } else if (option == "SAMPLES") {
    const std::uint32_t samples = number(option);
    if (!is_sample_count(samples))
      fail(fmt::format("SAMPLES {}; write a power of two from 1 to 64", samples));
    buffer.samples = samples;
  } else {
    fail(
        fmt::format("'{}' is not an option of IMAGE; write FORMAT, DIM_2D, WIDTH, HEIGHT, DEPTH or "
                    "an initializer",
                    option));
  }
}

void Parser::parse_image() {
  Buffer buffer;
  buffer.line = line_;
  buffer.image = true;
  buffer.height = 0;
  buffer.depth = 0;
  buffer.name = word("the name of IMAGE");
  while (reader_.peek().is_word() && !is_initializer(reader_.peek()))
    parse_image_option(buffer, word("an option of IMAGE"));
  if (buffer.type.name.empty()) fail(fmt::format("IMAGE {} has no FORMAT; write one", buffer.name));
  if (buffer.width == 0) fail(fmt::format("IMAGE {} has no WIDTH; write one", buffer.name));
  if (buffer.dimensions >= 2 && buffer.height == 0)
    fail(fmt::format("IMAGE {} has no HEIGHT; write one", buffer.name));
  if (buffer.dimensions == 3 && buffer.depth == 0)
    fail(fmt::format("IMAGE {} has no DEPTH; write one", buffer.name));
  buffer.height = std::max(buffer.height, 1U);
  buffer.depth = std::max(buffer.depth, 1U);
  if (buffer.samples > 1 && (buffer.dimensions != 2 || buffer.depth > 1))
    fail(
        fmt::format("IMAGE {} has several SAMPLES, which only DIM_2D images without DEPTH can "
                    "have; remove SAMPLES",
                    buffer.name));
  if (buffer.samples > 1 && buffer.levels > 1)
    fail(fmt::format("IMAGE {} has several SAMPLES and MIP_LEVELS; remove one of them",
                     buffer.name));
  const std::uint32_t most =
      MipLevels{{buffer.width, buffer.height, buffer.depth}, buffer.dimensions}.most();
  if (buffer.levels > most)
    fail(fmt::format("IMAGE {} has {} MIP_LEVELS, but its size allows {}; write no more than that",
                     buffer.name, buffer.levels, most));
  buffer.depth *= buffer.samples;
  set_layout(buffer, Layout::std430);
  std::uint64_t count = 0;
  if (__builtin_mul_overflow(std::uint64_t{buffer.width} * buffer.height, buffer.depth, &count))
    count = max_buffer_bytes + 1;
  set_count(buffer, count);
  if (reader_.peek().is_word())
    parse_initializer(buffer, word("an initializer"));
  else
    end_statement("IMAGE");
  add_buffer(std::move(buffer));
}

void Parser::add_buffer(Buffer buffer) {
  if (!buffers_.emplace(buffer.name, script_.buffers.size()).second)
    throw ScriptError(buffer.line,
                      fmt::format("buffer {} already exists; choose another name", buffer.name));
  script_.buffers.push_back(std::move(buffer));
}

std::size_t Parser::buffer_named(const std::string& name) const {
  const auto found = buffers_.find(name);
  if (found == buffers_.end())
    fail(fmt::format("there is no buffer {}; declare it before it is used", name));
  return found->second;
}

}  // namespace lockstep::amber
