#pragma once

#include <spirv/unified1/spirv.hpp11>

namespace lockstep::spirv {

/// A built-in variable that no module has: the number of invocations with which the subgroup started. `lockstep explore`
/// puts it in the place of SubgroupSize, to see whether a shader takes one for the other.
inline constexpr auto invocation_count = static_cast<spv::BuiltIn>(0x7ffffff0);

}  // namespace lockstep::spirv
