# Flags of Lockstep's own sources, and how they are compiled. Nothing here reaches users.

option(LOCKSTEP_UNITY "Compile small sources of a folder together, which takes less than half as long" ON)

# lockstep_unity(<target>)
# Groups the target's sources as the file unity.txt in their folder says: `together N` sources in a group, in which a source
# named by `alone NAME` is not. With `folders too` it speaks for the folders below as well, NAME being a path from there.
# Sources of folders without such a file are compiled alone.
function(lockstep_unity target)
  if(NOT LOCKSTEP_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    get_filename_component(source ${source} ABSOLUTE)
    get_filename_component(folder ${source} DIRECTORY)
    lockstep_find_unity(${folder} room)
    if(NOT room)
      continue()
    endif()
    if(NOT DEFINED together_${room})
      lockstep_read_unity(${room})
    endif()
    string(LENGTH ${room}/ start)
    string(SUBSTRING ${source} ${start} -1 name)
    string(REGEX REPLACE "\\.[a-z.]+$" "" name ${name})
    if(NOT name IN_LIST alone_${room})
      math(EXPR group "${number_${room}} / ${together_${room}}")
      math(EXPR number_${room} "${number_${room}} + 1")
      get_filename_component(room_name ${room} NAME)
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${room_name}_${group})
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# Sets <room> to the folder whose unity.txt speaks for <folder>, or to nothing.
function(lockstep_find_unity folder room)
  set(${room} "" PARENT_SCOPE)
  set(place ${folder})
  while(place MATCHES "^${PROJECT_SOURCE_DIR}/")
    if(EXISTS ${place}/unity.txt)
      file(STRINGS ${place}/unity.txt for_folders REGEX "^folders too$")
      if(for_folders OR place STREQUAL folder)
        set(${room} ${place} PARENT_SCOPE)
      endif()
      return()
    endif()
    get_filename_component(place ${place} DIRECTORY)
  endwhile()
endfunction()

# Sets together_<folder>, alone_<folder> and number_<folder>, of sources in groups.
function(lockstep_read_unity folder)
  set(together 0)
  set(alone)
  set(file ${folder}/unity.txt)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(STRINGS ${file} lines REGEX "^[^#]")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^[a-z]+ " "" value "${line}")
    if(line MATCHES "^together [1-9][0-9]*$")
      set(together ${value})
    elseif(line MATCHES "^alone " AND EXISTS ${folder}/${value}.cpp)
      list(APPEND alone ${value})
    elseif(NOT line STREQUAL "folders too")
      message(FATAL_ERROR "${file}: '${line}' is none of 'together N', 'folders too' and 'alone NAME' of a source")
    endif()
  endforeach()
  if(NOT together)
    message(FATAL_ERROR "${file}: says nothing of 'together N'")
  endif()
  set(together_${folder} ${together} PARENT_SCOPE)
  set(alone_${folder} ${alone} PARENT_SCOPE)
  set(number_${folder} 0 PARENT_SCOPE)
endfunction()

add_library(lockstep_dev INTERFACE)
target_compile_features(lockstep_dev INTERFACE cxx_std_20)
# Its own sources are linked with each other, whether optimized or not.
target_compile_definitions(lockstep_dev INTERFACE LOCKSTEP_POISON=0)
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
