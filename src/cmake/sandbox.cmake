# LOCKSTEP_SANDBOX: what a folder hosted/ defines with an operating system, the folder sandboxed/ beside it defines without.

# lockstep_glob(<variable> <folder>...)
# The sources in the folders and below, for where the build runs.
function(lockstep_glob variable)
  list(TRANSFORM ARGN APPEND /*.cpp OUTPUT_VARIABLE patterns)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${patterns})
  if(LOCKSTEP_SANDBOX)
    list(FILTER sources EXCLUDE REGEX "/hosted/[^/]*$")
  else()
    list(FILTER sources EXCLUDE REGEX "/sandboxed/[^/]*$")
  endif()
  set(${variable} ${sources} PARENT_SCOPE)
endfunction()
