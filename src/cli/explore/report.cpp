#include "cli/explore/report.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cli/judgement_text.hpp"
#include "cli/run/report.hpp"
#include "cli/shader_case.hpp"
#include "io/types.hpp"
#include "report/findings.hpp"
#include "shader_case/exploration.hpp"

namespace lockstep::cli {
namespace {

namespace ex = lockstep::explore;
using Json = nlohmann::ordered_json;

Json names_of(const ex::Dimensions& dimensions) {
  Json names = Json::array();
  for (const ex::Dimension d : dimensions.list()) names.push_back(to_string(d));
  return names;
}
std::string list_of(const ex::Dimensions& dimensions) {
  std::vector<std::string_view> names;
  for (const ex::Dimension d : dimensions.list()) names.push_back(to_string(d));
  return fmt::format("{}", fmt::join(names, ", "));
}

/// With the seeds of what was random.
std::string list_of_sampled(const ex::Dimensions& dimensions) {
  std::vector<std::string> texts;
  for (const ex::Dimension d : dimensions.list()) {
    ex::Dimensions one;
    one.add(d);
    const bool by_choices = !choices_of(one).empty();
    const std::uint64_t seeds = by_choices ? ex::random_sequences : ex::random_orders;
    texts.push_back(d == ex::Dimension::subgroup_size
                        ? std::string(to_string(d))
                        : fmt::format("{} (seeds 1 to {})", to_string(d), seeds));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

/// The options that give the run. Its limit matters if it did not come to its end.
std::vector<std::string> run_options(const ex::Counterexample& found) {
  std::vector<std::string> words = to_options(found.setting);
  if (found.result.error.empty()) return words;
  words.emplace_back("--max-steps");
  words.push_back(std::to_string(found.setting.max_steps));
  return words;
}

}  // namespace

ExploreReport::ExploreReport(const ExploreOptions& options, const std::vector<BoundBuffer>& buffers,
                             const ex::Request& request, const ex::Verdict& verdict,
                             const ex::Subject& subject, std::string assumed, FaultLog found,
                             const WriterOf& writer_of, const std::string& cause)
    : options_(options),
      request_(request),
      verdict_(verdict),
      assumed_(std::move(assumed)),
      found_(std::move(found)) {
  for (const BoundBuffer& b : buffers) {
    if (b.writable) written_.push_back(&b);
  }
  if (!verdict.smallest) return;
  find_advice(subject, cause);
  const auto element = shader_case::differing(verdict_, written_);
  if (element && writer_of)
    writer_ = writer_of(verdict.smallest->setting, verdict.smallest->difference.buffer,
                        verdict.smallest->difference.byte, element->bytes);
}

/// Where the source takes a number for the subgroup size, or the size for a number of invocations, that is the cause.
void ExploreReport::find_advice(const ex::Subject& subject, const std::string& cause) {
  advice_ = ex::advise(subject, request_, *verdict_.smallest);
  std::string causes = cause;
  for (const Finding& finding : found_.findings()) {
    if (finding.rule != "hidden-size" && finding.rule != "size-as-count") continue;
    if (!causes.empty()) causes += "; ";
    causes += finding.where.file;
    if (finding.where.line != 0) causes += fmt::format(":{}", finding.where.line);
    causes += fmt::format(": {}", finding.message);
  }
  if (!causes.empty()) advice_.text = causes;
}

std::string replay_command(const ExploreOptions& options, const ex::Counterexample& found) {
  std::vector<std::string> words = {"lockstep", options.is_kernel ? "run-kernel" : "run",
                                    options.run.files.front()};
  if (options.is_kernel) {
    for (const auto& [name, number] :
         {std::pair("--size", options.elements), std::pair("--seed", options.seed)}) {
      words.emplace_back(name);
      words.push_back(std::to_string(number));
    }
  }
  std::ranges::copy(input_options(options.run), std::back_inserter(words));
  std::ranges::copy(run_options(found), std::back_inserter(words));
  return as_command(words);
}

ExitCode ExploreReport::print(const std::string& untraced) const {
  if (!options_.run.json || !options_.run.sarif.empty()) {
    lockstep::report::Findings findings;
    findings.add(findings_of_runs());
    write_findings(findings, options_.run, coverage_ ? &*coverage_ : nullptr);
  }
  if (options_.run.json)
    fmt::print("{}\n", json(untraced).dump(2));
  else
    print_text();
  return untraced.empty() ? exit_code() : exit_usage;
}

ExitCode ExploreReport::exit_code() const {
  return verdict_.independent() && verdict_.first.error.empty() ? exit_fine : exit_failed;
}

void ExploreReport::print_text() const {
  fmt::print("{} runs, the first with rule {} and subgroups of {}; {}\n", verdict_.runs,
             to_string(request_.first.rule), request_.first.subgroup_size, assumed_);
  if (verdict_.exhausted.any()) fmt::print("tried exhaustively: {}\n", list_of(verdict_.exhausted));
  ex::Dimensions sampled = request_.vary;
  for (const ex::Dimension d : verdict_.exhausted.list()) sampled.remove(d);
  if (sampled.any())
    fmt::print(
        "tried in part: {}{}\n", list_of_sampled(sampled),
        verdict_.seeds == 0 ? "" : fmt::format("; all together (seeds 1 to {})", verdict_.seeds));
  if (options_.not_possible.any())
    fmt::print("not varied: {}: {}\n", list_of(options_.not_possible), options_.why_not);
  for (std::size_t k = 0; k < verdict_.only_order.size(); ++k) {
    if (!verdict_.only_order[k]) continue;
    fmt::print(
        "in some runs only the order of the words in {} differs: --unordered {} ignores it\n",
        buffer(k).title(), to_string(buffer(k).slot));
  }
  if (const std::string text = coverage_ ? to_text(*coverage_) : ""; !text.empty())
    fmt::print("{}\n", text);
  if (verdict_.independent()) {
    if (verdict_.first.error.empty())
      fmt::print("independent: every run gave the same result{}\n",
                 request_.differs ? ", up to what rounding allows" : "");
    else
      fmt::print("independent: every run ended with: {}\n", first_line(verdict_.first.error));
    return;
  }
  const ex::Counterexample& found = *verdict_.smallest;
  fmt::print("depends on {}{}\n", list_of(verdict_.on.any() ? verdict_.on : found.on),
             found.difference.only_order ? ", but only in the order of words" : "");
  for (const ex::Parting& parting : advice_.where)
    fmt::print("  {} at {}:{}\n", to_string(parting.dimension), parting.where.file,
               parting.where.line);
  if (!found.difference.error.empty()) {
    fmt::print("  {}: {}\n",
               found.result.error.empty() ? "only the first run ended with" : "ended with",
               first_line(found.difference.error));
  } else {
    const BoundBuffer& b = buffer(found.difference.buffer);
    if (const auto element = shader_case::differing(verdict_, written_))
      fmt::print("  {}: {} is {}, in the first run {}{}\n", b.title(), element->place, element->now,
                 element->before, writer_ ? "; written by " + text_of(*writer_) : std::string());
    else
      fmt::print("  {}: byte {} differs\n", b.title(), found.difference.byte);
  }
  fmt::print("smallest choice that changes it:\n  {}\n", replay_command(options_, found));
  fmt::print("advice: {}\n", advice_.text);
}

Json ExploreReport::json(const std::string& untraced) const {
  Json out;
  out["runs"] = verdict_.runs;
  out["assumed"] = to_string(request_.first.rule);
  out["assumed_subgroups"] = assumed_;
  out["bitwise"] = !request_.differs;
  out["exhausted"] = names_of(verdict_.exhausted);
  out["not_varied"] = names_of(options_.not_possible);
  out["verdict"] = verdict_.independent() ? "independent" : "depends";
  out["on"] = names_of(verdict_.on);
  out["where"] = Json::array();
  for (const ex::Parting& parting : advice_.where)
    out["where"].push_back({{"dimension", to_string(parting.dimension)},
                            {"file", parting.where.file},
                            {"line", parting.where.line}});
  Json only_order = Json::array();
  for (std::size_t k = 0; k < verdict_.only_order.size(); ++k) {
    if (verdict_.only_order[k]) only_order.push_back(to_string(buffer(k).slot));
  }
  out["only_order"] = std::move(only_order);
  if (!verdict_.independent()) {
    out["smallest"] = smallest();
    out["advice"] = advice_.text;
  }
  lockstep::report::Findings findings;
  findings.add(findings_of_runs());
  out["findings"] = lockstep::report::to_json(findings);
  if (coverage_) out["coverage"] = lockstep::report::to_json(*coverage_);
  if (!verdict_.first.error.empty()) out["error"] = verdict_.first.error;
  if (!untraced.empty())
    out["trace_error"] = untraced;
  else if (!options_.run.trace.empty() && !verdict_.independent())
    out["trace"] = options_.run.trace;
  out["exit_status"] = untraced.empty() ? exit_code() : exit_usage;
  return out;
}

/// Of the first run, of the one that differs, and of all runs together.
FaultLog ExploreReport::findings_of_runs() const {
  FaultLog all = verdict_.first.findings;
  if (verdict_.smallest) all.merge(verdict_.smallest->result.findings);
  all.merge(found_);
  return all;
}

Json ExploreReport::smallest() const {
  const ex::Counterexample& found = *verdict_.smallest;
  Json out;
  out["options"] = run_options(found);
  out["command"] = replay_command(options_, found);
  if (!found.difference.error.empty()) {
    out["error"] = found.difference.error;
  } else {
    const BoundBuffer& b = buffer(found.difference.buffer);
    out["buffer"] = to_string(b.slot);
    if (const auto element = shader_case::differing(verdict_, written_)) {
      out["element"] = element->index;
      if (!element->path.empty()) out["path"] = element->path;
      out["values"] = {element->now, element->before};
      out["writer"] = json_of(writer_);
    }
    out["byte"] = found.difference.byte;
  }
  out["against"] = to_options(request_.first);
  return out;
}

}  // namespace lockstep::cli
