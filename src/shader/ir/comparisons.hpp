#pragma once

#include "shader/ir/ir.hpp"

namespace lockstep::spirv {

/// Whether the operation compares two numbers: its result is a bool, whatever its type.
constexpr bool is_comparison(Code code) {
  return code == Code::equal || code == Code::not_equal || code == Code::less ||
         code == Code::less_equal;
}

}  // namespace lockstep::spirv
