#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "support/directory.hpp"

/// \file
/// The captures of tests/data/gpu: an archive for each device.

namespace lockstep::test {

inline const std::filesystem::path gpu_data = LOCKSTEP_SOURCE_DIR "/tests/data/gpu";

/// The names of the archives: those of the devices.
inline std::vector<std::string> captured_devices() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(gpu_data)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".tar.gz")) names.push_back(name.substr(0, name.size() - 7));
  }
  std::ranges::sort(names);
  return names;
}

/// The folders of an archive's jobs, unpacked into a directory.
inline std::vector<std::filesystem::path> unpacked_archive(const std::filesystem::path& archive,
                                                           const Directory& directory) {
  const std::string command =
      "tar -xzf '" + archive.string() + "' -C '" + directory.path().string() + "'";
  REQUIRE(std::system(command.c_str()) == 0);
  std::vector<std::filesystem::path> folders;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory.path())) {
    if (entry.path().filename() == "job.json") folders.push_back(entry.path().parent_path());
  }
  std::ranges::sort(folders);
  return folders;
}

/// The same for a device.
inline std::vector<std::filesystem::path> unpacked(const std::string& device,
                                                   const Directory& directory) {
  return unpacked_archive(gpu_data / (device + ".tar.gz"), directory);
}

/// What deviations.txt says: lines of DEVICE JOB NUMBER-OF-WRONG-ELEMENTS, by "DEVICE JOB".
inline std::map<std::string, std::size_t> known_deviations() {
  std::ifstream file(gpu_data / "deviations.txt");
  std::map<std::string, std::size_t> known;
  std::string device, job;
  std::size_t wrong = 0;
  while (file >> device >> job >> wrong) known[device + " " + job] = wrong;
  return known;
}

}  // namespace lockstep::test
