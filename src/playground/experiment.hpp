#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/spirv/module.hpp>

#include "playground/message.hpp"
#include "shader_case/run_options.hpp"

/// \file
/// An experiment: a shader and what it runs on, as the page's form has them.

namespace lockstep::playground {

struct Experiment {
  std::string source;
  std::string language = "glsl";     ///< or hlsl, wgsl
  std::vector<std::uint32_t> words;  ///< WGSL: the module that a compiler has made of the source
  shader_case::RunOptions run;       ///< its size is set unless the device's is meant

  /// The name that the shader has in messages.
  std::string name() const {
    return "shader." + (language == "glsl" ? std::string("comp") : language);
  }
};

/// Reads the members of an experiment. UsageError for a member that is neither of these nor in `others`, for values of
/// another type or without a meaning, and for inputs that are files, or too large.
Experiment read_experiment(const Json& message, std::initializer_list<std::string_view> others);

/// What may differ between two runs: size, rule, choose, device, mapping, partial and order.
void read_machine(const Json& json, shader_case::RunOptions& run);
inline constexpr std::string_view machine_fields[] = {"size",    "rule",    "choose", "device",
                                                      "mapping", "partial", "order"};

/// Compiles the source in this process; of WGSL the module is there. Throws Error with the compiler's message.
Module compile(const Experiment& experiment);

/// Removes inputs that the shader does not have, and makes those that the experiment leaves out. UsageError for more
/// invocations or bytes than the limits.
void complete_inputs(const Module& module, Experiment& experiment);

}  // namespace lockstep::playground
