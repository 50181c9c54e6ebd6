#include "cli/verify/find_inputs.hpp"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/child_program.hpp"
#include "cli/verify/in_threads.hpp"
#include "io/files.hpp"

namespace lockstep::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

/// The words after `lockstep run` of each set of inputs; none if the shader does not compile.
std::vector<Words> inputs_for(const std::string& shader, const VerifyOptions& options) {
  Words words{"inspect",
              shader,
              "--json",
              "--search-runs",
              std::to_string(options.search_runs),
              "--seed",
              std::to_string(options.seed),
              "--sets",
              "4"};
  const Words given = compile_words(options);
  words.insert(words.end(), given.begin(), given.end());
  const ChildOutcome outcome = run_this_program(words, options.seconds, *options.stop);
  const Json json = Json::parse(outcome.out, nullptr, false);
  if (outcome.exit_code != exit_fine || json.is_discarded() || json.contains("unsupported"))
    return {};
  return json["inputs"].get<std::vector<Words>>();
}

/// "scan", or "scan.2" if there is one.
std::string free_name(const Json& entries, const std::string& wanted) {
  std::string name = wanted;
  for (int k = 2; entries.contains(name); ++k) name = fmt::format("{}.{}", wanted, k);
  return name;
}

/// Every process of mpirun would write the file.
void refuse_ranks() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    if (std::getenv(name) != nullptr)
      throw UsageError(
          "--find-inputs writes a file, so mpirun cannot run it: find the inputs without mpirun, "
          "then verify that file with it");
  }
}

}  // namespace

void find_inputs_for(std::vector<Subject>& subjects, const VerifyOptions& options) {
  refuse_ranks();
  const InterruptHandler handler;
  VerifyOptions stoppable = options;
  stoppable.stop = &InterruptHandler::interrupted();
  std::vector<std::vector<Words>> found(subjects.size());
  in_threads({0, 1, subjects.size()}, options.threads, "searches", [&](std::size_t k) {
    if (subjects[k].has_inputs) return;
    try {
      found[k] = inputs_for(subjects[k].entry.file, stoppable);
    } catch (const std::exception&) {
      found[k].clear();  // verify says why
    }
  });
  if (InterruptHandler::interrupted()) return;
  const std::string& file = options.find_inputs;
  Json suite{{"entries", Json::object()}};
  if (fs::exists(file)) {
    read_suite(file);  // reports its errors
    suite = Json::parse(lockstep::io::read_text(file));
  }
  std::vector<std::vector<std::string>> names(subjects.size());
  for (std::size_t k = 0; k < subjects.size(); ++k) {
    for (const Words& words : found[k]) {
      Json entry = entry_of(words);
      name_files_from(fs::absolute(file).parent_path().string(), entry);
      names[k].push_back(
          free_name(suite["entries"], fs::path(subjects[k].entry.file).stem().string()));
      suite["entries"][names[k].back()] = std::move(entry);
    }
  }
  if (!suite["entries"].empty()) lockstep::io::write_text(file, suite.dump(2) + "\n");
  std::vector<Subject> replaced;
  for (std::size_t k = 0; k < subjects.size(); ++k) {
    for (const std::string& name : names[k]) replaced.push_back(subject_in(file, name));
    if (names[k].empty()) replaced.push_back(std::move(subjects[k]));
  }
  subjects = std::move(replaced);
}

}  // namespace lockstep::cli
