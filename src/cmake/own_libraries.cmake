# liblockstep_<name>.so: parts of the program that few commands need, and whose own libraries take longer to load than most
# shaders run. src/cli/own_library.hpp finds them.
include(GNUInstallDirs)
file(RELATIVE_PATH libraries_from_program ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR}/lockstep)
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/cli/own_library.cpp PROPERTIES
                            COMPILE_DEFINITIONS "LOCKSTEP_LIBRARIES=\"${libraries_from_program}\"")
set(LOCKSTEP_OWN_LIBRARIES "")

# lockstep_add_own_library(<name> <source> <libraries>...)
function(lockstep_add_own_library name source)
  set(target lockstep_${name})
  add_library(${target} MODULE EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/src/${source})
  set_target_properties(${target} PROPERTIES PREFIX lib CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
                                             LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(${target} PRIVATE ${ARGN} lockstep_dev lockstep_isa)
  lockstep_compile_for_people(${target})
  if(LOCKSTEP_INSTALL AND LOCKSTEP_BUILD_PROGRAM)
    lockstep_find_bundle(${target} ${CMAKE_INSTALL_FULL_LIBDIR}/lockstep)
    install(TARGETS ${target} RUNTIME_DEPENDENCY_SET lockstep_libraries
            LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/lockstep COMPONENT program OPTIONAL)
  endif()
  list(APPEND LOCKSTEP_OWN_LIBRARIES ${target})
  set(LOCKSTEP_OWN_LIBRARIES ${LOCKSTEP_OWN_LIBRARIES} PARENT_SCOPE)
endfunction()

# `lockstep serve`: cpp-httplib, compiled into a library by Debian and a header elsewhere.
find_path(LOCKSTEP_HTTPLIB httplib.h)
if(NOT LOCKSTEP_HTTPLIB)
  lockstep_missing(cpp-httplib libcpp-httplib-dev)
endif()
find_library(LOCKSTEP_HTTPLIB_LIBRARY cpp-httplib)
find_package(Threads REQUIRED)
lockstep_add_own_library(http http/server.cpp Threads::Threads)
if(LOCKSTEP_HTTPLIB_LIBRARY)
  # The library has these, and they change its classes.
  target_compile_definitions(lockstep_http PRIVATE CPPHTTPLIB_OPENSSL_SUPPORT CPPHTTPLIB_ZLIB_SUPPORT
                                                   CPPHTTPLIB_BROTLI_SUPPORT)
  target_link_libraries(lockstep_http PRIVATE ${LOCKSTEP_HTTPLIB_LIBRARY})
endif()

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
if(LOCKSTEP_MPI)
  lockstep_add_own_library(mpi mpi/ranks.cpp MPI::MPI_CXX)
else()
  message(STATUS "lockstep explore will not run under mpirun: no MPI (libopenmpi-dev)")
  file(REMOVE ${PROJECT_BINARY_DIR}/liblockstep_mpi.so)
endif()
