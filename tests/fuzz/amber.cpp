#include "amber/runner.hpp"

#include <fstream>
#include <iterator>
#include <string>
#include <variant>
#include <vector>

#include "amber/error.hpp"
#include "amber/parser.hpp"
#include "amber/script.hpp"
#include "fuzz/target.hpp"

/// \file
/// Any text as an Amber script. Scripts that parse also run, if what they ask for is little.

namespace lockstep::test {
namespace {

constexpr std::size_t most_bytes = 1u << 15;
constexpr std::uint64_t most_buffer_bytes = 1u << 22;
constexpr std::uint64_t most_workgroups = 8;
constexpr std::uint64_t most_commands = 256;

/// Long runs and large buffers are no faults.
bool is_small(const amber::Script& script) {
  std::uint64_t bytes = 0, groups = 0, commands = 0;
  for (const amber::Buffer& buffer : script.buffers)
    bytes += std::uint64_t{buffer.count} * buffer.layout.stride;
  for (const amber::Command& command : script.commands) {
    commands += command.times * command.actions.size();
    for (const auto& [line, action] : command.actions) {
      const auto* run = std::get_if<amber::Run>(&action);
      if (run == nullptr) continue;
      if (run->groups.x > 8 || run->groups.y > 8 || run->groups.z > 8) return false;
      groups += std::uint64_t{run->groups.x} * run->groups.y * run->groups.z * command.times;
    }
  }
  return bytes <= most_buffer_bytes && groups <= most_workgroups && commands <= most_commands;
}

}  // namespace

std::vector<std::uint8_t> input_of_file(const char* path) {
  std::ifstream in(path, std::ios::binary);
  return std::vector<std::uint8_t>(std::istreambuf_iterator<char>(in), {});
}

}  // namespace lockstep::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lockstep;
  if (size > test::most_bytes) return 0;
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    if (!test::is_small(amber::parse(text))) return 0;
  } catch (const amber::ScriptError&) {
    // The runner says what is wrong.
  }
  amber::RunSettings settings;
  settings.profile.max_compute_work_group_invocations = 256;
  settings.threads = 1;
  settings.max_steps = 10;
  amber::run_text("fuzz.amber", text, settings,
                  [](const std::string&) -> std::string { return "1 2 3 4"; });
  return 0;
}
