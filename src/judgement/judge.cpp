#include "judgement/judge.hpp"

#include <algorithm>
#include <cfenv>
#include <chrono>
#include <cstring>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/exec/error.hpp>

#include "judgement/choices.hpp"
#include "judgement/limits.hpp"
#include "judgement/orders.hpp"
#include "judgement/other_devices.hpp"
#include "judgement/possible.hpp"
#include "judgement/races.hpp"
#include "oracle/bounds.hpp"
#include "runtime/dispatch/kept_denormals.hpp"

namespace lockstep::judgement {
namespace {

/// Whether the shader adds or multiplies between lanes.
bool has_float_order(const Pipeline& pipeline) {
  return std::ranges::any_of(pipeline.interface().built_ins, [](std::string_view name) {
    return name.find("Add") != name.npos || name.find("Mul") != name.npos;
  });
}

/// Whether it matters which invocations are in a subgroup, or together.
bool uses_subgroups(const Pipeline& pipeline) {
  using enum Feature;
  // Those before it are operations between lanes.
  constexpr Features operations((std::uint64_t{1} << static_cast<int>(subgroup_size_control)) - 1);
  constexpr Features features = operations | shader_quad_control | compute_derivative_group_quads |
                                compute_derivative_group_linear | cooperative_matrix;
  return (pipeline.interface().needs & features) != Features();
}

/// The options that repeat a run at this size.
std::string with_size(const Rerun& rerun, const std::string& options) {
  return fmt::format("--subgroup-size {} {}", rerun.pipeline().subgroup_size(), options);
}

}  // namespace

/// The judgement of one result. Long, as each way to allow an element goes on where the one before it gave up.
class Judge::Judging {
 public:
  Judging(const Rerun& rerun, const Options& options)
      : rerun_(rerun), options_(options), first_(expect(nullptr)) {}

  Judgement judge(const Contents& outputs) {
    check(outputs);
    outputs_ = outputs;
    result_ = {};
    expected_ = first_.get();
    legal_.clear();
    excused_ = by_chance();
    orders_ = {};
    impossible_.assign(outputs.size(), {});
    judge_all();
    if (options_.explain && result_.count(Verdict::unordered) + result_.count(Verdict::open) > 0)
      order();
    if (options_.explain && result_.count(Verdict::wrong) > 0) explain();
    if (options_.explain && result_.count(Verdict::open) > 0) {
      run_rounded();
      judge_all();
    }
    find_writers();
    return std::move(result_);
  }

 private:
  /// Another legal run.
  struct Legal {
    std::string name;
    Contents contents;
  };

  using Excuses = std::vector<std::map<std::size_t, Excuse>>;  ///< by part and element

  /// What conforming devices may give that make some choices of convergence.
  struct Expected {
    Contents contents;
    oracle::Bounds bounds;
    std::vector<Legal> orders;  ///< the same with known orders of sums between lanes
  };

  void check(const Contents& outputs) const {
    const std::vector<Part>& parts = rerun_.parts();
    if (outputs.size() != parts.size())
      throw Error(
          fmt::format("{} outputs are given for {} bindings", outputs.size(), parts.size()));
    for (std::size_t k = 0; k < outputs.size(); ++k) {
      const std::size_t bytes = parts[k].bytes;
      if (!outputs[k].empty() && outputs[k].size() != bytes)
        throw Error(fmt::format("the output of binding {} has {} bytes, not {}", k,
                                outputs[k].size(), bytes));
    }
  }

  // ---- Runs ----

