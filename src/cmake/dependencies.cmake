# Required packages. Optional are only MPI and CodeMirror: see program.cmake.

# lockstep_missing(<what> <Debian packages>): ends the configuration.
function(lockstep_missing what debian)
  message(FATAL_ERROR "Lockstep needs ${what}, which was not found.\n"
                      "On Debian and Ubuntu: apt-get install ${debian}\n"
                      "Elsewhere: point CMAKE_PREFIX_PATH to where it is installed.")
endfunction()

# lockstep_require(<package> <target> <minimum version> <Debian packages>)
# Finds a package unless the enclosing project already provides its target. The version is compared
# here, because through find_package several of these packages reject any newer major version.
macro(lockstep_require package target minimum debian)
  if(NOT TARGET ${target})
    find_package(${package} QUIET)
    if(NOT ${package}_FOUND OR NOT TARGET ${target})
      lockstep_missing("${package} ${minimum} or later" "${debian}")
    elseif(${package}_VERSION VERSION_LESS ${minimum})
      message(FATAL_ERROR "Lockstep needs ${package} ${minimum} or later, "
                          "but found ${${package}_VERSION} in ${${package}_DIR}.")
    endif()
  endif()
endmacro()

if(NOT LOCKSTEP_SANDBOX)
  lockstep_require(TBB TBB::tbb 2021.5 libtbb-dev)
endif()
if(NOT LOCKSTEP_SANDBOX OR LOCKSTEP_BUILD_TESTS)  # tests use other headers of Boost, which come with it
  lockstep_require(boost_context Boost::context 1.74 libboost-context-dev)
endif()
lockstep_require(fmt fmt::fmt 8 libfmt-dev)
