#include "io/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "io/error.hpp"
#include "io/numbers.hpp"
#include "io/spec_constants.hpp"
#include "io/text.hpp"
#include "io/types.hpp"

namespace lockstep::io {
namespace {

using Kind = LayoutType::Kind;
using Step = Column::Step;

constexpr std::string_view component_names = "xyzw";

Dtype number_of(const LayoutType& type) {
  return type.kind == Kind::address ? Dtype::uint64 : dtype_of(type.number);
}

std::uint64_t element_count(const LayoutType& array, std::uint64_t offset, std::uint64_t bytes) {
  if (array.count != 0) return array.count;
  return array.stride == 0 || bytes < offset ? 0 : (bytes - offset) / array.stride;
}

class Finder {
 public:
  explicit Finder(std::uint64_t bytes) : bytes_(bytes) {}

  void find(const LayoutType& type, Column column) {
    switch (type.kind) {
      case Kind::structure:
        for (const LayoutMember& member : type.members) {
          Column next = column;
          next.offset += member.offset;
          if (!next.name.empty()) next.name += '.';
          next.name += member.name;
          find(member.type, std::move(next));
        }
        return;
      case Kind::array: {
        const std::uint64_t count = element_count(type, column.offset, bytes_);
        column.steps.push_back({Step::Kind::array, count, type.stride, column.name.size()});
        return find(type.members[0].type, std::move(column));
      }
      case Kind::matrix: {
        const std::uint64_t size = size_of(type.number);
        const std::size_t at = column.name.size();
        const std::uint64_t column_stride = type.row_major ? size : type.stride;
        const std::uint64_t row_stride = type.row_major ? type.stride : size;
        column.steps.push_back({Step::Kind::matrix, type.columns, column_stride, at});
        column.steps.push_back({Step::Kind::matrix, type.rows, row_stride, at});
        break;
      }
      case Kind::vector:
        column.steps.push_back(
            {Step::Kind::component, type.rows, size_of(type.number), column.name.size()});
        break;
      case Kind::number:
      case Kind::address:
        break;
    }
    column.type = number_of(type);
    columns.push_back(std::move(column));
  }

  std::vector<Column> columns;

