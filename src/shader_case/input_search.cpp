#include "shader_case/input_search.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/exec/checks.hpp>
#include <lockstep/exec/error.hpp>
#include <lockstep/exec/event.hpp>
#include <lockstep/spirv/interruption.hpp>
#include <lockstep/spirv/pipeline.hpp>

#include "io/columns.hpp"
#include "io/error.hpp"
#include "io/layouts.hpp"
#include "io/npy.hpp"
#include "io/spec_constants.hpp"
#include "shader/front/compared_constants.hpp"
#include "shader_case/shader_case.hpp"
#include "shader_case/usage_error.hpp"

namespace lockstep::shader_case {
namespace {

// ---- What a run reaches ----

/// A line, one that many lanes of a subgroup reach together, a side of its condition, or a loop that repeats.
struct Place {
  enum class Kind : std::uint8_t { line, many, yes, no, loop, repeated, repeated_again };
  std::string_view file;
  int line = 0;
  Kind kind = Kind::line;

  friend auto operator<=>(const Place&, const Place&) = default;
};
using Places = std::set<Place>;

class Reached : public Observer {
 public:
  /// Adds the events to `count`, also of a run that ends with an error.
  explicit Reached(std::uint64_t& count) : count_(count) {}

  void on(const Event& event) override {
    ++count_;
    const auto add = [&](Place::Kind kind) {
      places.insert({event.where.file, event.where.line, kind});
    };
    if (event.kind == Event::Kind::line && !event.tangles.empty()) {
      add(Place::Kind::line);
      int lanes = 0;
      for (const Tangle& tangle : event.tangles) lanes += tangle.lanes.count();
      if (lanes >= many) add(Place::Kind::many);
    }
    if (event.kind == Event::Kind::enter) {
      if (!event.tangles.empty()) add(Place::Kind::yes);
      if (event.others.any_lane()) add(Place::Kind::no);
    }
    if (event.kind == Event::Kind::trip) {
      add(Place::Kind::loop);
      if (event.trip >= 1 && !event.tangles.empty()) add(Place::Kind::repeated);
      if (event.trip >= 2 && !event.tangles.empty()) add(Place::Kind::repeated_again);
    }
  }
  Interest interest() const override {
    return {{Event::Kind::line, Event::Kind::enter, Event::Kind::trip}, false, false};
  }

  Places places;

 private:
  static constexpr int many = 8;
  std::uint64_t& count_;
};

/// Ends a run that takes long: each call stands for 65536 iterations.
class StepLimit : public InterruptibleProgress {
 public:
  void on(std::size_t, std::size_t) override {}
  bool interrupted() const override { return ++calls_ > most; }

