# The component "portable": what an archive of the program has besides the program, so that it runs where no package is
# installed. Of the system it needs only the C and C++ libraries.
set(bundle_dir ${CMAKE_INSTALL_LIBDIR}/lockstep)
set(license_dir ${CMAKE_INSTALL_DATADIR}/doc/lockstep/licenses)
install(RUNTIME_DEPENDENCY_SET lockstep_libraries
        PRE_EXCLUDE_REGEXES "^lib(c|m|dl|rt|pthread|stdc\\+\\+|gcc_s)\\.so" "^ld-linux"
        LIBRARY DESTINATION ${bundle_dir} COMPONENT portable EXCLUDE_FROM_ALL)
# CodeMirror itself instead of a link to where Debian has it.
install(CODE "file(REMOVE \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${share_dir}/codemirror)"
        COMPONENT portable EXCLUDE_FROM_ALL)
if(LOCKSTEP_CODEMIRROR)
  foreach(file lib/codemirror.js lib/codemirror.css mode/clike/clike.js)
    get_filename_component(source ${LOCKSTEP_CODEMIRROR}/${file} REALPATH)
    get_filename_component(folder ${file} DIRECTORY)
    get_filename_component(name ${file} NAME)
    install(FILES ${source} DESTINATION ${share_dir}/codemirror/${folder} RENAME ${name} COMPONENT portable EXCLUDE_FROM_ALL)
  endforeach()
endif()
install(CODE "set(bundle_dir ${bundle_dir})\nset(license_dir ${license_dir})\nset(license_files codemirror/lib/codemirror.js)" COMPONENT portable EXCLUDE_FROM_ALL)
install(SCRIPT ${CMAKE_CURRENT_LIST_DIR}/licenses.cmake COMPONENT portable EXCLUDE_FROM_ALL)
# Those of what is compiled into the program.
foreach(package glslang-dev spirv-tools libcli11-dev nlohmann-json3-dev libxbyak-dev)
  install(FILES /usr/share/doc/${package}/copyright DESTINATION ${license_dir} RENAME ${package} COMPONENT program OPTIONAL)
endforeach()
