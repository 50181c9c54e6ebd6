# Debian's xsimd target names xtl as a library to link without finding it, which would end up as -lxtl
# on the linker's command line. xtl is header-only, and Lockstep uses nothing of it: an empty target
# suffices where it is not installed.
if(NOT TARGET xtl)
  find_package(xtl QUIET)
endif()
if(NOT TARGET xtl)
  add_library(xtl INTERFACE IMPORTED)
endif()
