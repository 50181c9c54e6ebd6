#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <lockstep/dispatch/mapping.hpp>
#include <lockstep/dispatch/workgroup_order.hpp>
#include <lockstep/exec/chooser.hpp>
#include <lockstep/exec/error.hpp>
#include <lockstep/exec/finding_error.hpp>
#include <lockstep/spirv/descriptor_table.hpp>
#include <lockstep/spirv/pipeline.hpp>
#include <lockstep/spirv/shader_interface.hpp>

#include "lessons/lesson.hpp"

namespace lockstep::lessons {
namespace {

using Numbers = std::vector<std::uint32_t>;

constexpr std::size_t most_lines = 5;
/// More iterations than any right answer needs.
constexpr std::uint64_t most_trips = 10000;
/// A shader may ask for so many.
constexpr std::uint64_t most_invocations = 1024;

/// Values to try: mixed, all odd, all even, few even.
Numbers values_of(std::size_t count, int which) {
  Numbers values;
  std::uint32_t seed = 2463534242u + static_cast<std::uint32_t>(which);
  for (std::size_t i = 0; i < count; ++i) {
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    const std::uint32_t value = seed % 90;
    values.push_back(which == 0   ? value
                     : which == 1 ? value | 1
                     : which == 2 ? value & ~1u
                     : i % 7 == 3 ? value & ~1u
                                  : value | 1);
  }
  return values;
}
constexpr int inputs = 4;

/// One way to run the answer.
struct Way {
  int size = 32;
  int input = 0;
  bool checked = false;
  std::string chooser = {};  ///< empty: none
  Mapping mapping = {};
  WorkgroupOrder order = {};
  std::string what = {};  ///< in words, after the size
};

/// Answers may be anything.
ModuleOptions options_for(Compiling compiling) {
  ModuleOptions options;
  if (compiling == Compiling::in_child) options.limits = CompileLimits{};
  return options;
}

/// Counts lanes that add to `count`, or do another atomic on it.
class AtomicCounter : public Observer {
 public:
  void on(const Event& event) override {
    const MemoryObject& object = event.access.object;
    if (object.kind == MemoryObject::Kind::buffer && object.binding == 2)
      count_ += static_cast<std::uint64_t>(event.others.count());
  }
  Interest interest() const override { return {{Event::Kind::atomic}, false, false}; }
  std::uint64_t count() const { return count_; }

 private:
  std::uint64_t count_ = 0;
};

std::string_view name_of(Rule rule) {
  return rule == Rule::maximal            ? "maximal reconvergence"
         : rule == Rule::subgroup_uniform ? "subgroup-uniform control flow"
                                          : "nothing beyond Vulkan";
}
/// The stronger a rule, the more it promises.
bool is_stronger(Rule a, Rule b) { return a < b; }
static_assert(Rule::maximal < Rule::subgroup_uniform && Rule::subgroup_uniform < Rule::core);

class Examiner {
 public:
  Examiner(const Lesson& lesson, const std::string& text, const std::string& name,
           Compiling compiling)
      : lesson_(lesson), module_(Module::from_glsl(text, options_for(compiling), name)) {}

  Verdict examine() {
    const Exercise& exercise = lesson_.exercise;
    rule_ = declared_rule();
    if (exercise.adversary && is_stronger(rule_, exercise.rule))
      return {
          false,
          {fmt::format(
               "wrong: the shader asks for {}, but this exercise is about shaders that ask for {}",
               name_of(rule_), name_of(exercise.rule)),
           fmt::format("hint: {}", lesson_.hint)}};
    for (const Way& way : ways()) {
      std::vector<std::string> wrong = run(way);
      if (wrong.empty()) continue;
      wrong.insert(wrong.begin(), fmt::format("wrong at subgroup size {}{}:", way.size, way.what));
      wrong.push_back(fmt::format("hint: {}", lesson_.hint));
      return {false, std::move(wrong)};
    }
    return {true,
            {fmt::format("right, in {} runs at subgroup sizes {}{}", runs_,
                         fmt::join(lesson_.exercise.sizes, ", "), also_)}};
  }

 private:
  std::vector<Way> ways() {
    std::vector<Way> all;
    const Exercise& exercise = lesson_.exercise;
    for (const int size : exercise.sizes)
      for (int input = 0; input < inputs; ++input)
        all.push_back({.size = size, .input = input, .checked = true});
    if (exercise.adversary) {
      also_ = ", even where lanes rejoin only if that is promised";
      for (const int size : exercise.sizes)
        for (const char* chooser :
             {"rejoin-none", "convergence,late-break=random:1", "convergence,late-break=random:2",
              "convergence,late-break=random:3"})
          for (int input = 0; input < inputs; ++input)
            all.push_back({.size = size,
                           .input = input,
                           .chooser = chooser,
                           .what = " where lanes rejoin only if that is promised"});
    }
    if (exercise.mappings) {
      also_ = ", even with invocations in other lanes and workgroups in other orders";
      for (const int size : exercise.sizes)
        for (const Mapping mapping :
             {Mapping::reversed(), Mapping::shuffled(1), Mapping::shuffled(2)})
          all.push_back({.size = size,
                         .mapping = mapping,
                         .order = WorkgroupOrder::reversed(),
                         .what = " with invocations in other lanes"});
    }
    return all;
  }

  const Pipeline& pipeline(int size) {
    if (!pipeline_ || pipeline_->subgroup_size() != size)
      pipeline_.emplace(module_, PipelineOptions{.subgroup_size = size});
    return *pipeline_;
  }

  Rule declared_rule() {
    const ShaderInterface& shader = pipeline(lesson_.exercise.sizes.front()).interface();
    return shader.maximally_reconverges           ? Rule::maximal
           : shader.subgroup_uniform_control_flow ? Rule::subgroup_uniform
                                                  : Rule::core;
  }

