#include "cli/verify/mutate.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/child_program.hpp"
#include "cli/shader_files.hpp"
#include "cli/suite/keys.hpp"
#include "cli/verify/in_threads.hpp"

namespace lockstep::cli {
namespace {

using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

constexpr std::array<std::string_view, 8> noticed_texts{
    "check", "exploration", "expected result", "time limit", "crash", "", "never ran", "invalid"};

/// The options among an entry's inputs that say how its shader is compiled.
Words compile_options_in(const Words& inputs) {
  constexpr std::array options{"-D",         "-I",      "--entry",       "--target-env",
                               "--compiler", "--shift", "--no-validate", "--robust",
                               "--spec"};
  Words words;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    const auto* const key = std::ranges::find(suite_keys, inputs[k], &SuiteKey::option);
    const bool is_flag = key != suite_keys.end() && key->form == SuiteKey::Form::flag;
    if (std::ranges::find(options, inputs[k]) != options.end()) {
      words.push_back(inputs[k]);
      if (!is_flag) words.push_back(inputs.at(k + 1));
    }
    if (!is_flag) ++k;
  }
  return words;
}

/// Whether no lane reached the line on the entry's inputs.
bool never_ran(const Verified& one, const JudgedMutant& mutant) {
  if (!one.coverage.is_object() || mutant.line == 0) return false;
  return std::ranges::any_of(one.coverage.value("ranges", Json::array()), [&](const Json& range) {
    return range.value("file", "") == mutant.file && range.value("first", 0) <= mutant.line &&
           mutant.line <= range.value("last", 0);
  });
}

Mutated mutants_of(const Verified& one, const VerifyOptions& options) {
  if (one.subject.kind == Subject::Kind::script) return {{}, "scripts have no mutants"};
  if (one.standing != Standing::clean) return {{}, "not clean, so that mutants would tell nothing"};
  Words words{"inspect", one.subject.entry.file, "--mutants", "--json"};
  const Words compile = compile_options_in(one.subject.entry.inputs);
  words.insert(words.end(), compile.begin(), compile.end());
  const ChildOutcome outcome = run_this_program(words, options.seconds, *options.stop);
  const Json json = Json::parse(outcome.out, nullptr, false);
  if (outcome.exit_code != exit_fine || json.is_discarded())
    return {{}, message_of(outcome, one.subject.entry.file)};
  Mutated all;
  for (const Json& listed : json["mutants"]) {
    JudgedMutant mutant;
    mutant.number = listed.value("number", std::size_t{0});
    mutant.kind = listed.value("kind", "");
    mutant.file = listed.value("file", "");
    mutant.line = listed.value("line", 0);
    mutant.change = listed.value("change", "");
    if (never_ran(one, mutant)) mutant.noticed = Noticed::never_ran;
    all.list.push_back(std::move(mutant));
  }
  if (all.list.empty()) all.why_none = "no barrier, coherent memory, scope or comparison to change";
  return all;
}

Noticed noticed_by(const Verified& result) {
  switch (result.standing) {
    case Standing::clean:
      return Noticed::not_at_all;
    case Standing::depends:
      return Noticed::by_exploration;
    case Standing::wrong:
      return Noticed::by_expected;
    case Standing::findings:
    case Standing::failed:
      return result.exploration.is_object() ? Noticed::by_exploration : Noticed::by_check;
    case Standing::timed_out:
      return Noticed::by_limit;
    case Standing::crashed:
      return Noticed::by_crash;
    case Standing::not_supported:
    case Standing::not_compiled:
    case Standing::not_run:
      break;
  }
  return Noticed::invalid;
}

/// Long enough on a busy machine for what takes no longer than the shader itself.
double time_limit(const Verified& clean, const VerifyOptions& options) {
  constexpr double least = 10, times = 20;
  return std::min(options.seconds, least + times * clean.seconds);
}

void judge(const Verified& clean, const VerifyOptions& options, JudgedMutant& mutant) {
  try {
    const Verified result =
        verify_mutant(clean, mutant.number, options, time_limit(clean, options));
    mutant.noticed = noticed_by(result);
    if (!result.reasons.empty()) mutant.why = result.reasons.front();
    if (!result.commands.empty()) mutant.command = result.commands.back();
  } catch (const std::exception& error) {
    mutant.noticed = Noticed::invalid;
    mutant.why = error.what();
  }
}

}  // namespace

std::string_view text_of(Noticed noticed) {
  return noticed_texts[static_cast<std::size_t>(noticed)];
}

std::vector<Mutated> mutate_all(const std::vector<Verified>& all, const VerifyOptions& options) {
  const InterruptHandler handler;
  VerifyOptions stoppable = options;
  stoppable.stop = &InterruptHandler::interrupted();
  std::vector<Mutated> mutated(all.size());
  in_threads({0, 1, all.size()}, options.threads, "entries", [&](std::size_t k) {
    try {
      mutated[k] = mutants_of(all[k], stoppable);
    } catch (const std::exception& error) {
      mutated[k].why_none = error.what();
    }
  });
  struct Task {
    const Verified* clean;
    JudgedMutant* mutant;
  };
  std::vector<Task> tasks;
  for (std::size_t k = 0; k < all.size(); ++k) {
    for (JudgedMutant& mutant : mutated[k].list) {
      if (mutant.noticed != Noticed::never_ran) tasks.push_back({&all[k], &mutant});
    }
  }
  in_threads({0, 1, tasks.size()}, options.threads, "mutants",
             [&](std::size_t k) { judge(*tasks[k].clean, stoppable, *tasks[k].mutant); });
  return mutated;
}

}  // namespace lockstep::cli
