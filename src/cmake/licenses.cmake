# Run while the component "portable" or "python" is installed: adds the licences of the libraries and files that it brings
# along, as Debian's packages have them.
set(root $ENV{DESTDIR}${CMAKE_INSTALL_PREFIX})
file(GLOB libraries RELATIVE ${root}/${bundle_dir} ${root}/${bundle_dir}/*.so.*)
foreach(file ${license_files} ${libraries})
  execute_process(COMMAND dpkg-query -S */${file} OUTPUT_VARIABLE package ERROR_QUIET RESULT_VARIABLE failed)
  # Not those for other processors, nor for x86 with other sizes of pointers.
  string(REGEX REPLACE "[^\n]*(-cross|/libx?32/)[^\n]*\n" "" package "${package}")
  string(REGEX REPLACE "[:,].*" "" package "${package}")
  if(NOT failed AND EXISTS /usr/share/doc/${package}/copyright)
    configure_file(/usr/share/doc/${package}/copyright ${root}/${license_dir}/${package} COPYONLY)
  endif()
endforeach()
