#include "cli/own_library.hpp"

#include <dlfcn.h>

#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include <lockstep/exec/error.hpp>

namespace lockstep::cli {

namespace fs = std::filesystem;

void* function_of_library(const char* name, const char* function) {
  std::error_code none;
  const fs::path program = fs::read_symlink("/proc/self/exe", none).parent_path();
  const std::string file = fmt::format("liblockstep_{}.so", name);
  for (const fs::path& folder : {program, program / LOCKSTEP_LIBRARIES}) {
    const fs::path path = folder / file;
    if (!fs::exists(path, none)) continue;
    // Open MPI's components look for its symbols among the global ones.
    void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    void* const found = library == nullptr ? nullptr : dlsym(library, function);
    if (found == nullptr)
      throw Error(
          fmt::format("{} cannot be loaded: {}; install lockstep again", path.string(), dlerror()));
    return found;
  }
  return nullptr;
}

}  // namespace lockstep::cli
