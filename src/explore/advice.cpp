#include "explore/advice.hpp"

#include <algorithm>
#include <array>
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
  Interest interest() const override { return {{Event::Kind::built_in}, false}; }
  const std::map<Subgroup, std::vector<GroupOperation>>& all() const { return of_; }

 private:
  std::map<Subgroup, std::vector<GroupOperation>> of_;
};

GroupOperations operations_of(const Subject& subject, const Setting& setting, Chooser chooser) {
  GroupOperations operations;
  try {
    subject(setting, chooser, &operations);
  } catch (const Error&) {
    // What was seen until then is enough.
  }
  return operations;
}

/// A group operation that fewer lanes do together than in the other run.
struct Parted {
  GroupOperation now;
  LaneSet before;
};

using Place = std::pair<std::string_view, int>;
Place place_of(const GroupOperation& operation) {
  return {operation.where.file, operation.where.line};
}

/// The first operation whose tangle lacks lanes that it has in the other run. Each lane's operations at a place are
/// compared in its own order.
std::optional<Parted> first_parted(const std::vector<GroupOperation>& before,
                                   const std::vector<GroupOperation>& now) {
  std::map<std::pair<Place, int>, std::vector<LaneSet>> of_lane;
  for (const GroupOperation& operation : before)
    for_each_lane(operation.lanes, [&](int lane) {
      of_lane[{place_of(operation), lane}].push_back(operation.lanes);
    });
  std::map<std::pair<Place, int>, std::size_t> done;
  for (const GroupOperation& operation : now) {
    std::optional<Parted> found;
    for_each_lane(operation.lanes, [&](int lane) {
      const std::pair key{place_of(operation), lane};
      const std::size_t number = done[key]++;
      const auto& sets = of_lane[key];
      if (found || number >= sets.size()) return;
      if (sets[number].without(operation.lanes).any_lane()) found = Parted{operation, sets[number]};
    });
    if (found) return found;
  }
  return std::nullopt;
}

std::optional<Parted> first_parted(const GroupOperations& before, const GroupOperations& now) {
  for (const auto& [subgroup, operations] : now.all()) {
    const auto found = before.all().find(subgroup);
    if (found == before.all().end()) continue;
    if (const auto parted = first_parted(found->second, operations)) return parted;
  }
  return std::nullopt;
}

/// The places of the choices that differ from the first run's.
std::vector<Parting> choices_made(const Counterexample& found) {
  std::vector<Parting> places;
  for (std::size_t k = 0; k < found.answers.size(); ++k) {
    if (found.answers[k] == 0) continue;
    const Chooser::Question& question = found.questions[k];
    const auto is_same = [&](const Parting& p) {
      return p.where.line == question.where.line &&
             std::string_view(p.where.file) == question.where.file;
    };
    if (std::ranges::none_of(places, is_same))
      places.push_back({dimension_of(question.choice), question.where});
  }
  return places;
}

std::string about_convergence(const Subject& subject, const Setting& first,
                              const Counterexample& found, const Parting& parting) {
  const auto before = operations_of(subject, first, Chooser::start_with(first.answers));
  const auto now = operations_of(subject, found.setting, Chooser::start_with(found.answers));
  const auto parted = first_parted(before, now);
  std::string lines;
  if (parted) {
    const LaneSet some = parted->now.lanes;
    lines = fmt::format(
        "the {} in line {} needs lanes {} to have rejoined after line {}, but {} {} may come to it "
        "without the others",
        parted->now.name, parted->now.where.line, to_string(parted->before), parting.where.line,
        some.count() == 1 ? "lane" : "lanes", to_string(some));
  } else {
    lines = fmt::format("the lanes that part in line {} need not have rejoined after it",
                        parting.where.line);
  }
  return lines +
         "; declare maximal reconvergence (GL_EXT_maximal_reconvergence and "
         "[[maximally_reconverges]]), or let the lanes find out who is there, with a vote or "
         "ballot "
         "in a loop, as kernels/allocate does";
}

std::string about(Dimension dimension, const Subject& subject, const Setting& first,
                  const Counterexample& found, const Advice& advice) {
  switch (dimension) {
    case Dimension::convergence:
      return about_convergence(subject, first, found, advice.where.front());
    case Dimension::switch_grouping:
      return fmt::format(
          "the group operations in the case in line {} count on lanes with several of its labels "
          "being together, which is the compiler's choice: give each label a case of its own, or "
          "compute what they share after the switch",
          advice.where.front().where.line);
    case Dimension::fallthrough:
      return fmt::format(
          "the group operations in the case in line {} count on the lanes that fall through into "
          "it, or on their absence, which is the compiler's choice: end the case before with break",
          advice.where.front().where.line);
    case Dimension::subgroup_size:
      return fmt::format(
          "the result at {} lanes is another than at {}: require a size "
          "(VK_EXT_subgroup_size_control), or use gl_SubgroupSize instead of a number",
          found.setting.subgroup_size, first.subgroup_size);
    case Dimension::mapping:
      return "the result changes when invocations are other lanes: use gl_SubgroupID and "
             "gl_SubgroupInvocationID, not gl_LocalInvocationIndex divided by the subgroup size";
    case Dimension::workgroup_order:
      return "the result changes when workgroups start in another order, which is not promised: if "
             "only the order of a buffer's elements differs, compare it with --unordered; "
             "otherwise "
             "let no workgroup depend on what another has done";
  }
  return {};
}

}  // namespace

Advice advise(const Subject& subject, const Setting& first, const Counterexample& found) {
  Advice advice{choices_made(found), {}};
  if (found.difference.only_order) {
    advice.text =
        "only the order of a buffer's words differs, as where atomics hand out slots: compare it "
        "with --unordered";
    return advice;
  }
  for (const Dimension dimension : found.on.list()) {
    if (!advice.text.empty()) advice.text += "; ";
    advice.text += about(dimension, subject, first, found, advice);
  }
  return advice;
}

}  // namespace lockstep::explore
