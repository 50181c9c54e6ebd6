lockstep_require(CLI11 CLI11::CLI11 2.1 libcli11-dev)
lockstep_require(nlohmann_json nlohmann_json::nlohmann_json 3.9 nlohmann-json3-dev)
if(NOT TARGET PNG::PNG)  # its version has another name than lockstep_require expects
  find_package(PNG 1.6 QUIET)
  if(NOT PNG_FOUND)
    message(FATAL_ERROR "Lockstep's program needs libpng 1.6 or later, which was not found.\n"
                        "On Debian and Ubuntu: apt-get install libpng-dev")
  endif()
endif()

# lockstep_add_part(<name> <libraries>...)
# A part of the program, src/<name>, as a library that tests can link, too, without main.cpp.
function(lockstep_add_part name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  add_library(lockstep_${name} STATIC EXCLUDE_FROM_ALL ${sources})
  target_include_directories(lockstep_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
                                                     $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/kernels>)
  target_link_libraries(lockstep_${name} PUBLIC fmt::fmt ${ARGN}
                        PRIVATE $<BUILD_INTERFACE:lockstep_dev> $<BUILD_INTERFACE:lockstep_isa>)
endfunction()

# lockstep_compile_plainly(<target>...)
# For code without lanes: more optimization takes long and gains nothing.
function(lockstep_compile_plainly)
  foreach(target IN LISTS ARGN)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  endforeach()
endfunction()

lockstep_add_part(npy nlohmann_json::nlohmann_json lockstep_headers)
lockstep_add_part(run lockstep_npy lockstep_lockstep lockstep_spirv PNG::PNG)
lockstep_add_part(amber lockstep_spirv)
lockstep_compile_plainly(lockstep_npy lockstep_run lockstep_amber)
# Small sources with the same headers: compiled together they take half as long.
set_target_properties(lockstep_run lockstep_amber PROPERTIES UNITY_BUILD ON)
target_precompile_headers(lockstep_run PRIVATE <fmt/format.h>)
target_precompile_headers(lockstep_amber PRIVATE <fmt/format.h> <lockstep/spirv/shader.hpp>)
lockstep_add_part(explore lockstep_spirv nlohmann_json::nlohmann_json)
lockstep_compile_plainly(lockstep_explore)
# The page of a trace contains its style and script.
lockstep_add_part(render lockstep_run)
lockstep_compile_plainly(lockstep_render)
function(lockstep_read_asset variable file)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/render/${file})
  file(READ ${PROJECT_SOURCE_DIR}/src/render/${file} text)
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()
lockstep_read_asset(page page.html)
lockstep_read_asset(experiment experiment.html)
lockstep_read_asset(style page.css)
foreach(script model source timeline details operations outcome controls serve)
  lockstep_read_asset(script_${script} page/${script}.js)
endforeach()
foreach(kind html css js)
  lockstep_read_asset(check_${kind} check.${kind})
