#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "cli/run_program.hpp"

/// \file
/// What the tests of `lockstep run` share: a shader that scans, and runs whose files are in a directory.

inline const std::string scan_source = R"(#version 450
#extension GL_KHR_shader_subgroup_arithmetic : enable
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint data[]; } source;
layout(binding = 1) writeonly buffer Out { uint data[]; } result;
void main() {
  const uint i = gl_GlobalInvocationID.x;
  result.data[i] = subgroupInclusiveAdd(source.data[i]);
}
)";

inline void write(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

/// The sums of 1, 2, 3 ... within each subgroup.
inline std::vector<std::uint32_t> sums(std::size_t count, std::size_t subgroup_size) {
  std::vector<std::uint32_t> result(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t in_group = i % 64;
    const std::size_t first = in_group / subgroup_size * subgroup_size;
    for (std::size_t k = first; k <= in_group; ++k)
      result[i] += static_cast<std::uint32_t>(i / 64 * 64 + k);
  }
  return result;
}

/// The output and exit code of a run; its arguments may name files of the directory as @name.
struct RunFixture {
  Directory directory;

  RunFixture() { write(directory / "scan.comp", scan_source); }

  std::string expanded(std::string text) const {
    for (std::size_t at = text.find('@'); at != std::string::npos; at = text.find('@', at))
      text.replace(at, 1, directory / "");
    return text;
  }
  Outcome run(const std::string& arguments) const {
    return run_program("run " + expanded(arguments));
  }
  void refused(const std::string& arguments, const std::string& line) const {
    check_error("run " + expanded(arguments), 2, expanded(line));
  }
};

inline const std::string scan =
    "@scan.comp --groups 4 --buffer 0=iota:u32:256 --buffer 1=zeros:u32:256 ";
