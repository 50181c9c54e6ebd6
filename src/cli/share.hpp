#pragma once

#include <filesystem>
#include <string>

namespace CLI {
class Validator;
}

namespace lockstep::cli {

/// The folder of the program's files: shaders of the lessons, kernels, CodeMirror and the Vulkan driver's manifest. In a
/// build folder it is beside the program, elsewhere where it was installed or unpacked with it. Empty if neither exists.
std::filesystem::path share_folder();

/// For arguments that name a file: docs/lessons/NAME and kernels/NAME name the program's own files unless the current
/// folder has such a file.
CLI::Validator or_shared_file();

}  // namespace lockstep::cli
