#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::io {

/// All bytes of a file.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        InputError if it is missing, no regular file, or cannot be read.
/// Cost          One read.
/// Spec          None.
/// Example       tests/io/files.cpp
std::vector<std::byte> read_bytes(const std::string& path);
/// The same as text.
std::string read_text(const std::string& path);

/// Writes a file atomically: under another name next to it first.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        InputError if it cannot be written; an existing file is unchanged then.
/// Cost          One write.
/// Spec          None.
/// Example       tests/io/files.cpp
void write_text(const std::string& path, std::string_view text);

/// The file that is written if this path is: after symbolic links, also of files that do not exist yet.
std::filesystem::path written_file(const std::filesystem::path& path);

}  // namespace lockstep::io
