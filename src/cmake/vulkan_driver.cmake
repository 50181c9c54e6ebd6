# liblockstep_vulkan.so, a Vulkan driver, and its manifest. Programs find it by the manifest: `lockstep vulkan`
# points the loader at it.

set(can_be_driver OFF)
if(UNIX AND NOT APPLE AND CMAKE_SIZEOF_VOID_P EQUAL 8)
  set(can_be_driver ON)
endif()
lockstep_choice(LOCKSTEP_VULKAN_DRIVER ${can_be_driver} "Build a Vulkan driver; AUTO: on 64-bit Unix systems")
if(LOCKSTEP_VULKAN_DRIVER AND NOT can_be_driver)
  message(FATAL_ERROR "LOCKSTEP_VULKAN_DRIVER is ON, but the driver is for 64-bit Unix systems other than macOS.\n"
                      "Without it: -DLOCKSTEP_VULKAN_DRIVER=OFF")
endif()
if(NOT LOCKSTEP_VULKAN_DRIVER)
  return()
endif()

file(GLOB driver_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/driver/*.cpp)
set(exports ${PROJECT_SOURCE_DIR}/src/driver/exports.map)
add_library(lockstep_vulkan_driver MODULE ${driver_sources})
set_target_properties(
  lockstep_vulkan_driver
  PROPERTIES OUTPUT_NAME lockstep_vulkan PREFIX lib CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
             LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR} LINK_DEPENDS ${exports})
target_include_directories(lockstep_vulkan_driver PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_include_directories(lockstep_vulkan_driver SYSTEM PRIVATE ${LOCKSTEP_VULKAN_INCLUDE})
target_link_libraries(lockstep_vulkan_driver PRIVATE lockstep_job lockstep_explore lockstep_report lockstep_spirv lockstep_lockstep fmt::fmt
                                                     lockstep_dev lockstep_isa)
# Only what the loader looks for is seen: a program may have another glslang, or another Lockstep.
target_link_options(lockstep_vulkan_driver PRIVATE -Wl,--version-script=${exports} -Wl,--gc-sections)
# Loaders unload a driver with its last instance, but TBB's threads outlive the dispatches that they ran.
target_link_options(lockstep_vulkan_driver PRIVATE -Wl,-z,nodelete)
lockstep_compile_for_people(lockstep_vulkan_driver)
lockstep_unity(lockstep_vulkan_driver)
target_precompile_headers(lockstep_vulkan_driver PRIVATE <fmt/format.h> <lockstep/spirv/pipeline.hpp>)

# The version of Vulkan that the driver reports is the headers'.
file(STRINGS ${LOCKSTEP_VULKAN_INCLUDE}/vulkan/vulkan_core.h header_version REGEX "^#define VK_HEADER_VERSION [0-9]+$")
string(REGEX REPLACE ".* " "" header_version "${header_version}")
# lockstep_vulkan_manifest(<file> <path of the library from there>)
function(lockstep_vulkan_manifest file library)
  file(CONFIGURE OUTPUT ${file} CONTENT
"{
  \"file_format_version\": \"1.0.1\",
  \"ICD\": {
    \"library_path\": \"${library}\",
    \"api_version\": \"1.3.${header_version}\"
  }
}
")
endfunction()
lockstep_vulkan_manifest(${PROJECT_BINARY_DIR}/lockstep_vulkan.json ./liblockstep_vulkan.so)
lockstep_share(${PROJECT_BINARY_DIR}/lockstep_vulkan.json lockstep_vulkan.json)

if(LOCKSTEP_INSTALL)
  include(GNUInstallDirs)
  set(manifest_dir ${CMAKE_INSTALL_DATADIR}/lockstep)
  file(RELATIVE_PATH library_from_manifest /${manifest_dir} /${CMAKE_INSTALL_LIBDIR}/lockstep/liblockstep_vulkan.so)
  lockstep_vulkan_manifest(${PROJECT_BINARY_DIR}/installed/lockstep_vulkan.json ${library_from_manifest})
  lockstep_find_bundle(lockstep_vulkan_driver ${CMAKE_INSTALL_FULL_LIBDIR}/lockstep)
  install(TARGETS lockstep_vulkan_driver RUNTIME_DEPENDENCY_SET lockstep_libraries
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/lockstep COMPONENT program OPTIONAL)
  # Not where loaders look by themselves: it is not meant for every program of the machine, unless that is asked for.
  install(FILES ${PROJECT_BINARY_DIR}/installed/lockstep_vulkan.json DESTINATION ${manifest_dir} COMPONENT program)
  option(LOCKSTEP_VULKAN_SYSTEM_MANIFEST "Install a manifest of the Vulkan driver for all programs" OFF)
  set(unless_wanted EXCLUDE_FROM_ALL)
  if(LOCKSTEP_VULKAN_SYSTEM_MANIFEST)
    set(unless_wanted "")
  endif()
  # Its path is absolute, so it is made when the prefix is known, which `cmake --install --prefix` may change.
  set(system_manifest ${PROJECT_BINARY_DIR}/installed/lockstep_icd.json)
  set(installed_driver "@installed_driver@")
  lockstep_vulkan_manifest(${system_manifest}.in ${installed_driver})
  install(CODE "
    set(installed_driver \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/lockstep/liblockstep_vulkan.so\")
    configure_file(\"${system_manifest}.in\" \"${system_manifest}\" @ONLY)"
          COMPONENT system_manifest ${unless_wanted})
  install(FILES ${system_manifest} DESTINATION ${CMAKE_INSTALL_DATADIR}/vulkan/icd.d COMPONENT system_manifest
          ${unless_wanted})
endif()
