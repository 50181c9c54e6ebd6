#include "cli/words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <utility>

#include <lockstep/dispatch/profile.hpp>

#include "registry/registry.hpp"

namespace lockstep::cli {

// The words are the validator's name, where command_pages.cpp finds them.
CLI::Validator one_of(std::vector<std::string> words) {
  const std::string name = fmt::format("{}", fmt::join(words, " "));
  return CLI::IsMember(std::move(words)).description("").name(name);
}

CLI::Validator offering(const std::vector<std::string>& words) {
  const auto accept = [](std::string&) { return std::string(); };
  return CLI::Validator(accept, "").name(fmt::format("{}", fmt::join(words, " ")));
}

std::vector<std::string> device_names() {
  std::vector<std::string> names;
  for (const Profile* profile : profile::all()) names.emplace_back(profile->name);
  return names;
}

std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  for (const kernels::Entry& kernel : kernels::all_kernels()) names.emplace_back(kernel.name);
  return names;
}

}  // namespace lockstep::cli
