#include "shader_case/command_line.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace lockstep::shader_case {
namespace {

/// As a shell reads it.
std::string quoted(const std::string& word) {
  const auto is_plain = [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("_-+=:,./%@").find(static_cast<char>(c)) != std::string_view::npos;
  };
  if (!word.empty() && std::ranges::all_of(word, is_plain)) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace

std::vector<std::string> input_options(const RunOptions& run) {
  std::vector<std::string> words;
  const auto add = [&](const char* name, const std::string& value) {
    if (value.empty()) return;
    words.emplace_back(name);
    words.push_back(value);
  };
  const auto add_all = [&](const char* name, const std::vector<std::string>& values) {
    for (const std::string& value : values) add(name, value);
  };
  add("--groups", run.groups);
  add("--invocations", run.invocations);
  add_all("--buffer", run.buffers);
  add_all("--image", run.images);
  add_all("--sampler", run.samplers);
  add_all("--address", run.addresses);
  if (run.bits) words.emplace_back("--bits");
  add("--push", run.push);
  add_all("--uniform", run.uniforms);
  add_all("--spec", run.specs);
  add_all("-D", run.defines);
  add_all("-I", run.include_dirs);
  add("--entry", run.entry.value_or(""));
  add("--target-env", run.target_env);
  add("--compiler", run.compiler);
  add("--shift", run.shift);
  if (run.no_validate) words.emplace_back("--no-validate");
  if (run.robust) words.emplace_back("--robust");
  if (run.mutant > 0) add("--mutant", std::to_string(run.mutant));
  add("--device", run.device);
  add("--lenient", run.lenient);
  return words;
}

std::string as_command(const std::vector<std::string>& words) {
  std::string command;
  for (const std::string& word : words) command += (command.empty() ? "" : " ") + quoted(word);
  return command;
}

}  // namespace lockstep::shader_case
