lockstep_require(CLI11 CLI11::CLI11 2.1 libcli11-dev)
lockstep_require(nlohmann_json nlohmann_json::nlohmann_json 3.9 nlohmann-json3-dev)
if(NOT TARGET PNG::PNG)  # its version has another name than lockstep_require expects
  find_package(PNG 1.6 QUIET)
  if(NOT PNG_FOUND)
    message(FATAL_ERROR "Lockstep's program needs libpng 1.6 or later, which was not found.\n"
                        "On Debian and Ubuntu: apt-get install libpng-dev")
  endif()
endif()

set(LOCKSTEP_PROGRAM_OPTIMIZATION -O1 CACHE STRING
    "Optimization flag of what the program does besides computing, in Release builds: -O0 compiles faster")

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
# lockstep_compile_for_people(<target>...)
# For code that reads and prints, whose time is short beside that of shaders.
function(lockstep_compile_for_people)
  foreach(target IN LISTS ARGN)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:${LOCKSTEP_PROGRAM_OPTIMIZATION}>)
  endforeach()
endfunction()

lockstep_add_part(npy nlohmann_json::nlohmann_json lockstep_headers)
lockstep_add_part(run lockstep_npy lockstep_lockstep lockstep_spirv PNG::PNG)
lockstep_add_part(amber lockstep_spirv)
lockstep_compile_plainly(lockstep_npy lockstep_run)
lockstep_compile_for_people(lockstep_amber)
# Small sources with the same headers: compiled together they take half as long.
set_target_properties(lockstep_run lockstep_amber PROPERTIES UNITY_BUILD ON)
target_precompile_headers(lockstep_run PRIVATE <fmt/format.h>)
target_precompile_headers(lockstep_amber PRIVATE <fmt/format.h> <lockstep/spirv/shader.hpp>)
lockstep_add_part(explore lockstep_spirv nlohmann_json::nlohmann_json)
lockstep_compile_plainly(lockstep_explore)
set_target_properties(lockstep_explore PROPERTIES UNITY_BUILD ON)
# The page of a trace contains its style and script.
lockstep_add_part(render lockstep_run)
lockstep_compile_for_people(lockstep_render)
set_target_properties(lockstep_render PROPERTIES UNITY_BUILD ON)
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
lockstep_compile_for_people(lockstep_explain)
set_target_properties(lockstep_explain PROPERTIES UNITY_BUILD ON)
# The lessons contain their chapters and exercises.
lockstep_add_part(lessons lockstep_spirv)
lockstep_compile_for_people(lockstep_lessons)
set_target_properties(lockstep_lessons PROPERTIES UNITY_BUILD ON)
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
    "Widths that our kernels are compiled for, as 8,32,128: fewer compile faster and still run every subgroup size up to the last; if empty 32 and 128, and all physical widths for prefix_sum, whose speed lockstep demo shows")
if(LOCKSTEP_KERNEL_WIDTHS)
  target_compile_definitions(lockstep_kernels PRIVATE LOCKSTEP_KERNEL_WIDTHS=${LOCKSTEP_KERNEL_WIDTHS})
else()
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/kernels/prefix_sum.cpp PROPERTIES
                              COMPILE_DEFINITIONS "LOCKSTEP_KERNEL_WIDTHS=1,2,4,8,16,32,64,128"
                              SKIP_UNITY_BUILD_INCLUSION ON)
endif()
# With few widths most of a kernel's compiling is what all kernels need.
set_target_properties(lockstep_kernels PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
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
# Runs shaders on a real device. The loader is opened at run time: only its headers are needed here.
find_path(LOCKSTEP_VULKAN_INCLUDE vulkan/vulkan_raii.hpp DOC "Where Vulkan's headers are")
if(NOT LOCKSTEP_VULKAN_INCLUDE)
  message(FATAL_ERROR "Lockstep's program needs Vulkan's headers, which were not found.\n"
                      "On Debian and Ubuntu: apt-get install libvulkan-dev")
endif()
lockstep_add_part(vulkan lockstep_kernels lockstep_spirv nlohmann_json::nlohmann_json ${CMAKE_DL_LIBS})
target_include_directories(lockstep_vulkan SYSTEM PUBLIC ${LOCKSTEP_VULKAN_INCLUDE})
lockstep_compile_for_people(lockstep_vulkan)
lockstep_compile_together(lockstep_vulkan 3 ${PROJECT_SOURCE_DIR}/src/vulkan/describe.cpp
                          ${PROJECT_SOURCE_DIR}/src/vulkan/device.cpp ${PROJECT_SOURCE_DIR}/src/vulkan/float_controls.cpp)
# Ranks of mpirun explore together.
set(MPI_CXX_SKIP_MPICXX ON)  # the old bindings for C++
find_package(MPI QUIET COMPONENTS CXX)
if(MPI_CXX_FOUND)
  set(has_mpi ON)
else()
  set(has_mpi OFF)
endif()
lockstep_choice(LOCKSTEP_MPI ${has_mpi} "Let lockstep explore run under mpirun; AUTO: if MPI is found")
if(LOCKSTEP_MPI AND NOT has_mpi)
  message(FATAL_ERROR "LOCKSTEP_MPI is ON, but MPI for C++ was not found.\n"
                      "On Debian and Ubuntu: apt-get install libopenmpi-dev\n"
                      "Without it: -DLOCKSTEP_MPI=OFF")
endif()
lockstep_add_part(mpi lockstep_explore)
set(other_ranks mpi_ranks)
if(LOCKSTEP_MPI)
  find_package(MPI REQUIRED COMPONENTS CXX)
  lockstep_add_part(mpi lockstep_explore MPI::MPI_CXX)
  lockstep_compile_plainly(lockstep_mpi)
endif()
# A dispatch with its inputs and outputs as a folder.
lockstep_add_part(job lockstep_run lockstep_explore nlohmann_json::nlohmann_json)
lockstep_compile_plainly(lockstep_job)
set_target_properties(lockstep_job PROPERTIES UNITY_BUILD ON)
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
                  lockstep_vulkan lockstep_lockstep CLI11::CLI11)
lockstep_compile_for_people(lockstep_cli)
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
target_precompile_headers(lockstep_cli PRIVATE <CLI/CLI.hpp> <nlohmann/json.hpp> <fmt/format.h>
                                               <lockstep/dispatch/device.hpp>)
# Each source that includes CLI11 would compile its checks of arguments, for five seconds.
file(GLOB small_sources ${PROJECT_SOURCE_DIR}/src/cli/*.cpp)
# These use names that others use otherwise, or have classes of types without linkage, of which g++ warns unless they are in
# the main source.
list(FILTER small_sources EXCLUDE REGEX "/(main|capabilities|interruption|run_amber|trace_runs|serve|serve_worker)\\.cpp$")
lockstep_compile_together(lockstep_cli 8 ${small_sources})
foreach(name capabilities interruption run_amber serve_worker)
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/cli/${name}.cpp PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
endforeach()

if(LOCKSTEP_BUILD_PROGRAM)
  add_executable(lockstep_program ${PROJECT_SOURCE_DIR}/src/cli/main.cpp)
  set_target_properties(lockstep_program PROPERTIES OUTPUT_NAME lockstep
                                                    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  target_link_libraries(lockstep_program PRIVATE lockstep_cli lockstep_dev lockstep_isa)
  lockstep_compile_for_people(lockstep_program)
  target_precompile_headers(lockstep_program REUSE_FROM lockstep_cli)
  if(LOCKSTEP_INSTALL)
    install(TARGETS lockstep_program COMPONENT program OPTIONAL)
  endif()
endif()
