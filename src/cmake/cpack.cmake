# Read by cpack for each kind of package, before it installs anything.
set(build ${CPACK_LOCKSTEP_BUILD})
if(";${CPACK_COMPONENTS_ALL};" MATCHES ";program;")
  if(NOT CPACK_LOCKSTEP_ISA MATCHES "^(all|portable)$" AND NOT CPACK_LOCKSTEP_THIS_CPU)
    message(FATAL_ERROR "this program was compiled with LOCKSTEP_ISA=${CPACK_LOCKSTEP_ISA} and does not run on every "
                        "processor: configure with -DLOCKSTEP_ISA=all, or with -DLOCKSTEP_PACKAGE_THIS_CPU=ON")
  endif()
  if(CPACK_LOCKSTEP_MPI)
    message(FATAL_ERROR "this program needs MPI, which packages do not: configure with -DLOCKSTEP_MPI=OFF")
  endif()
  foreach(file ${CPACK_LOCKSTEP_BUILT})
    if(NOT EXISTS ${file})
      message(FATAL_ERROR "there is no ${file}: build it first, with cmake --build ${build}")
    endif()
  endforeach()
  if(CPACK_GENERATOR STREQUAL DEB)
    find_program(shlibdeps dpkg-shlibdeps)
    if(NOT shlibdeps)
      message(FATAL_ERROR "a Debian package of the program needs dpkg-shlibdeps: apt-get install dpkg-dev")
    endif()
  endif()
endif()

set(CPACK_STRIP_FILES ON)  # static libraries stay as they are
if(CPACK_GENERATOR STREQUAL TGZ)
  # One archive of two components: the program, and then what it takes along.
  set(CPACK_INSTALL_CMAKE_PROJECTS ${build} lockstep program / ${build} lockstep portable /)
  set(CPACK_MONOLITHIC_INSTALL ON)
endif()
