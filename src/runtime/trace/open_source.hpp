#pragma once

/// \file
/// Source files by the names that events have.

#include <fstream>
#include <string>

namespace lockstep::trace {

/// Sources with relative names are looked for in the current folder, then in this one, as gdb's `directory` does. To be
/// called before any other thread traces.
void set_source_folder(std::string folder);

/// The file of that name; a stream that failed if there is none.
std::ifstream open_source(const std::string& name);

}  // namespace lockstep::trace
