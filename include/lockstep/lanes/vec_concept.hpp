#pragma once

#include <lockstep/config.hpp>

/// \file
/// Lets the layers below glsl/ recognise a GLSL vector of lanes without including it.

namespace lockstep::inline LOCKSTEP_ABI {
namespace detail {

/// True for GLSL vectors; glsl/vec.hpp specialises it.
template <class V>
inline constexpr bool is_vec = false;

}  // namespace detail

/// A GLSL vector whose components are lanes: Vec<T, N, W> of glsl/vec.hpp.
///
/// Such a V provides `V::lane_type`, the component Lanes<T, W>; `V::components`, 2, 3 or 4; `v[k]`,
/// a const reference to component k < components; `V::generate(g)`, the vector of components g(k);
/// and `v.map(f)`, the vector of components f(component), where f returns Lanes<R, W>, or one R for
/// every lane.
///
/// Requires      None.
/// Active lanes  As for every Lanes.
/// Errors        None.
/// Cost          None.
/// Spec          GLSL vec2, vec3, vec4 and their integer and bool kin · SPIR-V OpTypeVector
/// Example       tests/glsl/vec.cpp
template <class V>
concept VecOfLanes = detail::is_vec<V>;

}  // namespace lockstep::inline LOCKSTEP_ABI
