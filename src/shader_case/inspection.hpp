#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <lockstep/spirv/module.hpp>
#include <lockstep/spirv/reflection.hpp>
#include <lockstep/spirv/shader_interface.hpp>

#include "shader_case/proposal.hpp"
#include "shader_case/run_options.hpp"

/// \file
/// What a shader declares and needs.

namespace lockstep::shader_case {

/// What is known of a shader. The engine's part is missing for one that it does not support.
struct Inspection {
  std::vector<std::string> entry_points;
  std::vector<std::string> other_features;  ///< that profiles do not have
  Reflection declared;
  std::optional<ShaderInterface> needed;
  std::string unsupported;       ///< why
  bool makes_addresses = false;  ///< of integers
  Proposal proposal;             ///< what the command runs it on
};

/// Of the entry point and specialization constants of the options. Throws UsageError and InputError.
Inspection inspection_of(const Module& module, const RunOptions& options);

/// As the members of `lockstep inspect --json`.
nlohmann::ordered_json to_json(const RunOptions& options, const Inspection& shader);

/// A command that runs it on what is proposed.
std::string command_of(const RunOptions& options, const Inspection& shader);
/// The profiles of devices that run one workgroup of the shader.
std::vector<std::string> profiles_of(const ShaderInterface& needed);
std::vector<std::string> names_of(Features features);

bool is_buffer(const Reflection::Binding& binding);
/// "storage image".
std::string_view name_of(Reflection::Binding::Kind kind);
/// "1:3".
std::string slot_of(const Reflection::Binding& binding);
/// As GLSL spells the value.
std::string default_of(const DeclaredConstant& constant);

}  // namespace lockstep::shader_case
