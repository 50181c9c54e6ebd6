# `cpack` in the build directory makes liblockstep-dev, a Debian package of what users compile and link. With
# -DCMAKE_INSTALL_PREFIX=/usr its library is where Debian has those of each architecture.

# Who builds the package maintains it: Debian's tools name people by these variables.
set(LOCKSTEP_MAINTAINER "" CACHE STRING
    "Maintainer of the Debian package, NAME <ADDRESS>; if empty, DEBFULLNAME and DEBEMAIL of the environment")
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
find_program(LOCKSTEP_GZIP gzip)
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME lockstep)
set(CPACK_PACKAGE_VENDOR Lockstep)
set(CPACK_PACKAGE_CONTACT "${maintainer}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "compute kernels on a CPU as a GPU subgroup runs them")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
    "Lockstep runs compute kernels, written in C++ that reads like GLSL, on the CPU\nthe way a GPU subgroup does: many lanes at once, an explicit mask of active\nlanes, and any subgroup size from 1 to 128. Unit tests include its headers and\nneed no GPU.\n.\nThis package contains the headers and the static runtime library.")
set(CPACK_COMPONENTS_ALL development)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES OFF)  # strip would remove what a static library is linked by
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME liblockstep-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libtbb-dev (>= 2021.5), libboost-context-dev (>= 1.74), libfmt-dev (>= 8)")
include(CPack)

# What Debian's policy wants in /usr/share/doc.
set(doc_dir share/doc/liblockstep-dev)
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
install(FILES ${doc_build_dir}/copyright DESTINATION ${doc_dir} COMPONENT development)
if(LOCKSTEP_GZIP)
  execute_process(COMMAND ${LOCKSTEP_GZIP} -9nkf ${doc_build_dir}/changelog)
  install(FILES ${doc_build_dir}/changelog.gz DESTINATION ${doc_dir}
          COMPONENT development)
endif()
