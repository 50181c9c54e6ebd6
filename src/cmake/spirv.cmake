# lockstep::spirv: real shaders. Its own library, so that who writes kernels in C++ needs no glslang.

find_package(Threads QUIET)
find_package(SPIRV-Tools QUIET)
find_package(SPIRV-Tools-opt QUIET)
find_package(SPIRV-Tools-link QUIET)
find_package(glslang QUIET)
if(NOT TARGET SPIRV-Tools-static OR NOT TARGET SPIRV-Tools-opt OR NOT TARGET glslang::SPIRV)
  message(FATAL_ERROR "Lockstep's shaders need glslang and SPIRV-Tools, which were not found.\n"
                      "On Debian and Ubuntu: apt-get install glslang-dev spirv-tools spirv-headers\n"
                      "Elsewhere: point CMAKE_PREFIX_PATH to where they are installed.")
endif()

lockstep_add_part(spirv lockstep_lockstep glslang::glslang glslang::SPIRV
                  glslang::glslang-default-resource-limits SPIRV-Tools-opt SPIRV-Tools-static)
add_library(lockstep::spirv ALIAS lockstep_spirv)
# Registers hold numbers of one type after another.
target_compile_options(lockstep_spirv PRIVATE -fno-strict-aliasing)
target_precompile_headers(lockstep_spirv PRIVATE <lockstep/exec/scopes.hpp> <lockstep/spirv/shader.hpp> <fmt/format.h>)
