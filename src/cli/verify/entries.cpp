#include "cli/verify/entries.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "capture/job/job.hpp"
#include "cli/child_program.hpp"
#include "cli/run_options.hpp"
#include "cli/shader_case.hpp"
#include "cli/shader_files.hpp"
#include "io/error.hpp"
#include "io/files.hpp"

namespace lockstep::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

bool has_results(const std::string& folder) {
  return std::ranges::any_of(job::read(folder).bindings,
                             [](const job::Binding& b) { return !b.output.empty(); });
}

Subject subject_of(SuiteEntry entry) {
  Subject subject;
  subject.entry = std::move(entry);
  const std::string& file = subject.entry.file;
  if (job::is_job(file)) {
    subject.kind = Subject::Kind::job;
    if (has_results(file)) subject.entry.captures.push_back(file);
  } else if (is_amber(file)) {
    subject.kind = Subject::Kind::script;
  } else if (!is_shader(file)) {
    throw UsageError(fmt::format("{}: is not a shader, script, job or suite", file));
  }
  return subject;
}

Subject subject_of(const std::string& suite, SuiteEntry entry) {
  const auto unnamed = [&](const std::string& why) {
    return lockstep::io::InputError(fmt::format("{}: entry '{}': {}", suite, entry.name, why));
  };
  if (!fs::exists(entry.file)) throw unnamed(fmt::format("{} does not exist", entry.file));
  if (!job::is_job(entry.file) && !is_amber(entry.file) && !is_shader(entry.file))
    throw unnamed(fmt::format("{} is not a shader, script or job", entry.file));
  Subject subject = subject_of(std::move(entry));
  subject.suite = suite;
  const auto& inputs = subject.entry.inputs;
  const auto is_grid = [](const std::string& word) {
    return word == "--groups" || word == "--invocations";
  };
  if (subject.kind == Subject::Kind::shader && std::ranges::none_of(inputs, is_grid))
    throw lockstep::io::InputError(
        fmt::format("{}: entry '{}' has no \"groups\": give the number of workgroups, such as "
                    "\"4\" or \"4,2,1\"",
                    suite, subject.entry.name));
  return subject;
}

/// The options of the compilation.
RunOptions without_inputs(RunOptions run) {
  run.groups = run.invocations = run.push = run.device = run.lenient = "";
  run.bits = false;
  for (auto* inputs : {&run.buffers, &run.images, &run.samplers, &run.addresses, &run.uniforms})
    inputs->clear();
  return run;
}

/// A file that is not in a suite.
Subject lone(const std::string& file, const VerifyOptions& options) {
  SuiteEntry entry;
  entry.name = entry.file = file;
  entry.inputs = shader_case::input_options(options.run);
  Subject subject = subject_of(std::move(entry));
  const RunOptions& run = options.run;
  subject.has_inputs =
      subject.kind != Subject::Kind::shader || !run.groups.empty() || !run.invocations.empty();
  if (!subject.has_inputs && (!run.buffers.empty() || !run.images.empty() || !run.push.empty()))
    require_grid(run);
  return subject;
}

void add_suite(const std::string& file, std::vector<Subject>& to) {
  for (SuiteEntry& entry : read_suite(file)) to.push_back(subject_of(file, std::move(entry)));
}

/// Adds the jobs, scripts and shaders in a folder. Files in a job's folder belong to the job.
void add_folder(const std::string& folder, const VerifyOptions& options, std::vector<Subject>& to) {
  std::vector<std::string> files;
  const auto skip = fs::directory_options::skip_permission_denied;
  fs::recursive_directory_iterator each(folder, skip);
  for (; each != fs::recursive_directory_iterator(); ++each) {
    const std::string path = each->path().string();
    if (each->is_directory() && job::is_job(path)) {
      files.push_back(path);
      each.disable_recursion_pending();
    } else if (each->is_regular_file() && (is_amber(path) || is_compute_shader(path))) {
      files.push_back(path);
    }
  }
  if (files.empty())
    throw UsageError(fmt::format("{}: contains no suite, shader, script or job", folder));
  std::ranges::sort(files);
  for (const std::string& file : files) to.push_back(lone(file, options));
}

void add_path(const std::string& path, const VerifyOptions& options, std::vector<Subject>& to) {
  if (const auto named = entry_named(path)) {
    to.push_back(subject_of(named->file, read_entry(named->file, named->entry)));
    return;
  }
  if (path.ends_with(".json")) return add_suite(path, to);
  if (!fs::is_directory(path) || job::is_job(path)) {
    to.push_back(lone(path, options));
    return;
  }
  const fs::path suite = fs::path(path) / suite_file;
  if (fs::exists(suite))
    add_suite(suite.lexically_normal().string(), to);
  else
    add_folder(path, options, to);
}

/// Removes the contents of a binding, and of its members.
void drop_slot(Json& contents, const std::string& slot) {
  std::vector<std::string> dropped;
  for (const auto& [where, value] : contents.items()) {
    if (where == slot || where.starts_with(slot + ".")) dropped.push_back(where);
  }
  for (const std::string& where : dropped) contents.erase(where);
}