 private:
  std::uint64_t bytes_;
};

/// The indices of number k, by step.
std::vector<std::uint64_t> indices_of(const Column& column, std::uint64_t k) {
  std::vector<std::uint64_t> indices(column.steps.size());
  for (std::size_t s = indices.size(); s-- > 0; k /= column.steps[s].count)
    indices[s] = k % column.steps[s].count;
  return indices;
}

/// The name with text of each step where its index stands.
template <class F>
std::string with_steps(const Column& column, F&& text) {
  std::string result;
  std::size_t from = 0;
  for (std::size_t s = 0; s < column.steps.size(); ++s) {
    const std::size_t at = column.steps[s].at;
    result += column.name.substr(from, at - from);
    result += text(s);
    from = at;
  }
  return result + column.name.substr(from);
}

/// A path in pieces: names with a dot before all but the first, and indices.
std::string without_indices(std::string_view path, std::vector<std::uint64_t>& indices) {
  std::string name;
  while (!path.empty()) {
    if (path.front() != '[') {
      const std::size_t end = path.find('[');
      name += path.substr(0, end);
      path.remove_prefix(end == std::string_view::npos ? path.size() : end);
      continue;
    }
    const std::size_t end = path.find(']');
    const auto index =
        end == std::string_view::npos ? std::nullopt : parse_unsigned(path.substr(1, end - 1));
    if (!index) throw InputError(fmt::format("'{}' is not an index; write [3]", path));
    indices.push_back(*index);
    path.remove_prefix(end + 1);
  }
  return name;
}

std::string known_titles(const std::vector<Column>& columns) {
  std::string all;
  for (const Column& column : columns) all += (all.empty() ? "" : ", ") + column.title();
  return all;
}

/// The column that the name means, and of a vector the component at its end.
const Column* find_column(const std::vector<Column>& columns, const std::string& name,
                          std::vector<std::uint64_t>& indices) {
  const auto found = std::ranges::find(columns, name, &Column::name);
  if (found != columns.end()) return &*found;
  if (name.size() < 3 || name[name.size() - 2] != '.') return nullptr;
  const std::size_t component = component_names.find(name.back());
  const auto vector = std::ranges::find(columns, name.substr(0, name.size() - 2), &Column::name);
  if (component == std::string_view::npos || vector == columns.end() || vector->steps.empty() ||
      vector->steps.back().kind != Step::Kind::component)
    return nullptr;
  indices.push_back(component);
  return &*vector;
}

/// NumPy's type of one number.
std::string descr_of(Dtype type) {
  const std::string_view name = name_of(type);
  const std::size_t bytes = bytes_of(type);
  return fmt::format("'{}{}{}'", bytes == 1 ? '|' : '<', name.front(), bytes);
}

/// A field of a record, and the bytes behind it that belong to nothing.
struct Field {
  std::string name;
  std::string descr;
  std::vector<std::uint64_t> shape;
  std::uint64_t offset = 0, size = 0;
};

std::string record_of(const std::vector<Field>& fields, std::uint64_t size) {
  std::string text = "[";
  std::uint64_t at = 0;
  const auto pad = [&](std::uint64_t until) {
    if (until > at) text += fmt::format("{}('', '|V{}')", text.size() > 1 ? ", " : "", until - at);
    at = until;
  };
  for (const Field& field : fields) {
    pad(field.offset);
    text += fmt::format("{}('{}', {}", text.size() > 1 ? ", " : "", field.name, field.descr);
    // A tuple of one has a comma, too.
    if (!field.shape.empty())
      text +=
          fmt::format(", ({}{})", fmt::join(field.shape, ", "), field.shape.size() == 1 ? "," : "");
    text += ")";
    at = field.offset + field.size;
  }
  pad(size);
  return text + "]";
}

Field field_of(const LayoutType& type, std::uint64_t bytes);
std::vector<Field> fields_of(const LayoutType& structure, std::uint64_t bytes);

/// An array as a field at offset 0. A stride beyond the element's size makes a record of it and what is behind it.
Field repeated(Field element, std::uint64_t count, std::uint64_t stride) {
  if (element.size != stride) {
    element.name = "value";
    element.descr = record_of({element}, stride);
    element.shape.clear();
  }
  element.shape.insert(element.shape.begin(), count);
  element.size = count * stride;
  return element;
}

/// An element of an array; a structure takes all of the stride.
Field element_of(const LayoutType& array) {
  const LayoutType& type = array.members[0].type;
  if (type.kind != Kind::structure) return field_of(type, array.stride);
  return {"", record_of(fields_of(type, array.stride), array.stride), {}, 0, array.stride};
}

std::vector<Field> fields_of(const LayoutType& structure, std::uint64_t bytes) {
  std::vector<Field> fields;
  for (const LayoutMember& member : structure.members) {
    const std::uint64_t left = bytes > member.offset ? bytes - member.offset : 0;
    Field& field = fields.emplace_back(field_of(member.type, left));
    field.name = member.name.empty() ? fmt::format("member_{}", fields.size() - 1) : member.name;
    field.offset = member.offset;
  }
  return fields;
}

/// The bytes of a structure: of all its members, and of what an array of it leaves behind each.
std::uint64_t end_of(const std::vector<Field>& fields, std::uint64_t declared) {
  std::uint64_t end = declared;
  for (const Field& field : fields) end = std::max(end, field.offset + field.size);
  return end;
}

Field field_of(const LayoutType& type, std::uint64_t bytes) {
  switch (type.kind) {
    case Kind::structure: {
      const std::vector<Field> fields = fields_of(type, bytes);
      const std::uint64_t size = end_of(fields, type.size);
      return {"", record_of(fields, size), {}, 0, size};
    }
    case Kind::array:
      return repeated(element_of(type), element_count(type, 0, bytes), type.stride);
    case Kind::matrix: {
      const std::uint64_t size = size_of(type.number);
      const std::uint64_t inner = type.row_major ? type.columns : type.rows;
      const std::uint64_t outer = type.row_major ? type.rows : type.columns;
      const Field line{"", descr_of(number_of(type)), {inner}, 0, inner * size};
      return repeated(line, outer, type.stride);
    }
    case Kind::vector:
      return {"", descr_of(number_of(type)), {type.rows}, 0, type.rows * size_of(type.number)};
    case Kind::number:
    case Kind::address:
      break;
  }
  const Dtype number = number_of(type);
  return {"", descr_of(number), {}, 0, bytes_of(number)};
}

}  // namespace

std::uint64_t Column::size() const {
  std::uint64_t all = 1;
  for (const Step& step : steps) all *= step.count;
  return all;
}

std::uint64_t Column::place(std::uint64_t k) const {
  std::uint64_t at = offset;
  for (std::size_t s = steps.size(); s-- > 0; k /= steps[s].count)
    at += k % steps[s].count * steps[s].stride;
  return at;
}

std::string Column::path(std::uint64_t k) const {
  const std::vector<std::uint64_t> indices = indices_of(*this, k);
  return with_steps(*this, [&](std::size_t s) {
    return steps[s].kind == Step::Kind::component ? fmt::format(".{}", component_names[indices[s]])
                                                  : fmt::format("[{}]", indices[s]);
  });
}

std::string Column::title() const {
  return with_steps(*this, [&](std::size_t s) {
    switch (steps[s].kind) {
      case Step::Kind::array:
        return std::string("[]");
      case Step::Kind::component:
        return "." + std::string(component_names.substr(0, steps[s].count));
      case Step::Kind::matrix:
        break;
    }
    return fmt::format("[{}]", steps[s].count);
  });
}

std::vector<Column> columns_of(const LayoutType& block, std::uint64_t bytes) {
  Finder finder(bytes);
  finder.find(block, {});
  // A buffer may be smaller than its block.
  std::erase_if(finder.columns, [&](const Column& column) {
    const std::uint64_t count = column.size();
    return count == 0 || column.place(count - 1) + bytes_of(column.type) > bytes;
  });
  return finder.columns;
}

npy::Array gather(const Column& column, const std::vector<std::byte>& bytes) {
  const std::size_t size = bytes_of(column.type);
  const auto count = static_cast<std::size_t>(column.size());
  npy::Array array{column.type, {count}, std::vector<std::byte>(count * size)};
  for (std::size_t k = 0; k < count; ++k)
    std::memcpy(array.bytes.data() + k * size, bytes.data() + column.place(k), size);
  return array;
}

void set_member(const std::vector<Column>& columns, std::string_view path, std::string_view value,
                std::vector<std::byte>& bytes) {
  std::vector<std::uint64_t> indices;
  const std::string name = without_indices(path, indices);
  const Column* column = find_column(columns, name, indices);
  if (column == nullptr)
    throw InputError(
        fmt::format("there is no member '{}'; there are {}", path, known_titles(columns)));
  // A vector or matrix may be given as a whole.
  std::uint64_t first = 0, numbers = 1;
  for (std::size_t s = 0; s < column->steps.size(); ++s) {
    const Step& step = column->steps[s];
    if (s >= indices.size() && step.kind == Step::Kind::array)
      throw InputError(
          fmt::format("'{}' is an array; write the index of one: {}", path, column->path(0)));
    if (s < indices.size() && indices[s] >= step.count)
      throw InputError(fmt::format("'{}' is outside: the last one is {}", path,
                                   column->path(column->size() - 1)));
    first = first * step.count + (s < indices.size() ? indices[s] : 0);
    if (s >= indices.size()) numbers *= step.count;
  }
  if (indices.size() > column->steps.size())
    throw InputError(fmt::format("'{}' has too many indices; write {}", path, column->path(0)));
  const auto parts = parts_of(value, ',');
  if (parts.size() != numbers)
    throw InputError(
        fmt::format("'{}' is {} numbers, but '{}' has {}", value, parts.size(), path, numbers));
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const auto element = parse_element(column->type, parts[k]);
    if (!element)
      throw InputError(fmt::format("'{}' is not a value of type {}; use a number in its range",
                                   parts[k], name_of(column->type)));
    std::memcpy(bytes.data() + column->place(first + k), element->data(), element->size());
  }
}

std::optional<RecordType> record_type_of(const LayoutType& block, std::uint64_t bytes) {
  if (numbers_of(block).size() < 2) return std::nullopt;
  // Nothing but an array: its elements.
  if (block.members.size() == 1 && block.members[0].offset == 0 &&
      block.members[0].type.kind == Kind::array &&
      block.members[0].type.members[0].type.kind == Kind::structure) {
    const LayoutType& array = block.members[0].type;
    const std::uint64_t count = element_count(array, 0, bytes);
    if (count * array.stride != bytes) return std::nullopt;
    const std::vector<Field> fields = fields_of(array.members[0].type, array.stride);
    return RecordType{
        record_of(fields, array.stride), array.stride, {static_cast<std::size_t>(count)}};
  }
  const std::vector<Field> fields = fields_of(block, bytes);
  if (end_of(fields, 0) > bytes) return std::nullopt;
  return RecordType{record_of(fields, bytes), bytes, {}};
}

}  // namespace lockstep::io
