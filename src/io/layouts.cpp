#include "io/layouts.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace lockstep::io {
namespace {

using Json = nlohmann::ordered_json;
using Kind = LayoutType::Kind;

/// The element of an array of arrays ..., and its brackets.
const LayoutType& innermost(const LayoutType& type, std::string& brackets) {
  if (type.kind != Kind::array) return type;
  brackets += type.count == 0 ? "[]" : fmt::format("[{}]", type.count);
  return innermost(type.members[0].type, brackets);
}

/// As in GLSL: "uint hits[4]".
std::string declaration(const LayoutMember& member) {
  std::string brackets;
  const LayoutType& type = innermost(member.type, brackets);
  const std::string_view name = member.name.empty() ? "(no name)" : std::string_view(member.name);
  return fmt::format("{} {}{}", type.name, name, brackets);
}

/// What the declaration does not tell.
std::string details(const LayoutType& type) {
  std::string text;
  if (type.kind == Kind::array) text = fmt::format("every {} bytes", type.stride);
  std::string brackets;
  const LayoutType& element = innermost(type, brackets);
  if (element.kind == Kind::matrix)
    text += fmt::format("{}{}s every {} bytes", text.empty() ? "" : ", ",
                        element.row_major ? "row" : "column", element.stride);
  if (element.kind == Kind::address) text += (text.empty() ? "" : ", ") + std::string("an address");
  return text.empty() ? text : "  (" + text + ")";
}

void add_lines(const LayoutType& structure, std::size_t depth, std::vector<std::string>& lines) {
  for (const LayoutMember& member : structure.members) {
    lines.push_back(fmt::format("{:>6}  {}{}{}", member.offset, std::string(2 * depth, ' '),
                                declaration(member), details(member.type)));
    std::string brackets;
    const LayoutType& type = innermost(member.type, brackets);
    if (type.kind == Kind::structure) add_lines(type, depth + 1, lines);
  }
}

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::number:
      return "number";
    case Kind::vector:
      return "vector";
    case Kind::matrix:
      return "matrix";
    case Kind::array:
      return "array";
    case Kind::structure:
      return "structure";
    case Kind::address:
      return "address";
  }
  return "";
}

}  // namespace

std::string members_of(const LayoutType& block) {
  std::string text;
  for (const LayoutMember& member : block.members)
    text += (text.empty() ? "" : ", ") + declaration(member);
  return text;
}

std::vector<std::string> lines_of(const LayoutType& block) {
  std::vector<std::string> lines;
  add_lines(block, 0, lines);
  return lines;
}

std::uint64_t bytes_with(const LayoutType& block, std::uint64_t elements) {
  if (block.members.empty()) return block.size;
  const LayoutMember& last = block.members.back();
  const bool is_open = last.type.kind == Kind::array && last.type.count == 0;
  return is_open ? std::max<std::uint64_t>(block.size, last.offset + elements * last.type.stride)
                 : block.size;
}

namespace {

void add_addresses(const LayoutType& type, const AddressMember& at, std::size_t most, bool numbers,
                   std::vector<AddressMember>& to) {
  if (to.size() >= most) return;
  const bool may_hold_one =
      numbers && type.kind == Kind::number && type.number == NumberType::uint64;
  if (type.kind == Kind::address || may_hold_one) return to.push_back(at);
  if (type.kind == Kind::structure)
    for (const LayoutMember& member : type.members)
      add_addresses(
          member.type,
          {at.path + (at.path.empty() ? "" : ".") + member.name, at.offset + member.offset}, most,
          numbers, to);
  if (type.kind != Kind::array) return;
  const std::uint64_t count = type.count == 0 ? most : std::min<std::uint64_t>(type.count, most);
  for (std::uint64_t k = 0; k < count; ++k)
    add_addresses(type.members[0].type,
                  {fmt::format("{}[{}]", at.path, k), at.offset + k * type.stride}, most, numbers,
                  to);
}

}  // namespace

std::vector<AddressMember> addresses_of(const LayoutType& block, std::size_t most, bool numbers) {
  std::vector<AddressMember> found;
  add_addresses(block, {}, most, numbers, found);
  return found;
}

Json to_json(const LayoutType& type) {
  Json json{{"kind", name_of(type.kind)}, {"type", type.name}, {"size", type.size}};
  if (type.kind == Kind::array) {
    json["count"] = type.count;
    json["stride"] = type.stride;
    json["element"] = to_json(type.members[0].type);
    return json;
  }
  if (type.kind == Kind::matrix) {
    json["stride"] = type.stride;
    json["row_major"] = type.row_major;
  }
  if (type.kind != Kind::structure) return json;
  json["members"] = Json::array();
  for (const LayoutMember& member : type.members) {
    Json one{{"name", member.name}, {"offset", member.offset}};
    one.update(to_json(member.type));
    json["members"].push_back(std::move(one));
  }
  return json;
}

}  // namespace lockstep::io
