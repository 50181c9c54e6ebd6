#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <lockstep/dispatch/profile.hpp>

#include "explore/explorer.hpp"
#include "explore/shader_subject.hpp"
#include "shader_case/shader_case.hpp"

/// \file
/// A shader with everything that it runs on as what is explored.

namespace lockstep::shader_case {

/// The shader of a case, which lives as long.
explore::ShaderSubject subject_of(const ShaderCase& shader, Pipeline pipeline,
                                  const Dispatch& dispatch);

/// Powers of two that the profile allows, from `least` at least.
std::vector<int> usual_sizes(const Profile& profile, int least);

/// Sets what the case's workgroups and the request's sizes allow: quads, the number of workgroups, and where subgroups may
/// be partial, which it returns in words.
std::string set_shape(explore::Request& request, const ShaderCase& shader, bool full_subgroups);

/// An element that differs, with both values.
struct Differing {
  std::string place;  ///< "element 3", or a member's path
  std::size_t index = 0;
  std::string path, now, before;
  std::size_t bytes = 0;
};
/// The number in which the counterexample's difference is, in the buffers that the shader writes; nothing where it is
/// between the numbers of a block.
std::optional<Differing> differing(const explore::Verdict& verdict,
                                   const std::vector<const BoundBuffer*>& written);

}  // namespace lockstep::shader_case