  /// Runs with the choices, or as the first run of all if there are none.
  void run(Contents& contents, Dispatch how, const Choices* choices) const {
    if (choices == nullptr) {
      rerun_.run(contents, how);
      return;
    }
    Chooser chooser = Chooser::replay(choices->answers).only(choices->asked);
    const Convergence convergence{
        .rule = rerun_.rule(), .chooser = &chooser, .observer = nullptr, .max_trips = most_steps};
    how.convergence = &convergence;
    rerun_.run(contents, how);
  }
  std::unique_ptr<Expected> expect(const Choices* choices) const {
    auto made = std::make_unique<Expected>();
    if (!options_.order && has_float_order(rerun_.pipeline())) {
      for (const FloatOrder order :
           {FloatOrder::left_fold, FloatOrder::hillis_steele, FloatOrder::butterfly}) {
        Legal& legal =
            made->orders.emplace_back(Legal{std::string(to_string(order)), rerun_.inputs()});
        Dispatch how = plain_dispatch();
        how.float_order = order;
        run(legal.contents, how, choices);
      }
    }
    made->contents = rerun_.inputs();
    Dispatch how = plain_dispatch();
    how.float_order = options_.order.value_or(FloatOrder::tree);
    how.only_float_order = options_.order.has_value();
    how.bounds = &made->bounds;
    run(made->contents, how, choices);
    return made;
  }

  /// Runs in which every operation rounds the same way, which a device may do. WebAssembly always rounds to nearest.
  void run_rounded() {
#ifdef FE_UPWARD
    if (!sampled_.empty()) return;
    const int before = std::fegetround();
    for (const auto& [name, mode] :
         {std::pair{"up", FE_UPWARD}, {"down", FE_DOWNWARD}, {"to zero", FE_TOWARDZERO}}) {
      Legal rounded{name, rerun_.inputs()};
      std::fesetround(mode);
      try {
        Dispatch how = plain_dispatch();
        how.max_steps = most_steps;
        run(rounded.contents, how, nullptr);
        sampled_.push_back(std::move(rounded));
      } catch (const Error&) {
        // A loop whose end depends on a rounding.
      }
      std::fesetround(before);
    }
#endif
  }

  void judge_all() {
    result_.buffers.clear();
    for (std::size_t k = 0; k < outputs_.size(); ++k) {
      if (outputs_[k].empty()) continue;
      const Part& part = rerun_.parts()[k];
      Compared compared{rerun_.address(expected_->contents, k), expected_->contents[k],
                        outputs_[k]};
      compared.excused = excused_[k];
      if (orders_.outcome != Orders::Outcome::unknown) {
        compared.ordered = orders_.contents[k];
        compared.misordered = orders_.wrong[k];
        compared.left_open = orders_.open[k];
      }
      compared.impossible = impossible_[k];
      for (const Legal& legal : expected_->orders)
        compared.legal.push_back({legal.name, legal.contents[k]});
      for (const Legal& legal : legal_) compared.legal.push_back({legal.name, legal.contents[k]});
      for (const Legal& one : sampled_) compared.sampled.push_back({one.name, one.contents[k]});
      result_.buffers.push_back({k,
                                 part.columns.empty()
                                     ? judgement::judge(part.type, compared, expected_->bounds)
                                     : judgement::judge(part.columns, compared, expected_->bounds),
                                 {}});
    }
  }

  /// Finds the order of atomics in which the device gives what it gave. Where it is not found, what no order gives.
  void order() {
    orders_ = find_orders(rerun_, outputs_, expected_->contents, expected_->bounds);
    if (orders_.outcome == Orders::Outcome::unknown) {
      if (result_.count(Verdict::open) == 0) return;
      for (std::size_t k = 0; k < outputs_.size(); ++k) impossible_[k] = impossible_in(k);
    }
    judge_all();
  }
  std::map<std::size_t, std::string> impossible_in(std::size_t k) const {
    if (outputs_[k].empty()) return {};
    OfPart part{rerun_.address(expected_->contents, k), outputs_[k], {}};
    for_each_place(rerun_.parts(), k, [&](const Place& place) { part.places.push_back(place); });
    return find_impossible(part, expected_->bounds.memory);
  }

  // ---- What would be wrong ----

