# Flags of Lockstep's own sources, and how they are compiled. Nothing here reaches users.

# lockstep_compile_together(<target> <count> <source>...)
# Small sources with the same headers: so many of a folder compiled together take less than half as long.
function(lockstep_compile_together target count)
  foreach(source IN LISTS ARGN)
    get_filename_component(folder ${source} DIRECTORY)
    get_filename_component(folder ${folder} NAME)
    if(NOT DEFINED number_${folder})
      set(number_${folder} 0)
    endif()
    math(EXPR batch "${number_${folder}} / ${count}")
    math(EXPR number_${folder} "${number_${folder}} + 1")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder}_${batch})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

add_library(lockstep_dev INTERFACE)
target_compile_features(lockstep_dev INTERFACE cxx_std_20)
target_compile_options(lockstep_dev INTERFACE -Wall -Wextra -Wconversion -Wshadow)
if(LOCKSTEP_WARNINGS_AS_ERRORS)
  target_compile_options(lockstep_dev INTERFACE -Werror)
endif()
# g++ 12 warns about its own AVX-512 intrinsics, which start from a deliberately undefined register,
# and about std::regex under sanitizers.
target_compile_options(lockstep_dev INTERFACE
    "$<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized;-Wno-uninitialized>")
set(LOCKSTEP_COMPILER_HEAP "" CACHE STRING
    "g++ uses twice as many megabytes before it collects garbage: 500 saves a twelfth of its time; its own choice if empty")
if(LOCKSTEP_COMPILER_HEAP)
  math(EXPR compiler_heap "${LOCKSTEP_COMPILER_HEAP} * 1000")
  target_compile_options(lockstep_dev INTERFACE
      "$<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=${compiler_heap}>")
endif()
if(LOCKSTEP_SANITIZE STREQUAL "thread")
  # g++ warns that fences are not understood; every fence here goes with atomics that are.
  target_compile_options(lockstep_dev INTERFACE -fsanitize=thread -fno-omit-frame-pointer -g1
                                                $<$<CXX_COMPILER_ID:GNU>:-Wno-tsan>)
  target_link_options(lockstep_dev INTERFACE -fsanitize=thread)
elseif(LOCKSTEP_SANITIZE)
  # Only those checks of UBSan that find what ASan does not: alignment and null alone would make g++ compile
  # three times as long, ASan's use-after-scope four times.
  set(sanitizers
      -fsanitize=address,shift,signed-integer-overflow,bounds,integer-divide-by-zero,float-cast-overflow
      -fsanitize=bool,enum,return,unreachable,vla-bound
      -fno-sanitize-address-use-after-scope
      -fno-sanitize-recover=all)
  target_compile_options(lockstep_dev INTERFACE ${sanitizers} -fno-omit-frame-pointer -g1)
  target_link_options(lockstep_dev INTERFACE ${sanitizers})
endif()

if(LOCKSTEP_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL Clang)
    message(FATAL_ERROR "LOCKSTEP_FUZZ needs clang: configure with -DCMAKE_CXX_COMPILER=clang++")
  endif()
  target_compile_options(lockstep_dev INTERFACE -fsanitize=fuzzer-no-link)
  target_link_options(lockstep_dev INTERFACE -fsanitize=fuzzer-no-link)
endif()

set(isa_flags_native -march=native)
set(isa_flags_portable "")
set(isa_flags_avx2 -march=x86-64-v3)
set(isa_flags_avx512 -march=x86-64-v4)
if(NOT DEFINED isa_flags_${LOCKSTEP_ISA})
  message(FATAL_ERROR "LOCKSTEP_ISA is '${LOCKSTEP_ISA}'; it must be native, portable, avx2 or avx512")
endif()
add_library(lockstep_isa INTERFACE)
target_compile_options(lockstep_isa INTERFACE ${isa_flags_${LOCKSTEP_ISA}})
