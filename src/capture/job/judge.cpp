#include "capture/job/judge.hpp"

#include <algorithm>
#include <cfenv>
#include <chrono>
#include <cstring>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <lockstep/exec/error.hpp>

#include "explore/explorer.hpp"
#include "io/types.hpp"
#include "oracle/reference.hpp"

namespace lockstep::job {
namespace {

namespace ex = lockstep::explore;
using report::Verdict;

/// Whether the shader adds or multiplies between lanes.
bool has_float_order(const Replay& replay) {
  return std::ranges::any_of(replay.pipeline().interface().built_ins, [](std::string_view name) {
    return name.find("Add") != name.npos || name.find("Mul") != name.npos;
  });
}

}  // namespace

class Judge::Judging {
 public:
  Judging(const Replay& replay, const JudgeOptions& options)
      : replay_(replay), options_(options), reference_contents_(replay.inputs()) {
    run_in_orders();
    Dispatch how = plain();
    how.float_order = options_.order.value_or(FloatOrder::tree);
    how.only_float_order = options_.order.has_value();
    how.reference = &reference_;
    replay_.run(reference_contents_, how);
  }

  Judgement judge(const Contents& outputs) {
    check(outputs);
    outputs_ = outputs;
    result_ = {};
    wanted_.clear();
    legal_.resize(orders_);
    judge_all();
    if (options_.explain && result_.count(Verdict::wrong) > 0) explain();
    if (options_.explain && result_.count(Verdict::open) > 0) {
      run_rounded();
      judge_all();
    }
    find_writers();
    return std::move(result_);
  }

 private:
  void check(const Contents& outputs) const {
    const std::vector<Binding>& bindings = replay_.job().bindings;
    if (outputs.size() != bindings.size())
      throw Error(
          fmt::format("{} outputs are given for {} bindings", outputs.size(), bindings.size()));
    for (std::size_t k = 0; k < outputs.size(); ++k) {
      const std::size_t bytes = bindings[k].input.size();
      if (!outputs[k].empty() && outputs[k].size() != bytes)
        throw Error(fmt::format("the output of binding {} has {} bytes and not {}", k,
                                outputs[k].size(), bytes));
    }
  }

  static Dispatch plain() {
    Dispatch how;
    how.deterministic = true;
    how.threads = 1;
    return how;
  }

  /// Another legal run.
  struct Legal {
    std::string name;
    Contents contents;
  };
  void run_in_orders() {
    if (options_.order || !has_float_order(replay_)) return;
    for (const FloatOrder order :
         {FloatOrder::left_fold, FloatOrder::hillis_steele, FloatOrder::butterfly}) {
      Legal& legal = legal_.emplace_back();
      legal.name = to_string(order);
      legal.contents = replay_.inputs();
      Dispatch how = plain();
      how.float_order = order;
      replay_.run(legal.contents, how);
    }
    orders_ = legal_.size();
  }

  /// Runs in which all operations round the same way, as those of a device may.
  void run_rounded() {
    if (!sampled_.empty()) return;
    const int before = std::fegetround();
    for (const auto& [name, mode] :
         {std::pair{"up", FE_UPWARD}, {"down", FE_DOWNWARD}, {"to zero", FE_TOWARDZERO}}) {
      Legal run{name, replay_.inputs()};
      std::fesetround(mode);
      try {
        Dispatch how = plain();
        how.max_steps = most_steps;
        replay_.run(run.contents, how);
        sampled_.push_back(std::move(run));
      } catch (const Error&) {
        // A loop whose end depends on a rounding.
      }
      std::fesetround(before);
    }
  }

  void judge_all() {
    result_.buffers.clear();
    for (std::size_t k = 0; k < outputs_.size(); ++k) {
      if (outputs_[k].empty()) continue;
      const Binding& binding = replay_.job().bindings[k];
      report::Subject subject{
          reference_contents_[k].data(), reference_contents_[k], outputs_[k], {}, {}};
      for (const Legal& legal : legal_) subject.legal.push_back({legal.name, legal.contents[k]});
      for (const Legal& run : sampled_) subject.sampled.push_back({run.name, run.contents[k]});
      const std::vector<io::Column>& columns = replay_.columns(k);
      result_.buffers.push_back({k,
                                 columns.empty() ? report::judge(binding.type, subject, reference_)
                                                 : report::judge(columns, subject, reference_),
                                 {}});
    }
  }

  // ---- Other behaviours ----

  /// An element that another behaviour must give as the device did, to explain the results.
  struct Wanted {
    std::size_t binding, byte, bytes;
  };

