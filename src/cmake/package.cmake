# `cpack` in the build directory makes up to three packages: lockstep (the program and the Vulkan driver) and
# liblockstep-dev (what users compile and link) for Debian, and an archive of the program that runs from any folder.
# With -DCMAKE_INSTALL_PREFIX=/usr libraries are where Debian has those of each architecture.

# Who builds the packages maintains them: Debian's tools name people by these variables.
set(LOCKSTEP_MAINTAINER "" CACHE STRING
    "Maintainer of the Debian packages, NAME <ADDRESS>; if empty, DEBFULLNAME and DEBEMAIL of the environment")
if(LOCKSTEP_MAINTAINER)
  set(maintainer "${LOCKSTEP_MAINTAINER}")
elseif(DEFINED ENV{DEBFULLNAME} AND DEFINED ENV{DEBEMAIL})
  set(maintainer "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
else()
  set(maintainer "The Lockstep authors <lockstep@example.org>")
endif()
if(NOT maintainer MATCHES "^[^<>]+ <[^<>@ ]+@[^<>@ ]+>$")
  message(FATAL_ERROR "LOCKSTEP_MAINTAINER is '${maintainer}'; write NAME <ADDRESS>")
endif()
option(LOCKSTEP_PACKAGE_THIS_CPU "Let cpack package a program that runs only on processors like this one" OFF)
find_program(LOCKSTEP_GZIP gzip)

set(package_components development)
set(CPACK_GENERATOR DEB)
if(LOCKSTEP_BUILD_PROGRAM)
  list(PREPEND package_components program)
  list(APPEND CPACK_GENERATOR TGZ)
endif()
set(CPACK_COMPONENTS_ALL ${package_components})
set(CPACK_PACKAGE_NAME lockstep)
set(CPACK_PACKAGE_VENDOR Lockstep)
set(CPACK_PACKAGE_CONTACT "${maintainer}")
set(CPACK_PACKAGE_FILE_NAME lockstep-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "compute kernels on a CPU as a GPU subgroup runs them")
set(about
    "Lockstep runs compute kernels, written in C++ that reads like GLSL, on the CPU\nthe way a GPU subgroup does: many lanes at once, an explicit mask of active\nlanes, and any subgroup size from 1 to 128.")
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION
    "${about} It also runs unmodified\ncompute shaders, checks and traces them, and explores what their results\ndepend on.\n.\nThis package contains the program, a Vulkan driver, lessons and kernels.")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
    "${about} Unit tests include its headers and\nneed no GPU.\n.\nThis package contains the headers and the static libraries.")
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME lockstep)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "libjs-codemirror, libvulkan1")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "vulkan-tools, liblockstep-dev")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME liblockstep-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libtbb-dev (>= 2021.5), libboost-context-dev (>= 1.74), libfmt-dev (>= 8)")
if(LOCKSTEP_BUILD_SPIRV)  # what find_package(lockstep COMPONENTS spirv job) needs
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "glslang-dev, spirv-tools, nlohmann-json3-dev, libpng-dev")
endif()
# What cpack.cmake judges.
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_CURRENT_LIST_DIR}/cpack.cmake)
set(CPACK_LOCKSTEP_BUILD ${PROJECT_BINARY_DIR})
set(CPACK_LOCKSTEP_ISA ${LOCKSTEP_ISA})
set(CPACK_LOCKSTEP_THIS_CPU ${LOCKSTEP_PACKAGE_THIS_CPU})
set(CPACK_LOCKSTEP_MPI ${LOCKSTEP_MPI})
# Rules that install these pass over what is not built.
set(CPACK_LOCKSTEP_BUILT ${PROJECT_BINARY_DIR}/lockstep ${PROJECT_BINARY_DIR}/liblockstep_http.so ${manual_files})
if(TARGET lockstep_vulkan_driver)
  list(APPEND CPACK_LOCKSTEP_BUILT ${PROJECT_BINARY_DIR}/liblockstep_vulkan.so)
endif()
include(CPack)

# What Debian's policy wants in /usr/share/doc.
set(doc_build_dir ${PROJECT_BINARY_DIR}/debian)
file(READ ${PROJECT_SOURCE_DIR}/LICENSE license)
string(REGEX REPLACE "^MIT License\n\n[^\n]*\n\n" "" license "${license}")
string(REGEX REPLACE "\n\n" "\n.\n" license "${license}")
string(REGEX REPLACE "\n" "\n " license " ${license}")
string(STRIP "${license}" license)
file(CONFIGURE OUTPUT ${doc_build_dir}/copyright @ONLY CONTENT
"Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: lockstep

Files: *
Copyright: 2026 The Lockstep authors
License: Expat
 @license@
")
file(CONFIGURE OUTPUT ${doc_build_dir}/changelog @ONLY CONTENT
"lockstep (@PROJECT_VERSION@) unstable; urgency=medium

  * Release @PROJECT_VERSION@.

 -- @CPACK_PACKAGE_CONTACT@  Thu, 01 Jan 2026 00:00:00 +0000
")
if(LOCKSTEP_GZIP)
  execute_process(COMMAND ${LOCKSTEP_GZIP} -9nkf ${doc_build_dir}/changelog)
endif()
foreach(component IN LISTS package_components)
  string(TOUPPER ${component} upper)
  set(doc_dir share/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  install(FILES ${doc_build_dir}/copyright DESTINATION ${doc_dir} COMPONENT ${component})
  if(LOCKSTEP_GZIP)
    install(FILES ${doc_build_dir}/changelog.gz DESTINATION ${doc_dir} COMPONENT ${component})
  endif()
endforeach()
