# lockstep::spirv: shaders. Its own library, so that kernels in C++ do not need glslang.

include(${CMAKE_CURRENT_LIST_DIR}/glslang.cmake)
if(NOT LOCKSTEP_HAS_GLSLANG)
  lockstep_missing("glslang with SPIRV-Tools" "glslang-dev spirv-tools spirv-headers")
endif()

# With the oracle's arithmetic, which shaders run on.
lockstep_glob(spirv_sources ${PROJECT_SOURCE_DIR}/src/shader ${PROJECT_SOURCE_DIR}/src/oracle)
add_library(lockstep_spirv STATIC ${spirv_sources})
add_library(lockstep::spirv ALIAS lockstep_spirv)
if(NOT LOCKSTEP_BUILD_SPIRV)
  set_target_properties(lockstep_spirv PROPERTIES EXCLUDE_FROM_ALL ON)
endif()
# The Vulkan driver, a shared library, is made of it.
set_target_properties(lockstep_spirv PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_compile_options(lockstep_spirv PRIVATE -fno-semantic-interposition)
target_include_directories(lockstep_spirv PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>)
target_link_libraries(
  lockstep_spirv
  PUBLIC lockstep_lockstep
  PRIVATE fmt::fmt glslang::glslang glslang::SPIRV glslang::glslang-default-resource-limits SPIRV-Tools-opt
          SPIRV-Tools-static $<BUILD_INTERFACE:lockstep_dev> $<BUILD_INTERFACE:lockstep_isa>)
set(LOCKSTEP_SHADER_WIDTHS "" CACHE STRING
    "Widths of the shader engine's registers, as 32,128: fewer compile faster and still run every subgroup size if 128 is the last; 32,64,128 if empty")
if(LOCKSTEP_SHADER_WIDTHS)
  target_compile_definitions(lockstep_spirv PRIVATE LOCKSTEP_SHADER_WIDTHS=${LOCKSTEP_SHADER_WIDTHS})
endif()
# Registers hold numbers of one type after another.
target_compile_options(lockstep_spirv PRIVATE -fno-strict-aliasing)
# Without F16C float16_t is processed one lane at a time, and g++ 12 spends minutes unrolling it.
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/shader/run/ops/reduction_float16.cpp
                            PROPERTIES COMPILE_OPTIONS $<$<NOT:$<CONFIG:Debug>>:-O1>
                                       SKIP_PRECOMPILE_HEADERS ON)
lockstep_unity(lockstep_spirv)
target_precompile_headers(lockstep_spirv PRIVATE <lockstep/exec/scopes.hpp> <lockstep/exec/reconvergence_stack.hpp> <fmt/format.h>)
# Functions on lanes. Those that go lane by lane are the same for each instruction set.
set(lane_functions ${spirv_sources})
list(FILTER lane_functions INCLUDE REGEX "/src/shader/(run|instruments/[a-z]+)/ops/[^/]*$")
list(FILTER lane_functions EXCLUDE REGEX "/(allow[a-z_]*|chosen_order|cube|lane_values|print|reduction_order)\\.cpp$")
lockstep_add_isa_parts(lockstep_spirv lockstep_functions ${lane_functions})

# Machine code for programs, on processors that the library writes it for. Elsewhere they run slower.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND UNIX)
  find_path(LOCKSTEP_XBYAK_INCLUDE xbyak/xbyak.h DOC "Where Xbyak, an assembler for x86-64, is")
  if(NOT LOCKSTEP_XBYAK_INCLUDE)
    lockstep_missing(Xbyak libxbyak-dev)
  endif()
  target_include_directories(lockstep_spirv SYSTEM PRIVATE ${LOCKSTEP_XBYAK_INCLUDE})
  target_compile_definitions(lockstep_spirv PRIVATE LOCKSTEP_SPIRV_NATIVE=1)
else()
  message(STATUS "Shaders run without machine code, which exists for x86-64")
endif()
