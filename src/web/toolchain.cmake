# For CMake: compiles to WebAssembly with Debian's clang 19 and WASI's C library, and with the C++ library that build.sh
# builds in build/web. Exceptions are WebAssembly's own.
set(CMAKE_SYSTEM_NAME Emscripten)  # the name that SPIRV-Tools knows
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang-19)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
set(CMAKE_AR /usr/bin/llvm-ar-19)
set(CMAKE_RANLIB /usr/bin/llvm-ranlib-19)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)

get_filename_component(web ${CMAKE_CURRENT_LIST_DIR}/../../build/web ABSOLUTE)
set(CMAKE_C_FLAGS_INIT "-msimd128 -fwasm-exceptions -fvisibility=hidden -ffunction-sections -fdata-sections")
string(APPEND CMAKE_C_FLAGS_INIT " -D_WASI_EMULATED_SIGNAL -D_WASI_EMULATED_PROCESS_CLOCKS -D_WASI_EMULATED_GETPID")
string(APPEND CMAKE_C_FLAGS_INIT " -I${CMAKE_CURRENT_LIST_DIR}/libc")
set(CMAKE_CXX_FLAGS_INIT
    "${CMAKE_C_FLAGS_INIT} -nostdinc++ -isystem ${web}/libcxx/include/c++/v1 -isystem ${web}/llvm/libcxxabi/include")

set(CMAKE_FIND_ROOT_PATH ${web}/none)
foreach(what LIBRARY INCLUDE PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${what} ONLY)
endforeach()
