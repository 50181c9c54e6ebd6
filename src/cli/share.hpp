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

/// Of the arguments that name a file: docs/lessons/NAME and kernels/NAME, as our pages write them, are the program's own
/// files wherever the current folder has none of that name.
CLI::Validator or_shared_file();

}  // namespace lockstep::cli
