#include "explore/advice.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include <lockstep/exec/error.hpp>

namespace lockstep::explore {
namespace {

/// A group operation of one tangle.
struct GroupOperation {
  SourceLocation where;
  std::string_view name;
  LaneSet lanes;
};

/// The group operations of each subgroup, in their order.
class GroupOperations : public Observer {
 public:
  using Subgroup = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;

  void on(const Event& event) override {
    if (event.kind != Event::Kind::built_in) return;
    const auto& [x, y, z] = event.workgroup;
    for (const Tangle& tangle : event.tangles)
      of_[{x, y, z, event.subgroup}].push_back({event.where, event.name, tangle.lanes});
  }
  Interest interest() const override { return {{Event::Kind::built_in}, false, false}; }
  const std::map<Subgroup, std::vector<GroupOperation>>& all() const { return of_; }

 private:
  std::map<Subgroup, std::vector<GroupOperation>> of_;
};

GroupOperations operations_of(const Subject& subject, const Setting& setting) {
  GroupOperations operations;
  Chooser chooser = Chooser::start_with(setting.answers).only(setting.asked);
  try {
    subject(setting, chooser, &operations);
  } catch (const Error&) {
    // What was seen until then is enough.
  }
  return operations;
}

/// A group operation that other lanes do together than in the other run.
struct Changed {
  GroupOperation now;
  LaneSet before;
};
/// Whether lanes that were together in the other run are missing, or others have come.
enum class Change { fewer, more };
bool is_changed(Change change, LaneSet before, LaneSet now) {
  return (change == Change::fewer ? before.without(now) : now.without(before)).any_lane();
}

using Place = std::pair<std::string_view, int>;
Place place_of(const GroupOperation& operation) {
  return {operation.where.file, operation.where.line};
}

/// The first operation whose tangle changed. Each lane's operations at a place are compared in its own order.
std::optional<Changed> first_changed(Change change, const std::vector<GroupOperation>& before,
                                     const std::vector<GroupOperation>& now) {
  std::map<std::pair<Place, int>, std::vector<LaneSet>> of_lane;
  for (const GroupOperation& operation : before)
    for_each_lane(operation.lanes, [&](int lane) {
      of_lane[{place_of(operation), lane}].push_back(operation.lanes);
    });
  std::map<std::pair<Place, int>, std::size_t> done;
  for (const GroupOperation& operation : now) {
    std::optional<Changed> found;
    for_each_lane(operation.lanes, [&](int lane) {
      const std::pair key{place_of(operation), lane};
      const std::size_t number = done[key]++;
      const auto& sets = of_lane[key];
      if (found || number >= sets.size()) return;
      if (is_changed(change, sets[number], operation.lanes))
        found = Changed{operation, sets[number]};
    });
    if (found) return found;
  }
  return std::nullopt;
}

std::optional<Changed> first_changed(Change change, const GroupOperations& before,
                                     const GroupOperations& now) {
  for (const auto& [subgroup, operations] : now.all()) {
    const auto found = before.all().find(subgroup);
    if (found == before.all().end()) continue;
    if (const auto changed = first_changed(change, found->second, operations)) return changed;
  }
  return std::nullopt;
}

/// The places of the choices that differ from the first run's; some have none.
std::vector<Parting> choices_made(const Counterexample& found) {
  std::vector<Parting> places;
  for (std::size_t k = 0; k < found.questions.size(); ++k) {
    const Chooser::Question& question = found.questions[k];
    if (found.setting.answers[k] == 0 || question.where.line == 0) continue;
    const auto is_same = [&](const Parting& p) {
      return p.where.line == question.where.line &&
             std::string_view(p.where.file) == question.where.file;
    };
    if (std::ranges::none_of(places, is_same))
      places.push_back({dimension_of(question.choice), question.where});
  }
  return places;
}

/// What to declare so that the result no longer depends on reconvergence.
std::string rules_to_declare(const Subject& subject, const Request& request) {
  const std::string maximal =
      "maximal reconvergence (GL_EXT_maximal_reconvergence and [[maximally_reconverges]])";
  if (request.first.rule != Rule::core) return maximal;
  Request weaker;
  weaker.first = request.first;
  weaker.first.rule = Rule::subgroup_uniform;
  weaker.vary = {};
  weaker.vary.add(Dimension::convergence);
  weaker.most_runs = 200;
  weaker.most_time = std::chrono::seconds(5);
  weaker.threads = request.threads;
  weaker.unordered = request.unordered;
  weaker.differs = request.differs;
  const Verdict verdict = explore(subject, weaker);
  if (!verdict.independent()) return maximal;
  const std::string known =
      verdict.exhausted.has(Dimension::convergence)
          ? "under which every legal reconvergence gives the same result"
          : fmt::format("under which {} ways to reconverge gave the same result", verdict.runs);
  return fmt::format(
      "subgroup-uniform control flow (GL_EXT_subgroup_uniform_control_flow and "
      "[[subgroup_uniform_control_flow]]), {}, or {}",
      known, maximal);
}

std::string about_convergence(const Subject& subject, const Request& request,
                              const Counterexample& found, const Parting& parting) {
  const auto before = operations_of(subject, request.first);
  const auto now = operations_of(subject, found.setting);
  const auto parted = first_changed(Change::fewer, before, now);
  std::string lines;
  if (parted) {
    const LaneSet some = parted->now.lanes;
    lines = fmt::format(
        "the {} in line {} needs lanes {} to have rejoined after line {}, but {} {} may reach it "
        "without the others",
        parted->now.name, parted->now.where.line, to_string(parted->before), parting.where.line,
        some.count() == 1 ? "lane" : "lanes", to_string(some));
  } else {
    lines = fmt::format("the lanes that part in line {} need not have rejoined after it",
                        parting.where.line);
  }
  return fmt::format(
      "{}; declare {}, or let the lanes find out which of them are together, with a vote or ballot "
      "in a loop, as kernels/allocate does",
      lines, rules_to_declare(subject, request));
}

std::string about_late_break(const Subject& subject, const Setting& first,
                             const Counterexample& found, const Parting& parting) {
  const auto before = operations_of(subject, first);
  const auto now = operations_of(subject, found.setting);
  std::string lines = fmt::format("the code that line {} breaks after", parting.where.line);
  if (const auto joined = first_changed(Change::more, before, now))
    lines = fmt::format(
        "the {} in line {} relies on lanes {} alone, but lanes {} of several iterations",
        joined->now.name, joined->now.where.line, to_string(joined->before),
        to_string(joined->now.lanes));
  else
    lines += " relies on the lanes of one iteration, but lanes of several";
  return lines +
         " may run it together when the loop is over; declare maximal reconvergence, or let each "
         "lane record what to do, and do it after the loop";
}

/// "line 7", or what stands for it where no choice has a place.
std::string line_of(const Advice& advice, Dimension dimension, std::string_view otherwise) {
  for (const Parting& parting : advice.where) {
    if (parting.dimension == dimension) return fmt::format("in line {}", parting.where.line);
  }
  return std::string(otherwise);
}

/// Orders in which things happen that the shader does not order.
std::string about_order(Dimension dimension, const Advice& advice) {
  const auto line = [&](std::string_view otherwise) {
    return line_of(advice, dimension, otherwise);
  };
  switch (dimension) {
    case Dimension::subgroup_order:
      return fmt::format(
          "the result changes when subgroups of a workgroup run in another order: put a barrier() "
          "between the access {} and the accesses of other subgroups to the same memory, or make "
          "them atomics whose order does not matter",
          line("that one makes"));
    case Dimension::side_order:
      return fmt::format(
          "one side of the branch {} uses what the other side writes, but either may run first: "
          "finish one branch before the other begins, with a subgroupBarrier() between them, or "
          "exchange the value with a subgroup operation",
          line("that changes it"));
    case Dimension::atomic_order:
      return fmt::format(
          "what the atomic {} returns or leaves depends on which lane is first, which is not "
          "promised: if it hands out slots, compare with --unordered; if it adds floats, add "
          "fixed-point integers; otherwise let one lane do it for all, with subgroupElect()",
          line("that changes it"));
    default:
      return fmt::format(
          "the reduction or scan of floats {} rounds differently when its values are combined in "
          "another order, which is the device's choice: let nothing depend on its last bits, or "
          "add fixed-point integers",
          line("that changes it"));
  }
}

std::string about(Dimension dimension, const Subject& subject, const Request& request,
                  const Counterexample& found, const Advice& advice) {
  const Setting& first = request.first;
  switch (dimension) {
    case Dimension::convergence:
      return about_convergence(subject, request, found, advice.where.front());
    case Dimension::late_break:
      return about_late_break(subject, first, found, advice.where.front());
    case Dimension::switch_grouping:
      return fmt::format(
          "the group operations in the case in line {} rely on lanes with several of its labels "
          "being together, which is the compiler's choice: give each label a case of its own, or "
          "compute what they share after the switch",
          advice.where.front().where.line);
    case Dimension::fallthrough:
      return fmt::format(
          "the group operations in the case in line {} rely on the lanes that fall through into "
          "it, or on their absence, which is the compiler's choice: end the case before with break",
          advice.where.front().where.line);
    case Dimension::subgroup_size:
      return fmt::format(
          "the result at {} lanes differs from the result at {}: require a size "
          "(VK_EXT_subgroup_size_control), or use gl_SubgroupSize instead of a number",
          found.setting.subgroup_size, first.subgroup_size);
    case Dimension::mapping:
      return "the result changes when invocations are other lanes: let it not depend on which "
             "invocations share a subgroup, or which of them comes first, and compute places from "
             "gl_SubgroupID and gl_SubgroupInvocationID, not from gl_LocalInvocationIndex";
    case Dimension::partial_subgroups:
      return "the result changes when subgroups are not full: choose a lane with subgroupElect() "
             "instead of gl_SubgroupInvocationID, count invocations with "
             "subgroupBallotBitCount(subgroupBallot(true)) and subgroups with gl_NumSubgroups "
             "instead of gl_SubgroupSize, or require full subgroups (SPIR-V 1.6 and a local size "
             "in x that the subgroup size divides, or REQUIRE_FULL_SUBGROUPS)";
    case Dimension::subgroup_order:
    case Dimension::side_order:
    case Dimension::atomic_order:
    case Dimension::reduction_order:
      return about_order(dimension, advice);
    case Dimension::progress:
      return "a subgroup waits in a loop for another one, which need not run until it is done: use "
             "barrier() where the workgroup waits for itself, and let lanes take turns without "
             "waiting (or accept what real devices add with --progress occupancy-bound)";
    case Dimension::workgroup_order:
      if (!found.difference.error.empty())
        return "a workgroup waits in a loop for another one, which need not begin before it has "
               "ended: let each take its number from an atomic when it begins, so that it waits "
               "only for workgroups that have begun (which most devices finish), or use two "
               "dispatches";
      return "the result changes when workgroups start in another order, which is not promised: if "
             "only the order of a buffer's elements differs, compare it with --unordered; "
             "otherwise "
             "let no workgroup depend on what another has done";
  }
  return {};
}

}  // namespace

Advice advise(const Subject& subject, const Request& request, const Counterexample& found) {
  Advice advice{choices_made(found), {}};
  if (found.difference.only_order) {
    advice.text =
        "only the order of a buffer's words differs, as where atomics hand out slots: compare it "
        "with --unordered";
    return advice;
  }
  for (const Dimension dimension : found.on.list()) {
    if (!advice.text.empty()) advice.text += "; ";
    advice.text += about(dimension, subject, request, found, advice);
  }
  return advice;
}

}  // namespace lockstep::explore