  /// First what this device may do, then what others may.
  void explain() {
    find_wanted();
    ex::Dimensions others;
    for (const ex::Dimension d :
         {ex::Dimension::subgroup_size, ex::Dimension::mapping, ex::Dimension::partial_subgroups})
      others.add(d);
    ex::Dimensions own = ex::Dimensions::all();
    for (const ex::Dimension d : others.list()) own.remove(d);
    for (const ex::Dimensions& vary : {own, others}) {
      const ex::Verdict verdict = explored(vary);
      if (!verdict.smallest || !verdict.smallest->difference.error.empty()) continue;
      return take(*verdict.smallest);
    }
    explain_by_size();
  }

  /// The elements that may be anything.
  static std::size_t unbounded(const Judgement& judgement) {
    return judgement.count(Verdict::undefined) + judgement.count(Verdict::open) +
           judgement.count(Verdict::unordered);
  }
  /// A size at which nothing is wrong, and no more is left to chance: results that are no run's bits, but within the bounds of that size.
  void explain_by_size() {
    for (const int size : {4, 8, 16, 32, 64, 128}) {
      Job other = replay_.job();
      if (size == other.subgroup_size) continue;
      other.subgroup_size = size;
      other.lanes.clear();
      try {
        const Replay replay(std::move(other));
        JudgeOptions options = options_;
        options.map = options.explain = false;
        const Judgement there = Judge(replay, options)(outputs_);
        if (there.count(Verdict::wrong) > 0 || unbounded(there) > unbounded(result_)) continue;
      } catch (const Error&) {
        continue;  // the shader does not run at this size
      }
      result_.explanation =
          Explanation{.text = fmt::format("--subgroup-size {}", size),
                      .same_device = false,
                      .on = {std::string(to_string(ex::Dimension::subgroup_size))}};
      return;
    }
  }

  /// The runs differ in one byte: whether they give what is wanted.
  ex::Verdict explored(const ex::Dimensions& vary) const {
    const ex::Subject subject = [&](const ex::Setting& setting, Chooser& chooser,
                                    Observer* observer) {
      Contents contents = replay_.inputs();
      Convergence convergence{
          .rule = setting.rule, .chooser = &chooser, .observer = observer, .max_trips = most_steps};
      Dispatch how = plain();
      how.max_steps = most_steps;
      if (needs_tangles(setting, observer)) how.convergence = &convergence;
      how.mapping = setting.mapping;
      how.order = setting.order;
      ex::Result result;
      result.steps = replay_.run(contents, how, setting.subgroup_size).steps;
      result.buffers = {{std::byte{gives_wanted(contents)}}};
      return result;
    };
    ex::Request request;
    request.vary = vary;
    const ShaderInterface& interface = replay_.pipeline().interface();
    request.first.subgroup_size = replay_.job().subgroup_size;
    request.first.rule = interface.maximally_reconverges           ? Rule::maximal
                         : interface.subgroup_uniform_control_flow ? Rule::subgroup_uniform
                                                                   : Rule::core;
    request.sizes = {4, 8, 16, 32, 64};
    const Size3& groups = replay_.job().groups;
    request.workgroups = std::uint64_t{groups.x} * groups.y * groups.z;
    request.most_runs = 400;
    request.most_time = std::chrono::seconds(5);
    request.threads = 1;
    return ex::explore(subject, request);
  }

  /// Those that are wrong, and those that have the reference's bits.
  void find_wanted() {
    for (const Judged& judged : result_.buffers) {
      const std::byte* const device = outputs_[judged.binding].data();
      const std::byte* const own = reference_contents_[judged.binding].data();
      std::vector<Verdict> verdicts;
      for (const auto& [verdict, count] : judged.result.runs)
        verdicts.insert(verdicts.end(), count, verdict);
      std::size_t number = 0;
      for_each_element(judged, [&](std::size_t byte, std::size_t bytes) {
        const Verdict verdict = verdicts[number++];
        const bool is_same = std::memcmp(device + byte, own + byte, bytes) == 0;
        if (verdict == Verdict::wrong || is_same) wanted_.push_back({judged.binding, byte, bytes});
      });
    }
  }

  bool gives_wanted(const Contents& contents) const {
    return std::ranges::all_of(wanted_, [&](const Wanted& wanted) {
      return std::memcmp(contents[wanted.binding].data() + wanted.byte,
                         outputs_[wanted.binding].data() + wanted.byte, wanted.bytes) == 0;
    });
  }

  void take(const ex::Counterexample& found) {
    Explanation& explanation = result_.explanation.emplace();
    for (const ex::Dimension d : found.on.list()) {
      explanation.on.emplace_back(to_string(d));
      if (d == ex::Dimension::subgroup_size || d == ex::Dimension::mapping ||
          d == ex::Dimension::partial_subgroups)
        explanation.same_device = false;
    }
    for (const std::string& word : to_options(found.setting))
      explanation.text += (explanation.text.empty() ? "" : " ") + word;
    if (!explanation.same_device) return;
    // What this device may do is not wrong: judge with that run among the legal ones.
    Legal& legal = legal_.emplace_back();
    legal.name = fmt::format("{}", fmt::join(explanation.on, ", "));
    legal.contents = replay_.inputs();
    Chooser chooser = Chooser::replay(found.setting.answers).only(found.setting.asked);
    const Convergence convergence{.rule = found.setting.rule,
                                  .chooser = &chooser,
                                  .observer = nullptr,
                                  .max_trips = most_steps};
    Dispatch how = plain();
    if (needs_tangles(found.setting, nullptr)) how.convergence = &convergence;
    how.order = found.setting.order;
    replay_.run(legal.contents, how);
    judge_all();
  }

