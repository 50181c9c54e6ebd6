#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include <lockstep/spirv/reflection.hpp>

namespace lockstep::io {

/// The members of a block in one line: "uint count, Particle rest[]".
///
/// Requires      None.
/// Active lanes  None.
/// Errors        None.
/// Cost          None.
/// Spec          None.
/// Example       tests/io/layouts.cpp
std::string members_of(const LayoutType& block);
/// A line for each member, with its byte: "   16  vec3 position"; members of structures are indented.
std::vector<std::string> lines_of(const LayoutType& block);
/// The bytes of a block whose array without a size, its last member, has so many elements.
std::uint64_t bytes_with(const LayoutType& block, std::uint64_t elements);
/// A member that is a device address.
struct AddressMember {
  std::string path;  ///< in the block: "nodes[3].next"
  std::uint64_t offset = 0;
};
/// The addresses of a block in their order, at most so many: also of an array without a size.
/// numbers: also 64-bit unsigned integers, which a shader can make addresses of.
std::vector<AddressMember> addresses_of(const LayoutType& block, std::size_t most,
                                        bool numbers = false);
/// Name, type, offset, size, and of arrays and matrices stride and count; members recursively.
nlohmann::ordered_json to_json(const LayoutType& type);

}  // namespace lockstep::io
