#include "cli/verify/one.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/child_program.hpp"
#include "cli/long_run.hpp"
#include "cli/shader_case.hpp"
#include "cli/shader_files.hpp"
#include "io/files.hpp"

namespace lockstep::cli {
namespace {

using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

constexpr std::array<std::string_view, 10> standing_texts{
    "clean",         "depends",          "findings",      "wrong",          "failed",
    "not supported", "does not compile", "cannot be run", "takes too long", "crashed",
};

const std::vector<int> all_sizes{4, 8, 16, 32, 64, 128};

void append(Words& to, const Words& words) { to.insert(to.end(), words.begin(), words.end()); }

/// Sizes that double as a range: "4-128", or "8, 32".
std::string list_of(const std::vector<int>& sizes) {
  std::string text;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    std::size_t last = k;
    while (last + 1 < sizes.size() && sizes[last + 1] == 2 * sizes[last]) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", sizes[k]);
    if (last > k) text += fmt::format("-{}", sizes[last]);
    k = last;
  }
  return text;
}

/// The rules of errors with their counts: "data-race 2, out-of-bounds 1".
std::string rules_in(const Json& findings) {
  std::map<std::string, std::size_t> rules;
  for (const Json& finding : findings) {
    if (finding.value("severity", "") == "error") ++rules[finding.value("rule", "")];
  }
  std::vector<std::string> texts;
  for (const auto& [rule, count] : rules) texts.push_back(fmt::format("{} {}", rule, count));
  return fmt::format("{}", fmt::join(texts, ", "));
}

/// Messages such as "data-race 2", each with the sizes that gave it.
using BySize = std::vector<std::pair<std::string, std::vector<int>>>;
void add(BySize& all, const std::string& text, int size) {
  const auto known = std::ranges::find(all, text, &BySize::value_type::first);
  if (known != all.end())
    known->second.push_back(size);
  else
    all.push_back({text, {size}});
}

class Verification {
 public:
  Verification(const Subject& subject, const VerifyOptions& options, const std::string& logs)
      : options_(options), logs_(logs) {
    done_.subject = subject;
  }

  /// The same for a mutant, up to what notices it.
  Verified verify_mutant(std::size_t number, std::vector<int> sizes, double seconds) {
    mutant_ = {"--mutant", std::to_string(number)};
    entry().sizes = std::move(sizes);
    entry().seconds = seconds;
    if (!has_inputs() || !run() || done_.standing != Standing::clean) return std::move(done_);
    if (entry().explores) explore();
    // Other captures may be of other modules.
    std::erase_if(entry().captures,
                  [&](const std::string& folder) { return folder != entry().file; });
    if (done_.standing == Standing::clean && !entry().captures.empty()) check();
    return std::move(done_);
  }

  Verified verify() {
    const auto started = std::chrono::steady_clock::now();
    if (has_inputs() && run()) {
      if (entry().explores && !ends_early_) explore();
      if (!entry().captures.empty()) check();
    }
    done_.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    return std::move(done_);
  }

 private:
  SuiteEntry& entry() { return done_.subject.entry; }
  double seconds() { return entry().seconds > 0 ? entry().seconds : options_.seconds; }
  std::vector<int> wanted_sizes() {
    if (!entry().sizes.empty()) return entry().sizes;
    return options_.sizes.empty() ? all_sizes : options_.sizes;
  }
  bool names_sizes() { return !entry().sizes.empty() || !options_.sizes.empty(); }

  // ---- Processes ----

  /// The JSON that a command printed. Without it, records the failure and returns nullopt.
  std::optional<Json> answer(const Words& words, Standing otherwise, const Words& besides = {}) {
    done_.commands.push_back("lockstep " + as_command(words));
    Words all = words;
    append(all, besides);
    append(all, {"--json"});
    const ChildOutcome outcome = run_this_program(all, seconds(), *options_.stop, true);
    if (outcome.stopped) {
      done_.say(Standing::not_run, "interrupted");
      return std::nullopt;
    }
    if (outcome.timed_out) {
      done_.say(Standing::timed_out, fmt::format("lockstep {} took longer than {} s{}", words[0],
                                                 seconds(), and_long_loop(outcome.err)));
      return std::nullopt;
    }
    if (outcome.signal != 0) {
      done_.say(Standing::crashed, fmt::format("lockstep {} was ended by signal {} ({})", words[0],
                                               outcome.signal, strsignal(outcome.signal)));
      return std::nullopt;
    }
    Json json = Json::parse(outcome.out, nullptr, false);
    if (!json.is_discarded() && outcome.exit_code != exit_usage) return json;
    // Usage errors print an object too; these hold the results of several sizes or jobs.
    if (!json.is_discarded() &&
        (json.is_array() || json.contains("sizes") || json.contains("jobs")))
      return json;
    done_.say(otherwise, message_of(outcome, entry().file));
    return std::nullopt;
  }

