#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "fuzz/target.hpp"

/// \file
/// Runs a fuzz target on the files of a corpus, where libFuzzer is not there to do it. With --seeds it
/// writes what the files stand for into a directory instead, as libFuzzer wants its first corpus.

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_in(const fs::path& path) {
  if (!fs::is_directory(path)) return {path};
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(path)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  return files;
}

void write(const fs::path& path, const std::vector<std::uint8_t>& bytes) {
  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes.data()),
            static_cast<std::streamsize>(bytes.size()));
}

}  // namespace

int main(int count, char** arguments) try {
  fs::path seeds;
  std::size_t inputs = 0;
  for (int k = 1; k < count; ++k) {
    if (std::strcmp(arguments[k], "--seeds") == 0 && k + 1 < count) {
      seeds = arguments[++k];
      fs::create_directories(seeds);
      continue;
    }
    for (const fs::path& file : files_in(arguments[k])) {
      const auto input = lockstep::test::input_of_file(file.c_str());
      if (input.empty()) continue;
      if (seeds.empty())
        LLVMFuzzerTestOneInput(input.data(), input.size());
      else
        write(seeds / (std::to_string(inputs) + "_" + file.filename().string()), input);
      ++inputs;
    }
  }
  std::printf("%zu inputs\n", inputs);
  return inputs == 0 ? 1 : 0;
} catch (const std::exception& error) {
  std::printf("%s\n", error.what());
  return 1;
}