  // ---- Who wrote what ----

  /// The elements to watch, in their order: of each buffer the first offenders, then, for a map, all.
  void find_writers() {
    Contents contents = replay_.inputs();
    report::LastWriters writers(std::chrono::seconds(10));
    std::size_t watched = 0, elements = 0;
    for (const Judged& judged : result_.buffers) elements += judged.result.elements;
    const bool maps = options_.map && elements <= most_mapped;
    for (const Judged& judged : result_.buffers) {
      const std::byte* const data = contents[judged.binding].data();
      const auto watch = [&](std::size_t byte, std::size_t bytes) {
        writers.watch(data + byte, bytes);
        ++watched;
      };
      for (const report::Judged& element : judged.result.first) watch(element.byte, element.size);
      if (maps) for_each_element(judged, watch);
    }
    if (watched == 0 || !run_watched(contents, writers)) return;
    std::size_t number = 0;
    for (Judged& judged : result_.buffers) {
      for (std::size_t k = 0; k < judged.result.first.size(); ++k)
        judged.writers.push_back(writers.writer(number++));
      if (!maps) continue;
      for (std::size_t k = 0; k < judged.result.elements; ++k)
        judged.lanes.push_back(lane_number(writers.writer(number++)));
    }
  }

  template <class F>
  void for_each_element(const Judged& judged, F f) const {
    const std::vector<io::Column>& columns = replay_.columns(judged.binding);
    const std::size_t size = io::bytes_of(replay_.job().bindings[judged.binding].type);
    if (columns.empty()) {
      for (std::size_t k = 0; k < judged.result.elements; ++k) f(k * size, size);
    }
    for (const io::Column& column : columns) {
      for (std::uint64_t k = 0; k < column.size(); ++k)
        f(column.place(k), io::bytes_of(column.type));
    }
  }

  bool run_watched(Contents& contents, report::LastWriters& writers) const {
    const Convergence convergence{
        .rule = Rule::maximal, .chooser = nullptr, .observer = &writers, .max_trips = most_steps};
    Dispatch how = plain();
    how.convergence = &convergence;
    try {
      replay_.run(contents, how);
      return true;
    } catch (const report::LastWriters::TooLong&) {
      return false;
    } catch (const Error&) {
      return false;
    }
  }

  std::int64_t lane_number(const std::optional<report::Writer>& writer) const {
    if (!writer) return -1;
    const Job& job = replay_.job();
    const Size3& local = replay_.pipeline().interface().local_size;
    const std::uint32_t invocations = local.x * local.y * local.z;
    const auto size = static_cast<std::uint32_t>(job.subgroup_size);
    const std::uint64_t subgroups =
        job.lanes.empty() ? (invocations + size - 1) / size : job.lanes.size() / size;
    const Size3& at = writer->workgroup;
    const std::uint64_t workgroup =
        (std::uint64_t{at.z} * job.groups.y + at.y) * job.groups.x + at.x;
    return static_cast<std::int64_t>((workgroup * subgroups + writer->subgroup) * size +
                                     writer->lane);
  }

  static constexpr std::size_t most_mapped = 8192;
  static constexpr std::uint64_t most_steps = std::uint64_t{1} << 22;

  const Replay& replay_;
  JudgeOptions options_;
  Contents outputs_;
  Contents reference_contents_;
  oracle::Reference reference_;
  std::vector<Legal> legal_;  ///< known orders, then what explains
  std::size_t orders_ = 0;
  std::vector<Legal> sampled_;  ///< runs that round otherwise
  std::vector<Wanted> wanted_;
  Judgement result_;
};

std::size_t Judgement::count(Verdict verdict) const {
  std::size_t sum = 0;
  for (const Judged& judged : buffers) sum += judged.result.count(verdict);
  return sum;
}

Judge::Judge(const Replay& replay, const JudgeOptions& options)
    : judging_(std::make_unique<Judging>(replay, options)) {}
Judge::~Judge() = default;
Judgement Judge::operator()(const Contents& outputs) { return judging_->judge(outputs); }

Judgement judge(const Replay& replay, const Contents& outputs, const JudgeOptions& options) {
  return Judge(replay, options)(outputs);
}

Judgement judge(const Replay& replay, const JudgeOptions& options) {
  Contents outputs;
  for (const Binding& binding : replay.job().bindings) outputs.push_back(binding.output);
  return judge(replay, outputs, options);
}

}  // namespace lockstep::job
