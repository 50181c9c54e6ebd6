# The target that users link: lockstep::lockstep, made of lockstep::headers and lockstep::runtime.

include(GNUInstallDirs)
add_library(lockstep_headers INTERFACE)
add_library(lockstep::headers ALIAS lockstep_headers)
target_include_directories(
  lockstep_headers INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                             $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(lockstep_headers INTERFACE cxx_std_20)
# Without it g++ fuses a * b + c even across intrinsics, and results depend on how a kernel is written.
target_compile_options(lockstep_headers
                       INTERFACE $<$<CXX_COMPILER_ID:GNU,Clang,AppleClang>:-ffp-contract=off>)

# Compiled for the baseline instruction set, since its users may run anywhere: it never sees
# lockstep_isa.
lockstep_glob(runtime_sources ${PROJECT_SOURCE_DIR}/src/runtime)
add_library(lockstep_runtime STATIC ${runtime_sources})
# These contain gdb's printers.
set(gdb_printers ${PROJECT_SOURCE_DIR}/src/gdb/printers.py)
set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/runtime/dispatch/error.cpp ${PROJECT_SOURCE_DIR}/src/runtime/testing/print.cpp
             APPEND PROPERTY COMPILE_DEFINITIONS LOCKSTEP_GDB_PRINTERS="${gdb_printers}")
set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/runtime/dispatch/error.cpp ${PROJECT_SOURCE_DIR}/src/runtime/testing/print.cpp
             APPEND PROPERTY OBJECT_DEPENDS ${gdb_printers})
if(LOCKSTEP_SANITIZE STREQUAL "thread")
  # ThreadSanitizer would report races in oneTBB's templates, whose synchronization is in a library that it does
  # not see. The bodies of parallel loops are elsewhere.
  set_source_files_properties(
    ${PROJECT_SOURCE_DIR}/src/runtime/dispatch/hosted/threads.cpp
    PROPERTIES COMPILE_OPTIONS -fno-sanitize=thread COMPILE_DEFINITIONS LOCKSTEP_THREAD_SANITIZER
               SKIP_PRECOMPILE_HEADERS ON)
endif()
add_library(lockstep::runtime ALIAS lockstep_runtime)
target_include_directories(lockstep_runtime PRIVATE ${PROJECT_SOURCE_DIR}/src)
set_target_properties(lockstep_runtime PROPERTIES POSITION_INDEPENDENT_CODE ON)
if(NOT LOCKSTEP_INSTALL)  # built where it is linked
  set_target_properties(lockstep_runtime PROPERTIES EXCLUDE_FROM_ALL ON)
endif()
target_link_libraries(lockstep_runtime PUBLIC lockstep_headers
                                       PRIVATE fmt::fmt $<BUILD_INTERFACE:lockstep_dev>)
if(NOT LOCKSTEP_SANDBOX)
  target_link_libraries(lockstep_runtime PRIVATE TBB::tbb Boost::context)
endif()
target_precompile_headers(lockstep_runtime PRIVATE <fmt/format.h>)
lockstep_unity(lockstep_runtime)

add_library(lockstep_lockstep INTERFACE)
add_library(lockstep::lockstep ALIAS lockstep_lockstep)
target_link_libraries(lockstep_lockstep INTERFACE lockstep_headers lockstep_runtime)