 private:
  static constexpr int most = 2;
  mutable int calls_ = 0;
};

// ---- What can be varied ----

/// A number that the shader reads from a block, or a specialization constant.
struct Number {
  enum class Of : std::uint8_t { push, buffer, specialization };
  Of of = Of::push;
  std::string name;  ///< as in the maps of Proposal
  NumberType type = NumberType::none;
};

bool is_address(NumberType type) { return type == NumberType::uint64; }

/// The numbers of a block, but for those in long arrays.
void add_numbers(const LayoutType& block, Number::Of of, const std::string& before,
                 std::vector<Number>& to) {
  constexpr std::uint64_t longest = 16;
  constexpr std::size_t most = 64;
  for (const auto& column : lockstep::io::columns_of(block, block.size)) {
    if (column.size() > longest) continue;
    for (std::uint64_t k = 0; k < column.size() && to.size() < most; ++k) {
      const std::string path = column.path(k);
      NumberType type = NumberType::uint32;
      for (const NumberType one : numbers_of(block)) {
        if (lockstep::io::dtype_of(one) == column.type) type = one;
      }
      if (!path.empty() && !is_address(type)) to.push_back({of, before + path, type});
    }
  }
}

/// Everything about a shader's inputs that a search may change.
class Space {
 public:
  Space(const Module& module, const RunOptions& options, const Inspection& shader) {
    const Reflection& declared = shader.declared;
    if (declared.push_constants)
      add_numbers(*declared.push_constants, Number::Of::push, "", numbers);
    for (const Reflection::Binding& binding : declared.bindings) {
      if (!binding.used || !is_buffer(binding)) continue;
      const std::string slot = slot_of(binding);
      if (binding.elements == 1)
        add_numbers(binding.block, Number::Of::buffer, slot + ".", numbers);
      if (binding.kind == Reflection::Binding::Kind::storage_buffer) {
        if (std::ranges::find(buffers, slot) == buffers.end()) buffers.push_back(slot);
        const std::vector<NumberType> types = numbers_of(binding.block);
        if (types.size() == 1) arrays.insert_or_assign(slot, types[0]);
      }
    }
    if (options.specs.empty()) {
      for (const DeclaredConstant& constant : declared.constants)
        numbers.push_back({Number::Of::specialization, std::to_string(constant.id), constant.type});
      find_sizes(module, options, shader);
    }
    const spirv::ComparedConstants compared = spirv::compared_constants(module.words());
    std::set<std::int64_t> near;
    compared_integers.assign(compared.integers.begin(), compared.integers.end());
    std::set<std::int64_t> exact = compared.other_integers;
    exact.insert(compared.integers.begin(), compared.integers.end());
    for (const std::int64_t value : exact) near.insert({value - 1, value, value + 1});
    integers.assign(near.begin(), near.end());
    floats.assign(compared.floats.begin(), compared.floats.end());
  }

  /// The specialization constants that make a workgroup larger which has one invocation.
  void find_sizes(const Module& module, const RunOptions& options, const Inspection& shader) {
    const auto invocations = [](const Inspection& of) {
      const Size3& local = of.declared.local_size;
      return std::uint64_t{local.x} * local.y * local.z;
    };
    if (invocations(shader) != 1) return;
    for (const Number& number : numbers) {
      if (number.of != Number::Of::specialization || is_float(number.type)) continue;
      RunOptions larger = options;
      larger.specs.push_back(number.name + "=2");
      try {
        if (invocations(inspection_of(module, larger)) > 1) sizes.push_back(number);
      } catch (const Error&) {
      } catch (const lockstep::io::InputError&) {
      } catch (const UsageError&) {
      }
    }
  }

  std::vector<Number> numbers;
  std::vector<Number> sizes;                 ///< the numbers that find_sizes() finds
  std::vector<std::string> buffers;          ///< slots of storage buffers
  std::map<std::string, NumberType> arrays;  ///< those of them that have numbers of one type
  std::vector<std::int64_t> compared_integers;
  std::vector<std::int64_t> integers;  ///< in the shader, and their neighbours
  std::vector<double> floats;
};

Proposal::Values& values_of(Proposal& proposal, const Number& number) {
  return number.of == Number::Of::push     ? proposal.push
         : number.of == Number::Of::buffer ? proposal.members
                                           : proposal.specs;
}

// ---- Values ----

constexpr std::int64_t common[] = {1,  2,  3,  4,  5,  7,   8,   9,   16,  17,
                                   31, 32, 33, 64, 65, 100, 128, 256, 600, 1100};

bool is_signed(NumberType type) {
  return type == NumberType::int8 || type == NumberType::int16 || type == NumberType::int32 ||
         type == NumberType::int64;
}

/// As the options take it; what the type cannot hold becomes 1.
std::string text_of(const Number& number, std::int64_t value) {
  if (number.type == NumberType::boolean) return value != 0 ? "true" : "false";
  const bool fits = (value >= 0 || is_signed(number.type)) && value <= 0x7fffffff &&
                    (size_of(number.type) > 1 || (value >= -128 && value < 128));
  return is_float(number.type) ? fmt::format("{}", value) : std::to_string(fits ? value : 1);
}

/// A candidate, and what it reaches.
struct Tried {
  Proposal proposal;
  Places places;
};

class Search {
 public:
  Search(const Module& module, const RunOptions& options, const Inspection& shader,
         const SearchLimits& limits)
      : module_(module),
        options_(options),
        shader_(shader),
        limits_(limits),
        space_(module, options, shader),
        random_(limits.seed) {}