  /// First whether the shader is at fault, then what this device may do, then what others may.
  void explain() {
    blame_races();
    // Without either, every conforming device does the same.
    if (rerun_.is_fixed() || (races().no_order_matters() && !uses_subgroups(rerun_.pipeline())))
      return;
    std::size_t misordered = 0;  // which no other choice explains, either
    for (const auto& wrong : orders_.wrong) misordered += wrong.size();
    if (result_.count(Verdict::wrong) > misordered) try_choices();
    if (result_.count(Verdict::wrong) > misordered) find_other();
    if (result_.count(Verdict::wrong) > 0 && !result_.explanation) explain_by_size();
  }

  /// The places with one of the verdicts, or with the reference's bits.
  std::vector<Place> places_that_are(Verdict wanted, bool or_same) const {
    std::vector<Place> places;
    for (const Buffer& judged : result_.buffers) {
      const std::byte* const device = outputs_[judged.part].data();
      const std::byte* const own = expected_->contents[judged.part].data();
      auto verdicts = judged.result.runs.begin();
      std::size_t left = verdicts == judged.result.runs.end() ? 0 : verdicts->second;
      for_each_place(rerun_.parts(), judged.part, [&](const Place& place) {
        while (left == 0) left = (++verdicts)->second;
        --left;
        const bool is_same = or_same && std::memcmp(device + place.byte, own + place.byte,
                                                    io::bytes_of(place.type)) == 0;
        if (verdicts->first == wanted || is_same) places.push_back(place);
      });
    }
    return places;
  }

  Races& races() {
    if (!races_) races_.emplace(rerun_);
    return *races_;
  }
  /// What a race decides: a device agrees there by chance.
  const Excuses& by_chance() {
    if (by_chance_.empty()) by_chance_.resize(rerun_.parts().size());
    if (!options_.explain || by_chance_known_) return by_chance_;
    by_chance_known_ = true;
    if (!races().any()) return by_chance_;
    std::vector<Place> places;
    for (std::size_t k = 0; k < by_chance_.size(); ++k)
      for_each_place(rerun_.parts(), k, [&](const Place& place) { places.push_back(place); });
    const Races::Texts texts = races().decide(places, [&](const Place& place) {
      const std::byte* const at = rerun_.address(first_->contents, place.part) + place.byte;
      return first_->bounds.memory.load(at, io::bytes_of(place.type)).kind !=
             oracle::Allowed::Kind::exact;
    });
    for (std::size_t k = 0; k < places.size(); ++k) {
      if (texts[k]) by_chance_[places[k].part][places[k].number] = {Verdict::racy, *texts[k], true};
    }
    return by_chance_;
  }
  void blame_races() {
    const std::vector<Place> wrong = places_that_are(Verdict::wrong, false);
    const Races::Texts texts = races().reach(wrong);
    for (std::size_t k = 0; k < wrong.size(); ++k) {
      if (texts[k]) excused_[wrong[k].part][wrong[k].number] = {Verdict::racy, *texts[k]};
    }
    judge_all();
  }

  /// What the rule of convergence leaves open.
  void try_choices() {
    const Sought sought{places_that_are(Verdict::wrong, true), outputs_};
    const Searched searched = search_choices(rerun_, sought);
    result_.tried = TriedChoices{searched.runs, searched.exhausted};
    if (searched.best) take_if_better(*searched.best);
    if (searched.exhausted || result_.count(Verdict::wrong) == 0) return;
    const std::string reason = fmt::format(
        "depends on which lanes are together, which the rule '{}' leaves open; none of {} runs "
        "gives this, and not every choice was tried",
        to_string(rerun_.rule()), searched.runs);
    for (std::size_t k = 0; k < sought.places.size(); ++k) {
      if (!searched.depends[k]) continue;
      const Place& place = sought.places[k];
      excused_[place.part].try_emplace(place.number, Excuse{Verdict::open, reason});
    }
    judge_all();
  }
  /// Judges by what devices may give that make these choices, if less is wrong then.
  void take_if_better(const Choices& choices) {
    Judgement before = result_;
    const Expected* const kept = expected_;
    chosen_ = expect(&choices);
    expected_ = chosen_.get();
    judge_all();
    if (result_.count(Verdict::wrong) >= before.count(Verdict::wrong)) {
      result_ = std::move(before);
      expected_ = kept;
      return;
    }
    result_.explanation = Explanation{.text = with_size(rerun_, to_options(choices, rerun_.rule())),
                                      .same_device = true,
                                      .on = dimensions_of(choices)};
  }