  /// The same, keeping the findings as SARIF.
  std::optional<Json> answer_with_log(const Words& words, Standing otherwise) {
    if (logs_.empty()) return answer(words, otherwise);
    const std::string log = fmt::format("{}.{}.sarif", logs_, words[0]);
    auto json = answer(words, otherwise, {"--sarif", log});
    if (json && std::filesystem::exists(log))
      done_.logs.push_back(Json::parse(lockstep::io::read_text(log)));
    return json;
  }

  // ---- Steps ----

  bool has_inputs() {
    if (done_.subject.has_inputs) return true;
    try {
      const Words proposed = proposal_for(entry().file, options_).words;
      entry().inputs.assign(proposed.begin() + 1, proposed.end());
      return true;
    } catch (const NotSupported& error) {
      done_.say(Standing::not_supported, error.what());
    } catch (const UsageError& error) {
      done_.say(Standing::not_compiled, error.what());
    }
    return false;
  }

  bool run() {
    Words words{"run", entry().file};
    append(words, entry().inputs);
    append(words, entry().choices);
    append(words, mutant_);
    for (const std::string& against : entry().against) append(words, {"--against", against});
    append(words, {"--check=" + entry().checks, "--subgroup-size",
                   fmt::format("{}", fmt::join(wanted_sizes(), ",")), "--threads", "1"});
    const auto json = answer_with_log(words, Standing::not_run);
    if (!json) return false;
    done_.subject.kind == Subject::Kind::script ? judge_script(*json) : judge_runs(*json);
    done_.compared += entry().against.size();
    return done_.standing < Standing::not_supported;
  }

  /// The runs of a shader; with one size the object is that run.
  void judge_runs(const Json& json) {
    const bool several = json.contains("sizes");
    done_.runs = several ? json["sizes"] : Json::array({json});
    if (json.contains("coverage")) done_.coverage = json["coverage"];
    if (json.contains("findings")) done_.findings = json["findings"];
    BySize refused, broken, found, differing;
    for (const Json& one : done_.runs) {
      const int size = one.value("subgroup_size", 0);
      const bool is_refused = one.value("exit_status", 0) == exit_usage;
      if (is_refused) {
        add(refused, one.value("error", ""), size);
        continue;
      }
      done_.sizes.push_back(size);
      const std::string rules = rules_in(one.value("findings", Json::array()));
      if (!rules.empty()) add(found, rules, size);
      ends_early_ = ends_early_ || one.contains("error");
      if (rules.empty() && one.contains("error")) add(broken, one.value("error", ""), size);
      for (const Json& against : one.value("against", Json::array()))
        compare(against, size, differing);
    }
    say_all(differing, Standing::wrong, "");
    say_all(found, Standing::findings, "");
    say_all(broken, Standing::failed, "");
    if (done_.sizes.empty() || names_sizes()) return say_all(refused, Standing::not_run, "");
    for (const auto& [why, at] : refused)
      done_.notes.push_back(fmt::format("not at {}: {}", list_of(at), why));
  }

  void compare(const Json& against, int size, BySize& differing) {
    const auto wrong = against.value("differing", std::size_t{0});
    if (wrong == 0) return;
    add(differing,
        fmt::format("buffer {}: {} of {} elements differ from {}", against.value("binding", 0),
                    wrong, against.value("elements", std::size_t{0}), against.value("file", "")),
        size);
  }

  void say_all(const BySize& all, Standing standing, const char* before) {
    for (const auto& [text, at] : all)
      done_.say(standing, fmt::format("{}{} (at {})", before, text, list_of(at)));
  }

  void judge_script(const Json& json) {
    BySize failed, skipped;
    for (const Json& one : json) {
      const int size = one.value("subgroup_size", 0);
      const std::string verdict = one.value("verdict", "");
      for (const Json& finding : one.value("findings", Json::array()))
        done_.findings.push_back(finding);
      if (verdict == "SKIP") {
        add(skipped, one.value("message", ""), size);
        continue;
      }
      done_.sizes.push_back(size);
      const std::string rules = rules_in(one.value("findings", Json::array()));
      if (!rules.empty())
        add(failed, rules, size);
      else if (verdict != "PASS")
        add(failed, one.value("message", ""), size);
    }
    done_.runs = json;
    say_all(failed, done_.findings.empty() ? Standing::failed : Standing::findings, "");
    if (done_.sizes.empty()) return say_all(skipped, Standing::not_supported, "");
    for (const auto& [why, at] : skipped)
      done_.notes.push_back(fmt::format("not at {}: {}", list_of(at), why));
  }