  FoundInputs find() {
    consider({});
    std::size_t shape = 0;
    for (const std::int64_t same : {16, 1, 2, 4, 5, 8, 33, 64, 100}) {
      if (!is_done()) consider(all(same, shape++));
    }
    sweep();
    std::uint64_t idle = 0;
    const auto change_at_random = [&] {
      while (!is_done() && idle < limits_.runs / 2) idle = consider(changed()) ? 0 : idle + 1;
    };
    const std::vector<SlotContents> contents = compared_contents();
    held_back_ = std::min<std::uint64_t>(contents.size(), limits_.runs / 5);
    change_at_random();
    held_back_ = 0;
    sweep(contents);
    change_at_random();
    return chosen();
  }

 private:
  // ---- Runs ----

  /// Keeps what reaches more than everything before it. Buffers grow while the shader leaves them.
  bool consider(Proposal proposal) {
    constexpr std::uint64_t most_elements = std::uint64_t{1} << 18;
    for (std::uint64_t elements = 1024; elements <= most_elements; elements *= 16) {
      if (is_spent()) return false;
      for (const std::string& slot : space_.buffers) proposal.contents[slot].elements = elements;
      const Outcome outcome = run(proposal);
      if (outcome.left_buffers) continue;
      if (!outcome.ran || std::ranges::includes(reached_, outcome.places)) return false;
      reached_.insert(outcome.places.begin(), outcome.places.end());
      kept_.push_back({std::move(proposal), outcome.places});
      return true;
    }
    return false;
  }

  struct Outcome {
    bool ran = false, left_buffers = false;
    Places places = {};
  };

  Outcome run(const Proposal& proposal) {
    ++runs_;
    try {
      return run_case(with_arguments(options_, arguments_of(options_, shader_, proposal)));
    } catch (const Error&) {
    } catch (const lockstep::io::InputError&) {
    } catch (const UsageError&) {
    } catch (const npy::Error&) {
    }
    return {};
  }

  Outcome run_case(const RunOptions& options) {
    ShaderCase shader = make_case(module_, options, profile_of(options).subgroup_size);
    const Pipeline& pipeline = pipeline_for(options, shader);
    Reached reached(work_);
    StepLimit patience;
    RunConvergence convergence(options);
    Dispatch dispatch = dispatch_of(shader, options);
    dispatch.convergence = convergence.get(&reached);
    dispatch.threads = 1;
    dispatch.max_steps = 1u << 12;
    // What sizes and other numbers cause, and no code.
    dispatch.checks = {Check::out_of_bounds, Check::shift_too_wide, Check::division_by_zero};
    dispatch.progress = &patience;
    const ShaderRun done = shader_case::run(shader, pipeline, shader.buffers, dispatch);
    if (done.places) {
      lines_ = done.places->lines.size();
      sides_ = 2 * done.places->branches.size();
      for (const SourceLocation& where : done.places->branches)
        branches_.insert({where.file, where.line});
    }
    const auto is_outside = [](const Finding& finding) {
      return finding.rule == to_string(Check::out_of_bounds);
    };
    const auto& findings = done.findings.findings();
    const bool is_wrong = !std::ranges::all_of(findings, is_outside);
    return {!is_wrong, !is_wrong && (done.faults > 0 || !findings.empty()),
            std::move(reached.places)};
  }

  const Pipeline& pipeline_for(const RunOptions& options, const ShaderCase& shader) {
    constexpr std::size_t most = 8;
    const std::string specs = fmt::format("{}", fmt::join(options.specs, " "));
    auto pipeline = pipelines_.find(specs);
    if (pipeline == pipelines_.end()) {
      if (pipelines_.size() == most) pipelines_.clear();
      work_ += module_.words().size() * work_of_word;
      pipeline = pipelines_.try_emplace(specs, shader.module, shader.pipeline_options).first;
    }
    return pipeline->second;
  }

  // ---- Candidates ----

