include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/lockstep)

# `cmake --install` needs no build before it: it builds the runtime library, and installs what else is there. Of a subproject
# the enclosing project's folder is the one that can be built.
install(CODE "execute_process(
  COMMAND \"${CMAKE_COMMAND}\" --build \"${CMAKE_BINARY_DIR}\" --target lockstep_runtime
          --config \"\${CMAKE_INSTALL_CONFIG_NAME}\"
  RESULT_VARIABLE lockstep_result)
if(NOT lockstep_result EQUAL 0)
  message(FATAL_ERROR \"Lockstep's runtime library could not be built: see above\")
endif()" COMPONENT development)

foreach(part headers runtime lockstep)
  set_target_properties(lockstep_${part} PROPERTIES EXPORT_NAME ${part})
endforeach()
install(TARGETS lockstep_headers lockstep_runtime lockstep_lockstep EXPORT lockstepTargets
        ARCHIVE COMPONENT development)
install(EXPORT lockstepTargets NAMESPACE lockstep:: DESTINATION ${package_dir}
        COMPONENT development)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/lockstep TYPE INCLUDE COMPONENT development)
# Programs that link the runtime library contain these; this copy is for those that use headers only.
install(FILES ${PROJECT_SOURCE_DIR}/src/gdb/printers.py DESTINATION ${CMAKE_INSTALL_DATADIR}/lockstep/gdb
        COMPONENT development)
install(PROGRAMS ${PROJECT_SOURCE_DIR}/src/lint/plain_writes.sh DESTINATION ${CMAKE_INSTALL_DATADIR}/lockstep/lint
        COMPONENT development)
install(FILES ${PROJECT_SOURCE_DIR}/src/lint/plain_writes.query DESTINATION ${CMAKE_INSTALL_DATADIR}/lockstep/lint
        COMPONENT development)

# A part of its own: find_package(lockstep COMPONENTS spirv).
if(LOCKSTEP_BUILD_SPIRV)
  set_target_properties(lockstep_spirv PROPERTIES EXPORT_NAME spirv)
  install(TARGETS lockstep_spirv EXPORT lockstepSpirvTargets ARCHIVE COMPONENT development OPTIONAL)
  install(EXPORT lockstepSpirvTargets NAMESPACE lockstep:: DESTINATION ${package_dir}
          COMPONENT development)
endif()

# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/lockstepConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_LIST_DIR}/lockstepConfig.cmake ${CMAKE_CURRENT_LIST_DIR}/glslang.cmake
              ${PROJECT_BINARY_DIR}/lockstepConfigVersion.cmake
        DESTINATION ${package_dir} COMPONENT development)

# For other build systems. The library is static, so its users link what it uses.
file(RELATIVE_PATH prefix_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
set(includedir_of_pc ${CMAKE_INSTALL_INCLUDEDIR})
if(NOT IS_ABSOLUTE "${includedir_of_pc}")
  set(includedir_of_pc "\${prefix}/${includedir_of_pc}")
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/lockstep.pc.in ${PROJECT_BINARY_DIR}/lockstep.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/lockstep.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
        COMPONENT development)