endforeach()
configure_file(${PROJECT_SOURCE_DIR}/src/render/assets.cpp.in ${PROJECT_BINARY_DIR}/page_assets.cpp @ONLY)
target_sources(lockstep_render PRIVATE ${PROJECT_BINARY_DIR}/page_assets.cpp)
lockstep_add_part(explain lockstep_run nlohmann_json::nlohmann_json)
lockstep_compile_plainly(lockstep_explain)
# The lessons contain their chapters and exercises.
lockstep_add_part(lessons lockstep_spirv)
lockstep_compile_plainly(lockstep_lessons)
file(GLOB chapters CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/lessons/*/README.md)
list(SORT chapters)
set(lesson_texts "")
foreach(chapter IN LISTS chapters)
  get_filename_component(folder ${chapter} DIRECTORY)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${chapter} ${folder}/exercise.comp)
  file(READ ${chapter} chapter)
  file(READ ${folder}/exercise.comp exercise)
  string(APPEND lesson_texts "    {R\"lesson(${chapter})lesson\",\n     R\"lesson(${exercise})lesson\"},\n")
endforeach()
configure_file(${PROJECT_SOURCE_DIR}/src/lessons/texts.cpp.in ${PROJECT_BINARY_DIR}/lesson_texts.cpp @ONLY)
target_sources(lockstep_lessons PRIVATE ${PROJECT_BINARY_DIR}/lesson_texts.cpp)
lockstep_add_part(kernels lockstep_lockstep)
set(LOCKSTEP_KERNEL_WIDTHS "" CACHE STRING
    "Widths that our kernels are compiled for, as 8,32,128: fewer compile faster and still run every subgroup size up to the last; all physical widths if empty")
if(LOCKSTEP_KERNEL_WIDTHS)
  target_compile_definitions(lockstep_kernels PRIVATE LOCKSTEP_KERNEL_WIDTHS=${LOCKSTEP_KERNEL_WIDTHS})
endif()
# Each kernel is a source of its own, which would otherwise parse all of Lockstep again.
target_precompile_headers(lockstep_kernels PRIVATE <lockstep/lockstep.hpp> <fmt/format.h>)
lockstep_add_part(twins lockstep_kernels lockstep_spirv)
# A second implementation of shaders, for tests; it computes with numbers of many digits.
find_package(Boost 1.74 QUIET)
if(Boost_FOUND)
  lockstep_add_part(reference Boost::headers)
  target_include_directories(lockstep_reference PRIVATE ${PROJECT_SOURCE_DIR}/include)
  lockstep_compile_plainly(lockstep_reference)
endif()
# Runs shaders on a real device, whose loader is opened when one is asked for: no part links it.
find_package(Vulkan QUIET)
if(Vulkan_FOUND)
  lockstep_add_part(vulkan lockstep_kernels lockstep_spirv nlohmann_json::nlohmann_json Vulkan::Headers ${CMAKE_DL_LIBS})
  lockstep_compile_plainly(lockstep_vulkan)
endif()
# Ranks of mpirun explore together.
set(MPI_CXX_SKIP_MPICXX ON)  # the old bindings for C++
find_package(MPI QUIET COMPONENTS CXX)
option(LOCKSTEP_MPI "Let lockstep explore run under mpirun; on if MPI is found" "${MPI_CXX_FOUND}")
if(LOCKSTEP_MPI)
  find_package(MPI REQUIRED COMPONENTS CXX)
  lockstep_add_part(mpi lockstep_explore MPI::MPI_CXX)
  lockstep_compile_plainly(lockstep_mpi)
endif()
# A dispatch with its inputs and outputs as a folder.
lockstep_add_part(job lockstep_run lockstep_explore nlohmann_json::nlohmann_json)
lockstep_compile_plainly(lockstep_job)
add_library(lockstep::job ALIAS lockstep_job)
# A part of its own: find_package(lockstep COMPONENTS spirv job).
if(LOCKSTEP_INSTALL AND LOCKSTEP_BUILD_SPIRV)
  foreach(part npy run explore job)
    set_target_properties(lockstep_${part} PROPERTIES EXPORT_NAME ${part})
  endforeach()
  install(TARGETS lockstep_npy lockstep_run lockstep_explore lockstep_job EXPORT lockstepJobTargets
          ARCHIVE COMPONENT development OPTIONAL)
  install(EXPORT lockstepJobTargets NAMESPACE lockstep:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/lockstep
          COMPONENT development)
endif()
# The Vulkan driver, a shared library, is made of these.
set_target_properties(lockstep_npy lockstep_run lockstep_explore lockstep_job PROPERTIES POSITION_INDEPENDENT_CODE ON)
include(${CMAKE_CURRENT_LIST_DIR}/vulkan_driver.cmake)
lockstep_add_part(cli lockstep_npy lockstep_run lockstep_job lockstep_amber lockstep_explain lockstep_lessons lockstep_explore lockstep_render lockstep_kernels lockstep_spirv
                  lockstep_lockstep CLI11::CLI11)
lockstep_compile_plainly(lockstep_cli)
# `lockstep serve`: cpp-httplib, compiled into a library by Debian and a header elsewhere; CodeMirror as a system has it.
find_path(LOCKSTEP_HTTPLIB httplib.h)
if(NOT LOCKSTEP_HTTPLIB)
  message(FATAL_ERROR "Lockstep's program needs cpp-httplib, which was not found.\n"
                      "On Debian and Ubuntu: apt-get install libcpp-httplib-dev")
endif()
find_library(LOCKSTEP_HTTPLIB_LIBRARY cpp-httplib)
find_path(LOCKSTEP_CODEMIRROR lib/codemirror.js PATHS /usr/share/javascript/codemirror
          DOC "Where CodeMirror 5 is (Debian: libjs-codemirror); without it the editor is a plain text area")
set(codemirror "")
if(LOCKSTEP_CODEMIRROR)
  set(codemirror ${LOCKSTEP_CODEMIRROR})
endif()
find_package(Threads REQUIRED)
target_link_libraries(lockstep_cli PRIVATE Threads::Threads)
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/cli/serve.cpp PROPERTIES
                            COMPILE_DEFINITIONS "LOCKSTEP_CODEMIRROR=\"${codemirror}\"")
if(LOCKSTEP_HTTPLIB_LIBRARY)
  # The library has these, and they change its classes.
  set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/cli/serve.cpp APPEND PROPERTY COMPILE_DEFINITIONS
               CPPHTTPLIB_OPENSSL_SUPPORT CPPHTTPLIB_ZLIB_SUPPORT CPPHTTPLIB_BROTLI_SUPPORT)
  target_link_libraries(lockstep_cli PRIVATE ${LOCKSTEP_HTTPLIB_LIBRARY})
endif()
file(GLOB serve_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/kernels/*/*.comp ${PROJECT_SOURCE_DIR}/docs/lessons/*/show.comp)
set(serve_sources "")
set(serve_source_count 0)
foreach(file IN LISTS serve_files)
  file(READ ${file} text)
  get_filename_component(name ${file} NAME_WE)
  get_filename_component(folder ${file} DIRECTORY)
  get_filename_component(folder ${folder} NAME)
  # Later passes of a kernel have other names than their folder.
  if(file MATCHES "/kernels/" AND NOT name STREQUAL folder)
    continue()
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  if(file MATCHES "/lessons/")
    set(name "lesson ${folder}")
  endif()
  string(APPEND serve_sources "    {\"${name}\", R\"glsl(${text})glsl\"},\n")
  math(EXPR serve_source_count "${serve_source_count} + 1")
endforeach()
configure_file(${PROJECT_SOURCE_DIR}/src/cli/serve_sources.cpp.in ${PROJECT_BINARY_DIR}/serve_sources.cpp @ONLY)
target_sources(lockstep_cli PRIVATE ${PROJECT_BINARY_DIR}/serve_sources.cpp)
if(LOCKSTEP_MPI)
  target_link_libraries(lockstep_cli PUBLIC lockstep_mpi)
  target_compile_definitions(lockstep_cli PUBLIC LOCKSTEP_MPI=1)
endif()
if(TARGET lockstep_vulkan)
  target_link_libraries(lockstep_cli PUBLIC lockstep_vulkan)
  target_compile_definitions(lockstep_cli PUBLIC LOCKSTEP_VULKAN=1)
endif()
target_precompile_headers(lockstep_cli PRIVATE <CLI/CLI.hpp> <nlohmann/json.hpp> <fmt/format.h>
                                               <lockstep/dispatch/device.hpp>)
# Sources that include CLI11 compile its checks of arguments for five seconds.
set_source_files_properties(
  ${PROJECT_SOURCE_DIR}/src/cli/capture_device.cpp ${PROJECT_SOURCE_DIR}/src/cli/capture_script.cpp
  ${PROJECT_SOURCE_DIR}/src/cli/check_report.cpp ${PROJECT_SOURCE_DIR}/src/cli/judgement_text.cpp
  ${PROJECT_SOURCE_DIR}/src/cli/inspection.cpp ${PROJECT_SOURCE_DIR}/src/cli/outcome_json.cpp ${PROJECT_SOURCE_DIR}/src/cli/run_amber.cpp
  ${PROJECT_SOURCE_DIR}/src/cli/job_options.cpp ${PROJECT_SOURCE_DIR}/src/cli/run_buffers.cpp ${PROJECT_SOURCE_DIR}/src/cli/interruption.cpp ${PROJECT_SOURCE_DIR}/src/cli/capabilities.cpp
  ${PROJECT_SOURCE_DIR}/src/cli/run_progress.cpp
  ${PROJECT_SOURCE_DIR}/src/cli/run_explain.cpp ${PROJECT_SOURCE_DIR}/src/cli/run_report.cpp ${PROJECT_SOURCE_DIR}/src/cli/run_shader.cpp
  ${PROJECT_SOURCE_DIR}/src/cli/shader_job.cpp ${PROJECT_SOURCE_DIR}/src/cli/trace_page.cpp
  ${PROJECT_SOURCE_DIR}/src/cli/serve_guard.cpp ${PROJECT_SOURCE_DIR}/src/cli/serve_inputs.cpp
  ${PROJECT_SOURCE_DIR}/src/cli/serve_experiment.cpp ${PROJECT_SOURCE_DIR}/src/cli/serve_examples.cpp
  ${PROJECT_SOURCE_DIR}/src/cli/serve_worker.cpp
  ${PROJECT_SOURCE_DIR}/src/cli/trace_kernels.cpp PROPERTIES SKIP_PRECOMPILE_HEADERS ON)

if(LOCKSTEP_BUILD_PROGRAM)
  add_executable(lockstep_program ${PROJECT_SOURCE_DIR}/src/cli/main.cpp)
  set_target_properties(lockstep_program PROPERTIES OUTPUT_NAME lockstep
                                                    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  target_link_libraries(lockstep_program PRIVATE lockstep_cli lockstep_dev lockstep_isa)
  lockstep_compile_plainly(lockstep_program)
  target_precompile_headers(lockstep_program REUSE_FROM lockstep_cli)
  if(LOCKSTEP_INSTALL)
    install(TARGETS lockstep_program COMPONENT program OPTIONAL)
  endif()
endif()
