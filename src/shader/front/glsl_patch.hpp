#pragma once

#include <string>

/// \file
/// Shaders may use extensions that are newer than the installed glslang.

namespace lockstep::spirv {

struct PatchedGlsl {
  std::string text;
  bool maximally_reconverges = false;
};

/// Rewrites uses of GL_KHR_shader_subgroup_rotate, GL_EXT_shader_quad_control, GL_EXT_subgroupuniform_qualifier
/// and GL_EXT_maximal_reconvergence into what glslang 12 supports. Line numbers do not change.
PatchedGlsl patch_glsl(const std::string& text);

}  // namespace lockstep::spirv
