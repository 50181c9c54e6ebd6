#pragma once

namespace lockstep::cli {

/// Loads liblockstep_NAME.so, a library of the program's own that few commands need, and returns its function, or null if
/// the library does not exist. It lies beside the program in a build folder, and in lib/lockstep of an installation.
/// Throws Error if it cannot be loaded.
void* function_of_library(const char* name, const char* function);

}  // namespace lockstep::cli