  /// A behaviour that gives the bits of all that is wrong.
  void find_other() {
    explore::Dimensions fixed;
    if (options_.order) fixed.add(explore::Dimension::reduction_order);
    const auto other =
        find_other_behaviour(rerun_, places_that_are(Verdict::wrong, true), outputs_, fixed);
    if (!other) return;
    Explanation& explanation = result_.explanation.emplace();
    explanation.same_device = other->same_device;
    for (const explore::Dimension d : other->on.list()) explanation.on.emplace_back(to_string(d));
    explanation.text = fmt::format("{}", fmt::join(explore::to_options(other->setting), " "));
    if (!other->same_device) return;
    // What this device may do is not wrong: judge with that run among the legal ones.
    Legal& legal = legal_.emplace_back();
    legal.name = fmt::format("{}", fmt::join(explanation.on, ", "));
    legal.contents = rerun_.inputs();
    Chooser chooser = Chooser::replay(other->setting.answers).only(other->setting.asked);
    const Convergence convergence{.rule = other->setting.rule,
                                  .chooser = &chooser,
                                  .observer = nullptr,
                                  .max_trips = most_steps};
    Dispatch how = plain_dispatch();
    if (needs_tangles(other->setting, nullptr)) how.convergence = &convergence;
    how.order = other->setting.order;
    rerun_.run(legal.contents, how);
    judge_all();
  }

  /// The elements that may be anything.
  static std::size_t unbounded(const Judgement& judgement) {
    return judgement.count(Verdict::undefined) + judgement.count(Verdict::open) +
           judgement.count(Verdict::unordered);
  }
  /// A size at which nothing is wrong, and no more is left to chance: results that are no run's bits, but within the
  /// bounds of that size.
  void explain_by_size() {
    for (const int size : {4, 8, 16, 32, 64, 128}) {
      if (size == rerun_.pipeline().subgroup_size()) continue;
      try {
        const std::unique_ptr<Rerun> other = rerun_.at_subgroup_size(size);
        Options options = options_;
        options.map = options.explain = false;
        const Judgement there = Judge(*other, options)(outputs_);
        if (there.count(Verdict::wrong) > 0 || unbounded(there) > unbounded(result_)) continue;
      } catch (const Error&) {
        continue;  // the shader does not run at this size
      }
      result_.explanation =
          Explanation{.text = fmt::format("--subgroup-size {}", size),
                      .same_device = false,
                      .on = {std::string(to_string(explore::Dimension::subgroup_size))}};
      return;
    }
  }

  // ---- Who wrote what ----

  /// The elements to watch, in their order: of each buffer the first offenders, then, for a map, all.
  void find_writers() {
    Contents contents = rerun_.inputs();
    report::LastWriters writers(std::chrono::seconds(10));
    std::size_t watched = 0, elements = 0;
    for (const Buffer& judged : result_.buffers) elements += judged.result.elements;
    const bool maps = options_.map && elements <= most_mapped;
    for (const Buffer& judged : result_.buffers) {
      const std::byte* const data = rerun_.address(contents, judged.part);
      const auto watch = [&](std::size_t byte, std::size_t bytes) {
        writers.watch(data + byte, bytes);
        ++watched;
      };
      for (const Element& element : judged.result.first) watch(element.byte, element.size);
      if (maps)
        for_each_place(rerun_.parts(), judged.part,
                       [&](const Place& place) { watch(place.byte, io::bytes_of(place.type)); });
    }
    if (watched == 0 || !run_watched(contents, writers)) return;
    std::size_t number = 0;
    for (Buffer& judged : result_.buffers) {
      for (std::size_t k = 0; k < judged.result.first.size(); ++k)
        judged.writers.push_back(writers.writer(number++));
      if (!maps) continue;
      for (std::size_t k = 0; k < judged.result.elements; ++k)
        judged.lanes.push_back(lane_number(writers.writer(number++)));
    }
  }

