#pragma once

namespace lockstep::cli {

/// Loads liblockstep_NAME.so, a library of the program's own that few commands need, and returns its function; null if
/// there is no such library. It is beside the program in a build folder, elsewhere where it was installed or unpacked.
/// Throws Error if the library cannot be loaded.
void* function_of_library(const char* name, const char* function);

}  // namespace lockstep::cli
