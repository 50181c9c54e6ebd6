# The Python package lockstep, in python/lockstep of the build folder: PYTHONPATH=BUILD/python finds it.

# Debian's packages of Python modules are for Debian's interpreter, whatever is first in PATH. pip names its own.
find_program(LOCKSTEP_PYTHON_EXECUTABLE python3 PATHS /usr/bin NO_DEFAULT_PATH
             DOC "The Python that the package is for, which has NumPy")
find_program(LOCKSTEP_PYTHON_EXECUTABLE python3)
if(LOCKSTEP_PYTHON_EXECUTABLE)
  set(Python_EXECUTABLE ${LOCKSTEP_PYTHON_EXECUTABLE})
  find_package(Python 3.9 QUIET COMPONENTS Interpreter Development.Module)
  execute_process(COMMAND ${LOCKSTEP_PYTHON_EXECUTABLE} -c "import pybind11; print(pybind11.get_include())"
                  OUTPUT_VARIABLE pybind11_hint OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  execute_process(COMMAND ${LOCKSTEP_PYTHON_EXECUTABLE} -c "import numpy" RESULT_VARIABLE numpy_result OUTPUT_QUIET ERROR_QUIET)
endif()
find_path(LOCKSTEP_PYBIND11_INCLUDE pybind11/pybind11.h HINTS ${pybind11_hint} DOC "Where pybind11 is")

set(python_lacks "")
if(NOT Python_Development.Module_FOUND)
  list(APPEND python_lacks python3-dev)
endif()
if(NOT LOCKSTEP_PYBIND11_INCLUDE)
  list(APPEND python_lacks pybind11-dev)
endif()
if(NOT numpy_result EQUAL 0)
  list(APPEND python_lacks python3-numpy)
endif()
list(JOIN python_lacks " " python_lacks)

set(can_be_python OFF)
# The interpreter would have to be sanitized, too.
if(NOT python_lacks AND NOT LOCKSTEP_SANITIZE AND NOT LOCKSTEP_FUZZ)
  set(can_be_python ON)
endif()
lockstep_choice(LOCKSTEP_PYTHON ${can_be_python} "Build the Python package; AUTO: if pybind11 and NumPy are found")
if(NOT LOCKSTEP_PYTHON)
  if(python_lacks)
    message(STATUS "Left out: the Python package (${python_lacks})")
  endif()
  return()
endif()
if(python_lacks)
  message(FATAL_ERROR "LOCKSTEP_PYTHON is ON, but what it needs was not found.\n"
                      "On Debian and Ubuntu: apt-get install ${python_lacks}\n"
                      "Without it: -DLOCKSTEP_PYTHON=OFF")
endif()

set(python_dir ${PROJECT_BINARY_DIR}/python/lockstep)
file(GLOB python_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/python/*.cpp)
set(exports ${PROJECT_SOURCE_DIR}/src/python/exports.map)
Python_add_library(lockstep_python MODULE WITH_SOABI ${python_sources})
set_target_properties(
  lockstep_python PROPERTIES OUTPUT_NAME _lockstep CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
                             LIBRARY_OUTPUT_DIRECTORY ${python_dir} LINK_DEPENDS ${exports})
target_include_directories(lockstep_python PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_include_directories(lockstep_python SYSTEM PRIVATE ${LOCKSTEP_PYBIND11_INCLUDE})
set_target_properties(lockstep_render lockstep_explain lockstep_device lockstep_vulkan lockstep_judgement PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_link_libraries(lockstep_python PRIVATE lockstep_device lockstep_vulkan lockstep_judgement lockstep_job lockstep_explore lockstep_render lockstep_explain lockstep_report lockstep_io
                                              lockstep_spirv lockstep_lockstep
                                              nlohmann_json::nlohmann_json fmt::fmt lockstep_dev lockstep_isa)
# A process may have another glslang, or another Lockstep: only the module's entry is seen. TBB's threads outlive
# dispatches, but Python unloads no modules.
target_link_options(lockstep_python PRIVATE -Wl,--version-script=${exports} -Wl,--gc-sections)
lockstep_compile_for_people(lockstep_python)
lockstep_unity(lockstep_python)
target_precompile_headers(lockstep_python PRIVATE <pybind11/pybind11.h> <pybind11/stl.h> <lockstep/spirv/pipeline.hpp>)

file(MAKE_DIRECTORY ${python_dir})
file(GLOB python_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/python/lockstep/*)
list(FILTER python_files EXCLUDE REGEX "/__pycache__$")
foreach(file IN LISTS python_files)
  get_filename_component(name ${file} NAME)
  file(CREATE_LINK ${file} ${python_dir}/${name} SYMBOLIC)
endforeach()

# What lockstep_build.py makes a wheel of: the module, and the program as an archive has it, with the libraries of both. They lie
# in the package as below any other prefix.
add_custom_target(lockstep_wheel DEPENDS lockstep_python)
if(LOCKSTEP_BUILD_PROGRAM)
  add_dependencies(lockstep_wheel lockstep_program)
  if(TARGET lockstep_vulkan_driver)
    add_dependencies(lockstep_wheel lockstep_vulkan_driver)
  endif()
endif()
if(LOCKSTEP_INSTALL)
  lockstep_find_bundle(lockstep_python ${CMAKE_INSTALL_PREFIX})
  set(bundle_dir ${CMAKE_INSTALL_LIBDIR}/lockstep)
  set(license_dir ${CMAKE_INSTALL_DATADIR}/doc/lockstep/licenses)
  install(TARGETS lockstep_python RUNTIME_DEPENDENCY_SET lockstep_python_libraries
          LIBRARY DESTINATION . COMPONENT python EXCLUDE_FROM_ALL)
  install(RUNTIME_DEPENDENCY_SET lockstep_python_libraries
          PRE_EXCLUDE_REGEXES "^lib(c|m|dl|rt|pthread)\\.so" "^ld-linux" "^libpython"
          LIBRARY DESTINATION ${bundle_dir} COMPONENT python EXCLUDE_FROM_ALL)
  install(CODE "set(bundle_dir ${bundle_dir})\nset(license_dir ${license_dir})\nset(license_files)" COMPONENT python EXCLUDE_FROM_ALL)
  install(SCRIPT ${CMAKE_CURRENT_LIST_DIR}/licenses.cmake COMPONENT python EXCLUDE_FROM_ALL)
  # Those of what is compiled into the module.
  foreach(package glslang-dev spirv-tools nlohmann-json3-dev libxbyak-dev pybind11-dev)
    install(FILES /usr/share/doc/${package}/copyright DESTINATION ${license_dir} RENAME ${package}
            COMPONENT python EXCLUDE_FROM_ALL OPTIONAL)
  endforeach()
endif()