  std::vector<std::string> run(const Way& way) {
    ++runs_;
    const Pipeline& shader = pipeline(way.size);
    const Size3 local = shader.interface().local_size;
    const std::uint64_t invocations = std::uint64_t{local.x} * local.y * local.z;
    if (invocations > most_invocations)
      return {fmt::format("the workgroup has {} invocations; leave the local size as it was",
                          invocations)};
    Input input{values_of(lesson_.exercise.workgroups * invocations, way.input), invocations,
                static_cast<std::size_t>(way.size)};
    Numbers result(input.values.size(), untouched), count(1);
    DescriptorTable table;
    table.bind(0, std::as_const(input.values)).bind(1, result);
    if (lesson_.exercise.slots) table.bind(2, count);
    Dispatch dispatch;
    dispatch.workgroups = {lesson_.exercise.workgroups, 1, 1};
    dispatch.threads = 1;
    dispatch.deterministic = true;
    dispatch.max_steps = most_trips;
    dispatch.mapping = way.mapping;
    dispatch.order = way.order;
    if (way.checked) dispatch.checks = Checks::all();
    std::optional<Chooser> chooser;
    AtomicCounter atomics;
    Convergence convergence;
    if (!way.chooser.empty()) {
      chooser.emplace(Chooser::parse(way.chooser));
      convergence = {.rule = rule_, .chooser = &*chooser, .max_trips = most_trips};
      if (lesson_.exercise.one_atomic) convergence.observers.push_back(&atomics);
      dispatch.convergence = &convergence;
    }
    FaultLog findings;
    try {
      findings = shader.dispatch(table, dispatch).findings;
    } catch (const FindingError& error) {
      findings = error.earlier();
      findings.record(error.finding());
    }
    std::vector<std::string> wrong = differences(way, input, result, count[0]);
    const std::uint64_t subgroups =
        lesson_.exercise.workgroups * ((invocations + input.size - 1) / input.size);
    if (atomics.count() > subgroups)
      wrong.push_back(fmt::format("  {} lanes do an atomic on count; {} subgroups need one each",
                                  atomics.count(), subgroups));
    for (const Finding& finding : findings.findings())
      if (finding.severity == Severity::error)
        wrong.push_back(
            fmt::format("{} (docs/reference/rules.md#{})", to_string(finding), finding.rule));
    return wrong;
  }

  std::vector<std::string> differences(const Way& way, const Input& input, const Numbers& result,
                                       std::uint32_t count) const {
    const Numbers expected = lesson_.exercise.expected(input);
    return lesson_.exercise.slots ? slots(expected, result, count)
                                  : elements(input, expected, result, way);
  }

  static std::string text_of(std::uint32_t value) {
    return value == untouched ? "nothing" : std::to_string(value);
  }

  /// The lane where nothing permutes them, else the invocation.
  static std::string place_of(const Input& input, std::size_t i, const Way& way) {
    const std::size_t local = i % input.local;
    if (way.mapping != Mapping::linear())
      return fmt::format("workgroup {}, invocation {}", i / input.local, local);
    return fmt::format("workgroup {}, subgroup {}, lane {}", i / input.local, local / input.size,
                       local % input.size);
  }

  static std::vector<std::string> elements(const Input& input, const Numbers& expected,
                                           const Numbers& result, const Way& way) {
    std::vector<std::string> lines;
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (result[i] == expected[i] || ++wrong > most_lines) continue;
      lines.push_back(fmt::format("  result[{}] ({}; its value is {}) is {}, expected {}", i,
                                  place_of(input, i, way), input.values[i], text_of(result[i]),
                                  text_of(expected[i])));
    }
    if (wrong > most_lines) lines.push_back(fmt::format("  ... and {} more", wrong - most_lines));
    return lines;
  }

  static std::vector<std::string> slots(Numbers expected, const Numbers& result,
                                        std::uint32_t count) {
    std::vector<std::string> lines;
    if (count != expected.size())
      lines.push_back(fmt::format("  count is {}, expected {}", count, expected.size()));
    Numbers got;
    for (const std::uint32_t value : result)
      if (value != untouched) got.push_back(value);
    std::ranges::sort(expected);
    std::ranges::sort(got);
    Numbers missing, wrong;
    std::ranges::set_difference(expected, got, std::back_inserter(missing));
    std::ranges::set_difference(got, expected, std::back_inserter(wrong));
    const auto some = [](const Numbers& values) {
      const auto shown =
          values.begin() + static_cast<std::ptrdiff_t>(std::min(values.size(), most_lines));
      return fmt::format("{}{}", fmt::join(values.begin(), shown, ", "),
                         shown == values.end() ? "" : ", ...");
    };
    if (!missing.empty())
      lines.push_back(fmt::format("  {} values have no slot, or lost it to another: {}",
                                  missing.size(), some(missing)));
    if (!wrong.empty())
      lines.push_back(
          fmt::format("  {} slots hold values that belong in none: {}", wrong.size(), some(wrong)));
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (result[i] != untouched) continue;
      lines.push_back(fmt::format("  slot {} is empty", i));
      break;
    }
    return lines;
  }

  const Lesson& lesson_;
  Module module_;
  std::optional<Pipeline> pipeline_;
  std::string also_;
  Rule rule_ = Rule::core;  ///< that the answer declares
  int runs_ = 0;
};

}  // namespace

Verdict check(const Lesson& lesson, const std::string& text, const std::string& name,
              Compiling compiling) {
  try {
    return Examiner(lesson, text, name, compiling).examine();
  } catch (const Error& error) {
    return {false, {fmt::format("does not run: {}", error.what())}};
  }
}

}  // namespace lockstep::lessons
