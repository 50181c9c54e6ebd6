# What the program reads at run time, in share/lockstep beside it: src/cli/share.hpp finds that in a build folder, installed
# and unpacked. No path of the machine that builds is in the program.
include(GNUInstallDirs)

set(share_dir ${CMAKE_INSTALL_DATADIR}/lockstep)
file(RELATIVE_PATH share_from_program ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_DATADIR}/lockstep)
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/cli/share.cpp PROPERTIES
                            COMPILE_DEFINITIONS "LOCKSTEP_SHARE=\"${share_from_program}\"")

# lockstep_share(<folder> <name>): a folder in share/lockstep of the build folder.
function(lockstep_share folder name)
  set(link ${PROJECT_BINARY_DIR}/share/lockstep/${name})
  get_filename_component(parent ${link} DIRECTORY)
  file(MAKE_DIRECTORY ${parent})
  file(CREATE_LINK ${folder} ${link} SYMBOLIC)
endfunction()
lockstep_share(${PROJECT_SOURCE_DIR}/docs/lessons docs/lessons)
lockstep_share(${PROJECT_SOURCE_DIR}/kernels kernels)
# The editor of `lockstep serve`.
find_path(LOCKSTEP_CODEMIRROR lib/codemirror.js PATHS /usr/share/javascript/codemirror
          DOC "Where CodeMirror 5 is (Debian: libjs-codemirror); without it the editor is a plain text area")
if(LOCKSTEP_CODEMIRROR)
  lockstep_share(${LOCKSTEP_CODEMIRROR} codemirror)
else()
  message(STATUS "The editor of lockstep serve will be a plain text area: no CodeMirror (libjs-codemirror)")
  file(REMOVE ${PROJECT_BINARY_DIR}/share/lockstep/codemirror)
endif()

# lockstep_find_bundle(<target> <folder>): installed there, it finds the libraries that an archive of the program brings
# along, and they find each other.
function(lockstep_find_bundle target folder)
  file(RELATIVE_PATH bundle ${folder} ${CMAKE_INSTALL_FULL_LIBDIR}/lockstep)
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN/${bundle}")
  if(UNIX AND NOT APPLE)
    target_link_options(${target} PRIVATE -Wl,--disable-new-dtags)
  endif()
endfunction()

if(LOCKSTEP_INSTALL)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/lessons DESTINATION ${share_dir}/docs COMPONENT program
          FILES_MATCHING REGEX "\\.(md|comp|amber|svg)$")
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/kernels DESTINATION ${share_dir} COMPONENT program
          FILES_MATCHING REGEX "\\.(comp|hpp|json)$" PATTERN registry EXCLUDE)
  # Where Debian has CodeMirror, if its package is installed.
  file(RELATIVE_PATH codemirror ${CMAKE_INSTALL_FULL_DATADIR}/lockstep /usr/share/javascript/codemirror)
  install(CODE "file(CREATE_LINK ${codemirror} \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${share_dir}/codemirror SYMBOLIC)" COMPONENT program)
  install(FILES ${PROJECT_SOURCE_DIR}/README.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/lockstep COMPONENT program)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/lockstep COMPONENT program
          FILES_MATCHING REGEX "\\.(md|yml)$" PATTERN lessons EXCLUDE PATTERN pictures EXCLUDE)
endif()

# lockstep_name_sources(<target>...): traces and findings name their sources as the repository does, kernels/NAME/NAME.hpp.
# Compilers get them absolute, or relative to the build folder from ccache.
function(lockstep_name_sources)
  file(RELATIVE_PATH source_from_build ${PROJECT_BINARY_DIR} ${PROJECT_SOURCE_DIR})
  foreach(folder ${PROJECT_SOURCE_DIR} ${source_from_build})
    string(REGEX REPLACE "/$" "" folder "${folder}")
    foreach(target IN LISTS ARGN)
      target_compile_options(${target} PRIVATE -fmacro-prefix-map=${folder}/=)
    endforeach()
  endforeach()
endfunction()