  /// The same number everywhere, a workgroup of one of the usual shapes, and random contents.
  Proposal all(std::int64_t value, std::size_t shape) const {
    constexpr std::int64_t shapes[][2] = {{32, 1}, {8, 8}, {64, 1}, {16, 16}};
    Proposal proposal;
    for (const Number& number : space_.numbers) {
      if (number.of != Number::Of::specialization)
        values_of(proposal, number)[number.name] = text_of(number, value);
    }
    for (std::size_t k = 0; k < std::min<std::size_t>(space_.sizes.size(), 2); ++k) {
      const Number& size = space_.sizes[k];
      values_of(proposal, size)[size.name] = text_of(size, shapes[shape % std::size(shapes)][k]);
    }
    for (const std::string& slot : space_.buffers)
      proposal.contents[slot].kind = Proposal::Contents::Kind::random;
    return proposal;
  }

  /// Changes each number alone, in what reaches the most so far, to small ones and to what the shader compares with.
  void sweep() {
    constexpr std::size_t most = 12;
    std::set<std::int64_t> values{0, 1, 2, 3};
    for (const std::int64_t value : space_.compared_integers) {
      if (values.size() < most) values.insert(value);
    }
    for (const Number& number : space_.numbers) {
      for (const std::int64_t value : values) {
        if (is_done()) return;
        Proposal proposal = best();
        values_of(proposal, number)[number.name] = text_of(number, value);
        consider(std::move(proposal));
      }
    }
  }

  using SlotContents = std::pair<std::string, Proposal::Contents>;

  /// Numbers about what the shader compares with, and just these, for each buffer; not what zeros and random contents have.
  std::vector<SlotContents> compared_contents() const {
    constexpr std::size_t most = 4;
    constexpr double largest = 0x7ffffff0;
    using Kind = Proposal::Contents::Kind;
    std::vector<double> integers(space_.compared_integers.begin(), space_.compared_integers.end());
    std::erase_if(integers, [](double value) { return value < 8 || value > largest; });
    std::vector<double> floats = space_.floats;
    std::erase(floats, 0);
    std::vector<SlotContents> contents;
    for (const auto& [slot, type] : space_.arrays) {
      const std::vector<double>& values = is_float(type) ? floats : integers;
      if (size_of(type) < 4) continue;
      for (std::size_t k = 0; k < std::min(values.size(), most); ++k) {
        if (std::abs(values[k]) >= 1) contents.push_back({slot, {Kind::around, values[k]}});
        contents.push_back({slot, {Kind::same, values[k]}});
      }
    }
    return contents;
  }

  void sweep(const std::vector<SlotContents>& all) {
    for (const auto& [slot, contents] : all) {
      if (is_done()) return;
      Proposal proposal = best();
      proposal.contents[slot] = contents;
      consider(std::move(proposal));
    }
  }

  Proposal best() const {
    const auto most =
        std::ranges::max_element(kept_, {}, [](const Tried& tried) { return tried.places.size(); });
    return most == kept_.end() ? Proposal() : most->proposal;
  }

  std::uint64_t below(std::uint64_t end) { return random_() % end; }

  std::string value_for(const Number& number) {
    if (is_float(number.type)) {
      constexpr double some[] = {0, 0.5, 1, -1, 2, 100};
      const std::size_t all = std::size(some) + space_.floats.size();
      const std::size_t k = below(all);
      return fmt::format("{}", k < std::size(some) ? some[k] : space_.floats[k - std::size(some)]);
    }
    if (number.type == NumberType::boolean) return below(2) == 0 ? "false" : "true";
    if (below(8) == 0) return "0";
    if (space_.integers.empty() || below(2) == 0)
      return text_of(number, common[below(std::size(common))]);
    return text_of(number, space_.integers[below(space_.integers.size())]);
  }

  /// One of the kept candidates, often the latest, with a few changes.
  Proposal changed() {
    const std::size_t last = kept_.size() - 1;
    Proposal proposal = kept_.empty()   ? Proposal()
                        : below(2) == 0 ? kept_[last].proposal
                                        : kept_[below(kept_.size())].proposal;
    const std::uint64_t changes = 1 + below(3);
    for (std::uint64_t k = 0; k < changes; ++k) change(proposal);
    return proposal;
  }