/// Removes proposed contents of bindings for which `wanted` has some under their names.
void drop_replaced(Json& entry, const Json& wanted, const Proposal& proposal) {
  for (const char* key : {"buffers", "images", "samplers"}) {
    if (!wanted.contains(key) || !entry.contains(key)) continue;
    for (const auto& [where, contents] : wanted[key].items()) {
      const std::string name = where.substr(0, where.find_first_of(".["));
      const auto found = proposal.slots.find(name);
      const std::string slot = found != proposal.slots.end() ? found->second : name;
      if (where.size() > name.size() && where[name.size()] == '.')
        entry[key].erase(slot + where.substr(name.size()));
      else
        drop_slot(entry[key], slot);
    }
  }
  if (wanted.contains("groups") || wanted.contains("invocations")) {
    entry.erase("groups");
    entry.erase("invocations");
  }
}

/// Inputs are for one shader, and suites have their own options.
void refuse_misplaced_inputs(const RunOptions& run, const std::vector<Subject>& all) {
  const std::vector<std::string> given = shader_case::input_options(run);
  if (given.empty()) return;
  if (std::ranges::any_of(all, [](const Subject& one) { return !one.suite.empty(); }))
    throw UsageError(fmt::format("{} is not for suites; put it into their entries", given.front()));
  const bool has_inputs = given != shader_case::input_options(without_inputs(run));
  if (has_inputs && (all.size() != 1 || all.front().kind != Subject::Kind::shader))
    throw UsageError(fmt::format("{} is for one shader; write entries with lockstep verify --init",
                                 given.front()));
}

}  // namespace

std::vector<Subject> subjects_of(const VerifyOptions& options) {
  std::vector<Subject> all;
  for (const std::string& path : options.paths) add_path(path, options, all);
  refuse_misplaced_inputs(options.run, all);
  return all;
}

void name_files_from(const std::string& folder, Json& entry) {
  const auto seen_from = [&](const std::string& name) {
    return fs::relative(name, folder).string();
  };
  entry["file"] = seen_from(entry["file"]);
  if (entry.contains("include")) {
    for (Json& directory : entry["include"]) directory = seen_from(directory);
  }
  const auto rename = [&](Json& value) {
    const auto text = value.get<std::string>();
    const std::size_t last = text.rfind(':') + 1;  // 0 without a colon
    for (const char* ending : {".npy", ".bin", ".png"}) {
      if (text.ends_with(ending)) value = text.substr(0, last) + seen_from(text.substr(last));
    }
  };
  for (const char* key : {"buffers", "images"}) {
    if (!entry.contains(key)) continue;
    for (Json& value : entry[key]) rename(value);
  }
  if (entry.contains("push")) rename(entry["push"]);
}

Subject subject_in(const std::string& suite, const std::string& name) {
  return subject_of(suite, read_entry(suite, name));
}

std::vector<std::string> compile_words(const VerifyOptions& options) {
  return shader_case::input_options(without_inputs(options.run));
}

Proposal proposal_for(const std::string& shader, const VerifyOptions& options) {
  std::vector<std::string> words{"inspect", shader, "--json"};
  const std::vector<std::string> given = compile_words(options);
  words.insert(words.end(), given.begin(), given.end());
  const ChildOutcome inspected = run_this_program(words, options.seconds, *options.stop);
  const Json declared = Json::parse(inspected.out, nullptr, false);
  if (inspected.exit_code != 0 || declared.is_discarded())
    throw UsageError(message_of(inspected, shader));
  if (declared.contains("unsupported"))
    throw NotSupported(declared["unsupported"].get<std::string>());
  Proposal proposal{declared["arguments"].get<std::vector<std::string>>(), {}};
  for (const Json& binding : declared["bindings"]) {
    const auto set = binding.value("set", 0), number = binding.value("binding", 0);
    proposal.slots[binding.value("name", "")] =
        set == 0 ? std::to_string(number) : fmt::format("{}:{}", set, number);
  }
  return proposal;
}

std::string write_entry(const VerifyOptions& options) {
  const std::string file = options.output.empty() ? std::string(suite_file) : options.output;
  const std::string& shader = options.init;
  std::vector<std::string> given = shader_case::input_options(options.run);
  given.insert(given.begin(), shader);
  const Proposal proposal = proposal_for(shader, options);
  Json entry = entry_of(proposal.words);
  const Json wanted = entry_of(given);
  drop_replaced(entry, wanted, proposal);
  entry.merge_patch(wanted);
  Json suite{{"entries", Json::object()}};
  if (fs::exists(file)) {
    read_suite(file);  // reports its errors
    suite = Json::parse(lockstep::io::read_text(file));
  }
  std::string name = fs::path(shader).stem().string();
  if (options.run.entry) name += "." + *options.run.entry;
  if (suite["entries"].contains(name))
    throw UsageError(fmt::format(
        "{} already has an entry '{}'; edit it, or name another file with -o", file, name));
  name_files_from(fs::absolute(file).parent_path().string(), entry);
  suite["entries"][name] = std::move(entry);
  lockstep::io::write_text(file, suite.dump(2) + "\n");
  return fmt::format("{}:{}", file, name);
}

}  // namespace lockstep::cli
