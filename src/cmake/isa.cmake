# LOCKSTEP_ISA: the instruction set of Lockstep's own binaries, or several of which one is chosen at run time.

set(isa_flags_native -march=native)
set(isa_flags_portable "")
set(isa_flags_avx2 -march=x86-64-v3)
set(isa_flags_avx512 -march=x86-64-v4)
set(isa_flags_all "")
if(NOT DEFINED isa_flags_${LOCKSTEP_ISA})
  message(FATAL_ERROR "LOCKSTEP_ISA is '${LOCKSTEP_ISA}'; it must be all, native, portable, avx2 or avx512")
endif()
add_library(lockstep_isa INTERFACE)
target_compile_options(lockstep_isa INTERFACE ${isa_flags_${LOCKSTEP_ISA}})

# Beside the baseline; none where it is the only one.
set(isa_parts "")
if(LOCKSTEP_ISA STREQUAL "all")
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND CMAKE_EXECUTABLE_FORMAT STREQUAL "ELF" AND CMAKE_OBJCOPY
     AND NOT LOCKSTEP_SANITIZE AND NOT LOCKSTEP_FUZZ)
    set(isa_parts avx2 avx512)
    # These choose.
    set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/shader/run/functions.cpp ${PROJECT_SOURCE_DIR}/kernels/registry/registry.cpp
                        ${PROJECT_SOURCE_DIR}/src/cli/main.cpp APPEND PROPERTY COMPILE_DEFINITIONS LOCKSTEP_HAS_PARTS=1)
  else()
    message(STATUS "LOCKSTEP_ISA=all is the baseline alone: the rest wants x86-64, ELF, objcopy, and no sanitizer")
  endif()
endif()

# lockstep_add_isa_parts(<target> <symbol> <source>...)
# Sources of <target>, which compiles them for the baseline, compiled again for each further instruction set, and all
# objects of one linked to one: a part. Of its symbols only <symbol>_<part> stays global. A part contains its own copies
# of inline functions, so that no other code is linked with one of them, and it with no other's
# (docs/decisions.md, "One binary for every x86-64"). Its initializers are in a section <symbol>_<part>_init, for who
# chooses it. Call it when the target has its properties.
function(lockstep_add_isa_parts target symbol)
  foreach(part IN LISTS isa_parts)
    set(name ${target}_${part})
    add_library(${name} OBJECT EXCLUDE_FROM_ALL ${ARGN})
    target_compile_features(${name} PRIVATE cxx_std_20)
    target_include_directories(${name} PRIVATE $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
    target_compile_definitions(${name} PRIVATE $<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS> LOCKSTEP_PART=${part})
    # objcopy leaves unique symbols global, and objects for link-time optimization hold no code yet.
    target_compile_options(${name} PRIVATE $<TARGET_PROPERTY:${target},COMPILE_OPTIONS> ${isa_flags_${part}} -fno-lto
                                           $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>)
    foreach(property POSITION_INDEPENDENT_CODE UNITY_BUILD UNITY_BUILD_MODE UNITY_BUILD_BATCH_SIZE PRECOMPILE_HEADERS)
      get_target_property(value ${target} ${property})
      if(value)
        set_target_properties(${name} PROPERTIES ${property} "${value}")
      endif()
    endforeach()

    set(object ${PROJECT_BINARY_DIR}/${name}.o)
    add_custom_command(
      OUTPUT ${object}
      COMMAND ${CMAKE_LINKER} -r --force-group-allocation -o ${object}.all "$<FILTER:$<TARGET_OBJECTS:${name}>,EXCLUDE,[.][gp]ch$>"
      COMMAND ${CMAKE_OBJCOPY} --keep-global-symbol=${symbol}_${part}
              --rename-section .init_array=${symbol}_${part}_init ${object}.all ${object}
      COMMAND ${CMAKE_COMMAND} -E rm ${object}.all
      DEPENDS "$<TARGET_OBJECTS:${name}>" COMMENT "Linking ${name}.o" COMMAND_EXPAND_LISTS VERBATIM)
    set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
    target_sources(${target} PRIVATE ${object})
  endforeach()
endfunction()
