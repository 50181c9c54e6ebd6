#pragma once

#include <optional>
#include <string>
#include <utility>

#include <lockstep/exec/suppressions.hpp>

#include "shader/front/compile.hpp"
#include "shader/front/module.hpp"

namespace lockstep::spirv {

/// A decoded, validated module, and what was removed from it for the validator.
struct DecodedModule {
  DecodedModule(Binary binary, const std::string& file)
      : module(std::move(binary.words), file),
        maximally_reconverges(binary.maximally_reconverges),
        subgroup_uniform_control_flow(binary.subgroup_uniform_control_flow),
        validator_seconds(binary.validator_seconds) {}

  Module module;
  Suppressions comments;                    ///< in its text, unless it lies in a file
  std::optional<RegisterShifts> registers;  ///< of a shader that was compiled from HLSL
  bool maximally_reconverges;
  bool subgroup_uniform_control_flow;
  float validator_seconds;  ///< that the validator took
};

}  // namespace lockstep::spirv
