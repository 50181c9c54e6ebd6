#include "io/types.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace lockstep::io {
namespace {

struct Name {
  Dtype type;
  std::string_view short_name;
  std::string_view numpy_name;
};

constexpr std::array names{
    Name{Dtype::uint8, "u8", "uint8"},      Name{Dtype::uint16, "u16", "uint16"},
    Name{Dtype::uint32, "u32", "uint32"},   Name{Dtype::uint64, "u64", "uint64"},
    Name{Dtype::int8, "i8", "int8"},        Name{Dtype::int16, "i16", "int16"},
    Name{Dtype::int32, "i32", "int32"},     Name{Dtype::int64, "i64", "int64"},
    Name{Dtype::float16, "f16", "float16"}, Name{Dtype::float32, "f32", "float32"},
    Name{Dtype::float64, "f64", "float64"},
};

}  // namespace

std::optional<Dtype> find_type(std::string_view name) {
  const auto* found = std::ranges::find_if(
      names, [name](const Name& n) { return n.short_name == name || n.numpy_name == name; });
  if (found == names.end()) return std::nullopt;
  return found->type;
}

std::string_view name_of(Dtype type) {
  const auto* found = std::ranges::find(names, type, &Name::type);
  return found == names.end() ? "bool" : found->short_name;
}

std::string type_names() {
  std::string all;
  for (const Name& n : names) all += fmt::format("{}{}", all.empty() ? "" : ", ", n.short_name);
  return all;
}

std::size_t bytes_of(Dtype type) {
  return visit_type(type, []<class T>(std::type_identity<T>) { return sizeof(T); });
}

bool are_alike(Dtype one, Dtype other) {
  const auto is_float = [](Dtype type) { return name_of(type).front() == 'f'; };
  return bytes_of(one) == bytes_of(other) && is_float(one) == is_float(other);
}

std::string to_text(Dtype type, const std::byte* element) {
  return visit_type(type, [element]<class T>(std::type_identity<T>) {
    T value;
    std::memcpy(&value, element, sizeof(T));
    if constexpr (std::is_same_v<T, float16_t>)
      return fmt::format("{}", static_cast<float>(value));
    else if constexpr (sizeof(T) == 1)
      return fmt::format("{}", static_cast<int>(value));
    else
      return fmt::format("{}", value);
  });
}

}  // namespace lockstep::io