  void explore() {
    const std::vector<int>& sizes = done_.sizes;
    const bool has_default = std::ranges::find(sizes, 32) != sizes.end();
    Words words{"explore", entry().file};
    append(words, entry().inputs);
    append(words, entry().choices);
    append(words, mutant_);
    append(words, entry().explore);
    append(words, {"--budget", entry().budget.empty() ? options_.budget : entry().budget, "--sizes",
                   fmt::format("{}", fmt::join(sizes, ",")), "--subgroup-size",
                   std::to_string(has_default ? 32 : sizes.back())});
    if (done_.subject.kind != Subject::Kind::script) append(words, {"--threads", "1"});
    const auto json = answer_with_log(words, Standing::not_run);
    if (!json) return;
    done_.exploration = *json;
    for (const Json& finding : json->value("findings", Json::array())) {
      if (finding.value("severity", "") == "error") {
        done_.say(Standing::findings,
                  fmt::format("{}:{}: {} [{}]", finding.value("file", ""), finding.value("line", 0),
                              finding.value("message", ""), finding.value("rule", "")));
      }
    }
    if (json->contains("error") && done_.standing == Standing::clean)
      done_.say(Standing::failed, json->value("error", ""));
    if (json->value("verdict", "") != "depends") return;
    const Json on = json->value("on", Json::array());
    std::vector<std::string> dimensions = on.get<std::vector<std::string>>();
    done_.say(Standing::depends,
              fmt::format("on {}: {}",
                          dimensions.empty() ? "several choices together"
                                             : fmt::format("{}", fmt::join(dimensions, ", ")),
                          json->value("advice", "")));
    if (json->contains("smallest"))
      done_.reasons.push_back((*json)["smallest"].value("command", ""));
  }

  void check() {
    Words words{"check"};
    append(words, entry().captures);
    append(words, mutant_);
    const auto json = answer(words, Standing::not_run);
    if (!json) return;
    done_.captures = *json;
    for (const Json& job : json->value("jobs", Json::array())) {
      ++done_.compared;
      const std::string outcome = job.value("outcome", ""), folder = job.value("folder", "");
      if (outcome == "wrong")
        done_.say(Standing::wrong, fmt::format("{}: Vulkan does not allow these results", folder));
      else if (outcome == "error")
        done_.say(Standing::not_run, fmt::format("{}: {}", folder, job.value("error", "")));
      else if (outcome == "undefined" || outcome == "racy")
        done_.say(Standing::findings, fmt::format("{}: the results are {}", folder, outcome));
      else if (outcome == "open" || outcome == "nothing to compare")
        done_.notes.push_back(fmt::format("{}: {}", folder, outcome));
    }
  }

  const VerifyOptions& options_;
  std::string logs_;
  Words mutant_;             ///< the option for it; empty for the shader itself
  bool ends_early_ = false;  ///< a run did, so exploring is pointless
  Verified done_;
};

}  // namespace

std::string_view text_of(Standing standing) {
  return standing_texts[static_cast<std::size_t>(standing)];
}

Standing standing_named(std::string_view text) {
  const auto* const found = std::ranges::find(standing_texts, text);
  return static_cast<Standing>(found - standing_texts.begin());
}

void Verified::say(Standing worst, std::string reason) {
  standing = std::max(standing, worst);
  reasons.push_back(std::move(reason));
}

std::vector<Verified> verify(const Subject& subject, const VerifyOptions& options,
                             const std::string& logs) {
  Verified only = Verification(subject, options, logs).verify();
  std::vector<Verified> all;
  if (only.standing == Standing::not_compiled) {
    for (const std::string& name : entry_points_in(only.reasons.front())) {
      Subject one = subject;
      one.entry.name += fmt::format(" ({})", name);
      VerifyOptions with_name = options;
      with_name.run.entry = name;
      all.push_back(Verification(one, with_name, logs.empty() ? logs : logs + "." + name).verify());
    }
  }
  if (all.empty()) all.push_back(std::move(only));
  return all;
}

Verified verify_mutant(const Verified& clean, std::size_t number, const VerifyOptions& options,
                       double seconds) {
  return Verification(clean.subject, options, "").verify_mutant(number, clean.sizes, seconds);
}

}  // namespace lockstep::cli
