#include "shader/front/other_compiler.hpp"

#include <fmt/format.h>

#include <lockstep/exec/error.hpp>

namespace lockstep::spirv {

std::vector<std::uint32_t> compile_by(const std::string& compiler, const std::string& path,
                                      const CompileOptions&) {
  throw Error(fmt::format(
      "{}: {} cannot be run: this build (LOCKSTEP_SANDBOX) starts no program; use GLSL, HLSL or a "
      "module",
      path, compiler));
}

}  // namespace lockstep::spirv
