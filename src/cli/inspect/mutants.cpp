#include "cli/inspect/mutants.hpp"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/load_module.hpp"
#include "shader/front/decoded_module.hpp"
#include "shader/front/mutants.hpp"

namespace lockstep::cli {
namespace {

using Json = nlohmann::ordered_json;
using spirv::Mutant;

Json json_of(const Mutant& mutant, std::size_t number) {
  return {{"number", number},
          {"kind", spirv::name_of(mutant.kind)},
          {"file", mutant.where.file},
          {"line", mutant.where.line},
          {"change", mutant.change}};
}

void print(const Mutant& mutant, std::size_t number, const std::string& file) {
  const auto& [name, line, column] = mutant.where;
  const std::string place = line == 0      ? "declared"
                            : name == file ? fmt::format("line {}", line)
                                           : fmt::format("{}:{}", name, line);
  fmt::print("{:4}  {}: {}\n", number, place, mutant.change);
}

}  // namespace

ExitCode list_mutants(const RunOptions& options) {
  const Module module = load_module(options);
  const std::vector<Mutant> all = with_usage_errors(
      [&] { return spirv::mutants_of(module.decoded()->module, options.entry.value_or("main")); });
  Json json{{"file", options.files.front()}, {"mutants", Json::array()}};
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (options.json)
      json["mutants"].push_back(json_of(all[k], k + 1));
    else
      print(all[k], k + 1, module.name());
  }
  if (options.json)
    fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
  else if (all.empty())
    fmt::print("none: nothing to delete, weaken or change\n");
  return exit_fine;
}

}  // namespace lockstep::cli
