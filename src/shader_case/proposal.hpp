#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/spirv/reflection.hpp>

#include "shader_case/run_options.hpp"

/// \file
/// Inputs that a shader can run on.

namespace lockstep::shader_case {

struct Inspection;

/// What a shader is to run on; by default one workgroup, on zeros.
struct Proposal {
  /// Of a buffer.
  struct Contents {
    enum class Kind : std::uint8_t {
      zeros,
      iota,
      random,
      around,  ///< at random, a little below `near` up to a little above
      same,    ///< `near` everywhere
    };
    Kind kind = Kind::zeros;
    double near = 0;
    std::uint64_t elements = 1024;  ///< of an array without a size

    friend bool operator==(const Contents&, const Contents&) = default;
  };
  using Values = std::map<std::string, std::string>;  ///< texts by name

  std::array<std::uint32_t, 3> groups{1, 1, 1};
  std::map<std::string, Contents> contents;  ///< of buffers, by slot_of
  Values members;                            ///< of buffers: "1:0.size"
  Values push;                               ///< members
  Values specs;                              ///< by id
};

/// Whether the shader's numbers of this type are floats.
bool is_float(NumberType type);

/// What follows `lockstep run` in a command that runs the shader on that.
std::vector<std::string> arguments_of(const RunOptions& options, const Inspection& shader,
                                      const Proposal& proposal = {});
/// The options of such words.
RunOptions with_arguments(const RunOptions& options, const std::vector<std::string>& words);

}  // namespace lockstep::shader_case
