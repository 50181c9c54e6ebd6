#pragma once

/// \file
/// Source files by the names that events have.

#include <istream>
#include <map>
#include <memory>
#include <string>

namespace lockstep::trace {

/// Sources with relative names are looked for in the current folder, then in this one, as gdb's `directory` does. To be
/// called before any other thread traces.
void set_source_folder(std::string folder);

/// Texts by name that are taken in place of files: those that a shader was compiled of, wherever it is now. To be called
/// before any other thread traces.
void set_source_texts(std::map<std::string, std::string> texts);

/// The source of that name; null if there is none.
std::unique_ptr<std::istream> open_source(const std::string& name);

}  // namespace lockstep::trace