  void change(Proposal& proposal) {
    const std::uint64_t numbers = space_.numbers.size(), buffers = space_.buffers.size();
    const std::uint64_t what = below(numbers + buffers + 1);
    if (what < numbers) {
      const Number& number = space_.numbers[what];
      values_of(proposal, number)[number.name] = value_for(number);
    } else if (what < numbers + buffers) {
      using Kind = Proposal::Contents::Kind;
      proposal.contents[space_.buffers[what - numbers]].kind = static_cast<Kind>(below(3));
    } else {
      proposal.groups[below(3)] = static_cast<std::uint32_t>(1 + below(3));
    }
  }

  // ---- The result ----

  // Work is counted, not timed, for the same result on every machine: in events that a run reports, some microseconds each.
  static constexpr std::uint64_t work_of_word = 4;        ///< to make a pipeline
  static constexpr std::uint64_t work_of_run = 1u << 13;  ///< that a run may do on average

  bool is_over_work() const { return work_ / work_of_run + held_back_ >= limits_.runs; }
  bool is_spent() const { return runs_ + held_back_ >= limits_.runs || is_over_work(); }
  bool is_complete() const { return !kept_.empty() && missing() == 0; }
  bool is_done() const { return is_spent() || is_complete(); }

  std::size_t count(const Places& places, Place::Kind kind) const {
    return static_cast<std::size_t>(std::ranges::count(places, kind, &Place::kind));
  }
  std::size_t count_sides(const Places& places) const {
    return static_cast<std::size_t>(std::ranges::count_if(places, [&](const Place& place) {
      return (place.kind == Place::Kind::yes || place.kind == Place::Kind::no) &&
             branches_.contains({place.file, place.line});
    }));
  }
  std::size_t missing() const {
    // A single invocation needs no barrier.
    const bool is_alone = !space_.sizes.empty() && count(reached_, Place::Kind::many) == 0;
    return lines_ + sides_ + count(reached_, Place::Kind::loop) + (is_alone ? 1 : 0) -
           count(reached_, Place::Kind::line) - count_sides(reached_) -
           count(reached_, Place::Kind::repeated_again);
  }

  /// Those of the kept that add the most, one after another.
  FoundInputs chosen() {
    FoundInputs found;
    Places together;
    while (found.sets.size() < limits_.sets) {
      const Tried* best = nullptr;
      std::size_t most = 0;
      for (const Tried& one : kept_) {
        Places more;
        std::ranges::set_difference(one.places, together, std::inserter(more, more.end()));
        if (more.size() > most) best = &one;
        most = std::max(most, more.size());
      }
      if (best == nullptr) break;
      together.insert(best->places.begin(), best->places.end());
      found.sets.push_back(best->proposal);
    }
    if (found.sets.empty()) found.sets.emplace_back();
    found.runs = runs_;
    found.is_cut_short = runs_ < limits_.runs && is_over_work() && !is_complete();
    found.lines = lines_;
    found.sides = sides_;
    found.never_ran = lines_ - std::min(lines_, count(together, Place::Kind::line));
    found.never_taken = sides_ - std::min(sides_, count_sides(together));
    return found;
  }

  const Module& module_;
  const RunOptions& options_;
  const Inspection& shader_;
  SearchLimits limits_;
  Space space_;
  std::mt19937_64 random_;
  std::map<std::string, Pipeline> pipelines_;  ///< by specialization constants
  std::uint64_t runs_ = 0, work_ = 0;
  std::uint64_t held_back_ = 0;  ///< runs, for what comes later
  std::size_t lines_ = 0, sides_ = 0;
  std::set<std::pair<std::string_view, int>> branches_;
  std::vector<Tried> kept_;
  Places reached_;  ///< by all of them
};

}  // namespace

FoundInputs find_inputs(const Module& module, const RunOptions& options, const Inspection& shader,
                        const SearchLimits& limits) {
  return Search(module, options, shader, limits).find();
}

}  // namespace lockstep::shader_case