  bool run_watched(Contents& contents, report::LastWriters& writers) const {
    const Convergence convergence{
        .rule = Rule::maximal, .chooser = nullptr, .observer = &writers, .max_trips = most_steps};
    Dispatch how = plain_dispatch();
    how.convergence = &convergence;
    try {
      rerun_.run(contents, how);
      return true;
    } catch (const report::LastWriters::TooLong&) {
      return false;
    } catch (const Error&) {
      return false;
    }
  }

  std::int64_t lane_number(const std::optional<report::Writer>& writer) const {
    if (!writer) return -1;
    const Size3 local = rerun_.pipeline().interface().local_size, groups = rerun_.groups();
    const std::uint32_t invocations = local.x * local.y * local.z;
    const auto size = static_cast<std::uint32_t>(rerun_.pipeline().subgroup_size());
    const std::uint64_t subgroups =
        rerun_.lanes().empty() ? (invocations + size - 1) / size : rerun_.lanes().size() / size;
    const Size3& at = writer->workgroup;
    const std::uint64_t workgroup = (std::uint64_t{at.z} * groups.y + at.y) * groups.x + at.x;
    return static_cast<std::int64_t>((workgroup * subgroups + writer->subgroup) * size +
                                     writer->lane);
  }

  static constexpr std::size_t most_mapped = 8192;

  const Rerun& rerun_;
  Options options_;
  std::unique_ptr<const Expected> first_, chosen_;
  const Expected* expected_ = nullptr;  ///< one of them
  Contents outputs_;
  Orders orders_;
  std::vector<Legal> legal_;    ///< what else explains
  std::vector<Legal> sampled_;  ///< runs that round otherwise
  std::optional<Races> races_;
  Excuses by_chance_, excused_;
  bool by_chance_known_ = false;
  /// By part: where numbers start that no order of atomics leaves, and why.
  std::vector<std::map<std::size_t, std::string>> impossible_;
  Judgement result_;
};

std::size_t Judgement::count(Verdict verdict) const {
  std::size_t sum = 0;
  for (const Buffer& judged : buffers) sum += judged.result.count(verdict);
  return sum;
}

const char* Judgement::outcome() const {
  for (const Verdict verdict :
       {Verdict::wrong, Verdict::open, Verdict::racy, Verdict::undefined, Verdict::allowed}) {
    if (count(verdict) > 0) return name_of(verdict);
  }
  return count(Verdict::unordered) > 0 ? name_of(Verdict::allowed) : "right";
}

Judge::Judge(const Rerun& rerun, const Options& options)
    : judging_(std::make_unique<Judging>(rerun, options)) {}
Judge::Judge(const job::Replay& replay, const Options& options)
    : owned_(rerun_of(replay)), judging_(std::make_unique<Judging>(*owned_, options)) {}
Judge::~Judge() = default;
Judgement Judge::operator()(const Contents& outputs) {
  const KeptDenormals mode;
  return judging_->judge(outputs);
}

Judgement judge(const job::Replay& replay, const Contents& outputs, const Options& options) {
  return Judge(replay, options)(outputs);
}

Judgement judge(const job::Replay& replay, const Options& options) {
  Contents outputs;
  for (const job::Binding& binding : replay.job().bindings) outputs.push_back(binding.output);
  return judge(replay, outputs, options);
}

}  // namespace lockstep::judgement
