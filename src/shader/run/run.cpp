#include "shader/run/run.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <lockstep/dispatch/error.hpp>
#include <lockstep/dispatch/parallel.hpp>
#include <lockstep/dispatch/turns.hpp>
#include <lockstep/exec/endless_loop.hpp>
#include <lockstep/exec/error.hpp>
#include <lockstep/exec/tangled_state.hpp>
#include <lockstep/exec/tell.hpp>
#include <lockstep/spirv/interruption.hpp>
#include <lockstep/workgroup/workgroup_run.hpp>

#include "runtime/dispatch/fiber.hpp"
#include "runtime/dispatch/patience.hpp"
#include "shader/ir/invocation_count.hpp"
#include "shader/run/assemble.hpp"
#include "shader/run/built_in_places.hpp"
#include "shader/run/lane_map.hpp"
#include "shader/run/ops/chunk.hpp"
#include "shader/run/ops/find.hpp"
#include "shader/run/repeated_meeting.hpp"
#include "shader/run/settings_of_run.hpp"
#include "shader/run/spin_watch.hpp"
#include "shader/run/thread_sums.hpp"
#include "shader/run/work_sum.hpp"

namespace lockstep::spirv {
namespace {

struct FreeAligned {
  void operator()(std::byte* bytes) const { ::operator delete[](bytes, std::align_val_t{64}); }
};
using Bytes = std::unique_ptr<std::byte[], FreeAligned>;

Bytes allocate(std::size_t count) {
  // The last registers are read in whole chunks.
  const std::size_t room = count + 1024;
  Bytes bytes(new (std::align_val_t{64}) std::byte[room]);
  std::memset(bytes.get(), 0, room);
  return bytes;
}

/// The empty address space, for dispatches without one.
const AddressSpace& no_addresses() {
  static const AddressSpace none;
  return none;
}

/// One subgroup's registers and state, reused for one workgroup after another.
struct Subgroup {
  Bytes regs;
  std::vector<FastFrame> frames;
  Context context;
  bool started = false;
};

/// Runs workgroups on one thread.
class Runner : public WorkgroupRun::Subgroups {
 public:
  Runner(const DispatchArgs& args, bool only_thread)
      : args_(args),
        program_(*args.program),
        memory_(args.memory),
        only_thread_(only_thread),
        interruptible_(dynamic_cast<const InterruptibleProgress*>(args.settings.progress)),
        max_trips_(trip_limit(args.settings.convergence != nullptr
                                  ? args.settings.convergence->max_trips
                                  : default_max_trips,
                              args.settings.max_steps)),
        map_(args),
        subgroups_(map_.subgroups()),
        turns_(subgroups_, *this, args.settings.lenient) {
    memory_.resize(program_.resources.size());
    for (std::size_t r = 0; r < program_.resources.size(); ++r) {
      if (program_.resources[r].kind != ResourceUse::Kind::workgroup) continue;
      shared_.push_back(allocate(program_.resources[r].bytes));
      Memory& shared = memory_[r];
      shared.data = shared_.back().get();
      shared.size = program_.resources[r].bytes;
      shared.local = true;
      shared.null = program_.resources[r].silent;
    }
    if (!only_thread_) sums_.emplace(program_, memory_);
    find_limits();
    counts_.resize(program_.counters.size());
    places_ = find_built_in_places(program_, map_.is_linear());
    const std::size_t alive = program_.has_barriers || program_.tangled ? subgroups_ : 1;
    for (std::size_t s = 0; s < alive; ++s) add_subgroup();
  }

  ShaderRun run(std::size_t begin, std::size_t end) {
    number_ = begin;
    find_workgroup();
    left_ = end - begin;
    clear_shared();
    if (program_.tangled)
      run_tangled();
    else
      run_subgroups();
    result_.findings.note(turns_.notes());
    return std::move(result_);
  }

  /// A note that an endless loop may wait for a workgroup that has not begun; nothing if all have.
  FaultLog not_begun(const EndlessLoop& loop) const {
    const auto [columns, rows, layers] = args_.workgroups;
    const std::uint64_t later = std::uint64_t{columns} * rows * layers - 1 - number_;
    // Those after it may have begun on other threads.
    if (later == 0 || !only_thread_) return {};
    return lockstep::not_begun(loop, later, workgroup_at(number_ + 1));
  }

  const FaultLog& findings() const { return result_.findings; }
  Patience* patience() const { return dynamic_cast<Patience*>(args_.settings.progress); }
  const Checks& checks() const { return args_.settings.checks; }
  std::uint64_t divergences() const { return divergences_; }
  const std::vector<Count>& counts() const { return counts_; }

  /// What the other subgroups wait for.
  std::vector<EndlessLoop::Waiting> waiting() const {
    return program_.has_barriers || program_.tangled
               ? turns_.waiting()
               : later_subgroups(subgroup_[0]->context.subgroup, subgroups_);
  }

  /// Whether another subgroup of the workgroup could run instead of the running one.
  bool others_ready() const {
    return meeting_ != nullptr ? meeting_->others_ready() : turns_.others_ready();
  }

  /// The subgroup to run after `stopped`.
  Context* next(Context& stopped) {
    if (program_.tangled) return nullptr;
    if (stopped.stop == Context::Stop::slice) tell_spin(stopped);
    return program_.has_barriers ? next_of_all(stopped) : next_alone(stopped);
  }

 private:
  /// The workgroup that starts as that number.
  Size3 workgroup_at(std::uint64_t start) const {
    const auto [x, y, z] = args_.workgroups;
    const std::uint64_t number = args_.settings.order.at(start, std::uint64_t{x} * y * z);
    const auto at = [](std::uint32_t base, std::uint64_t index) {
      return base + static_cast<std::uint32_t>(index);
    };
    const Size3& base = args_.base;
    return {at(base.x, number % x), at(base.y, number / x % y), at(base.z, number / x / y)};
  }
  void find_workgroup() { workgroup_ = workgroup_at(number_); }

  void step_workgroup() {
    ++number_;
    if (args_.settings.order.kind != WorkgroupOrder::Kind::linear) return find_workgroup();
    if (++workgroup_.x - args_.base.x < args_.workgroups.x) return;
    workgroup_.x = args_.base.x;
    if (++workgroup_.y - args_.base.y < args_.workgroups.y) return;
    workgroup_.y = args_.base.y;
    ++workgroup_.z;
  }

  void add_subgroup() {
    auto& s = *subgroup_.emplace_back(std::make_unique<Subgroup>());
    s.regs = allocate(program_.register_bytes);
    s.frames.resize(program_.constructs);
    Context& c = s.context;
    c.regs = s.regs.get();
    c.limits = limits_.data();
    c.memory = memory_.data();
    c.addresses = args_.addresses != nullptr ? args_.addresses : &no_addresses();
    c.memory_count = static_cast<std::uint32_t>(memory_.size());
    c.frames = s.frames.data();
    c.program = &program_;
    c.max_trips = max_trips_;
    c.only_thread = only_thread_ && !shares_memory();
    c.robust = args_.robust;
    c.size = program_.size;
    c.all_lanes = map_.all_lanes();
    c.last_lanes = map_.last_lanes();
    c.run = &result_;
    c.divergences = &divergences_;
    c.counts = counts_.data();
    c.runner = this;
    c.bounds = args_.bounds;
    for (const ConstantSlot& constant : program_.constants) {
      std::byte* at = c.regs + constant.at;
      if (constant.type == Scalar::boolean) {
        put_bool(at, constant.value != 0);
        continue;
      }
      const std::size_t bytes = size_of(constant.type);
      for (std::size_t lane = 0; lane < chunk_lanes; ++lane)
        std::memcpy(at + lane * bytes, &constant.value, bytes);
    }
    set_built_ins(c, Changes::never);
    c.state.active = Mask<128>::lane(0);
    for (std::size_t k = 0; k < program_.first; ++k) program_.insts[k].run(&program_.insts[k], c);
  }

  /// The number of elements for each access by index.
  void find_limits() {
    for (const MemoryArgs* m : program_.limited) {
      const Memory& memory = memory_[m->resource];
      const std::uint64_t needed =
          m->offset + (m->components - 1) * std::uint64_t{m->step} + m->bytes;
      const std::uint64_t stride = std::max<std::uint64_t>(m->stride, 1);
      limits_.push_back(
          memory.data == nullptr || memory.size < needed ? 0 : (memory.size - needed) / stride + 1);
    }
  }

  void clear_shared() {
    for (std::size_t r = 0; r < memory_.size(); ++r) {
      const Memory& m = memory_[r];
      const ResourceUse& use = program_.resources[r];
      if (use.kind != ResourceUse::Kind::workgroup) continue;
      if (args_.bounds != nullptr) start_bounds(m, use.zeroed);
      std::memset(m.data, 0, use.fill == 0 ? m.size : use.zeroed);
      if (use.fill == 0) continue;
      auto* const words = reinterpret_cast<std::uint32_t*>(m.data);
      std::fill(words + use.zeroed / 4, words + m.size / 4, use.fill);
    }
  }

  /// Whether other dispatches may use the memory meanwhile: it is that of a device with addresses of its own.
  bool shares_memory() const {
    return args_.addresses != nullptr && args_.addresses != &AddressSpace::of_process();
  }

  bool keeps_provenance() const {
    return args_.provenance != nullptr &&
           args_.provenance->workgroup() == std::array{workgroup_.x, workgroup_.y, workgroup_.z};
  }
  /// What shared memory holds before it is written: anything, but for its first bytes, which are zero.
  void start_bounds(const Memory& memory, std::uint64_t zeroed) {
    args_.bounds->clear(memory.data, memory.size, {});
    if (zeroed == memory.size) return;
    args_.bounds->clear(
        memory.data + zeroed, memory.size - zeroed,
        oracle::any(oracle::Allowed::Kind::undefined, oracle::Why::uninitialised, 0));
  }

  void start(Subgroup& s, std::uint32_t subgroup) {
    Context& c = s.context;
    const bool new_workgroup = !s.started || !(c.workgroup == workgroup_);
    s.started = true;
    c.workgroup = workgroup_;
    c.provenance = keeps_provenance() ? args_.provenance : nullptr;
    c.subgroup = subgroup;
    c.followers = map_.is_linear() ? subgroups_ - 1 - subgroup : 0;
    c.state = exec::State<128>{};
    c.state.active = map_.lanes_of(subgroup);
    c.existing = to_lane_set(c.state.active);
    c.next = program_.insts.data() + program_.first;
    c.steps = c.loop_start = 0;
    c.turn_end = c.slice_end = program_.on_stack() ? tangled_slice_steps : slice_steps;
    for (const ClearedSlot& slot : program_.cleared) clear(c.regs + slot.at, slot.bytes);
    if (new_workgroup) set_built_ins(c, Changes::with_workgroup);
    set_subgroup(c);
  }

  /// Clears registers, which are whole chunks, without the cost of a call of memset.
  static void clear(std::byte* at, std::uint32_t bytes) {
    for (std::uint32_t k = 0; k < bytes; k += chunk_bytes<std::uint32_t>)
      put<std::uint32_t>(at + k, Chunk<std::uint32_t>(0));
  }

  /// Calls f(lane) for each lane and writes its result to the register.
  template <class F>
  void put_lanes(Context& c, const Slot& slot, F f) {
    const int count = slot.varying ? static_cast<int>(program_.chunks) * chunk_lanes : chunk_lanes;
    for (int lane = 0; lane < count; ++lane) {
      const std::uint32_t value = f(static_cast<std::uint32_t>(slot.varying ? lane : 0));
      std::memcpy(c.regs + slot.at + static_cast<std::size_t>(lane) * 4, &value, 4);
    }
  }

  /// Writes one value to all lanes.
  void put_one(Context& c, const Slot& slot, std::uint32_t value) {
    for (unsigned k = 0; k < (slot.varying ? program_.chunks : 1); ++k)
      put<std::uint32_t>(c.regs + slot.at + k * chunk_bytes<std::uint32_t>,
                         Chunk<std::uint32_t>(value));
  }

  /// Writes first + lane to each lane, which most kernels start from.
  void put_numbers(Context& c, const Slot& slot, std::uint32_t first) {
    using Uint = Chunk<std::uint32_t>;
    for (unsigned k = 0; k < program_.chunks; ++k)
      put<std::uint32_t>(c.regs + slot.at + k * chunk_bytes<std::uint32_t>,
                         Uint::iota() + Uint(first + k * chunk_lanes));
  }

  void set_built_ins(Context& c, Changes when) {
    for (const Component& component : places_.components[static_cast<std::size_t>(when)])
      set_built_in(c, component);
  }
  /// Sets the built-in variables of a subgroup.
  void set_subgroup(Context& c) {
    const std::uint32_t first = c.subgroup * static_cast<std::uint32_t>(program_.size);
    for (const Numbers& n : places_.numbers)
      put_numbers(c, n.slot, n.global ? c.workgroup.x * program_.local_size[0] + first : first);
    set_built_ins(c, Changes::with_subgroup);
  }
  void set_built_in(Context& c, const Component& component) {
    const auto& local = program_.local_size;
    const std::uint32_t group[3] = {c.workgroup.x, c.workgroup.y, c.workgroup.z};
    const std::uint32_t groups[3] = {args_.workgroups.x, args_.workgroups.y, args_.workgroups.z};
    const auto local_id = [&](std::size_t k, std::uint32_t index) {
      return k == 0   ? index % local[0]
             : k == 1 ? index / local[0] % local[1]
                      : index / local[0] / local[1];
    };
    const Slot& slot = component.slot;
    const std::size_t d = std::min<std::size_t>(component.number, 2);
    if (component.built_in == invocation_count)
      return put_one(c, slot, static_cast<std::uint32_t>(c.existing.count()));
    switch (component.built_in) {
      case spv::BuiltIn::NumWorkgroups:
        return put_one(c, slot, groups[d]);
      case spv::BuiltIn::WorkgroupSize:
        return put_one(c, slot, local[d]);
      case spv::BuiltIn::WorkgroupId:
        return put_one(c, slot, group[d]);
      case spv::BuiltIn::LocalInvocationId:
        if (!slot.varying) return put_one(c, slot, 0);
        return put_lanes(c, slot, [&](std::uint32_t lane) {
          return local_id(d, map_.invocation_of(c.subgroup, lane));
        });
      case spv::BuiltIn::LocalInvocationIndex:
        return put_lanes(c, slot,
                         [&](std::uint32_t lane) { return map_.invocation_of(c.subgroup, lane); });
      case spv::BuiltIn::GlobalInvocationId:
        if (!slot.varying) return put_one(c, slot, group[d] * local[d]);
        return put_lanes(c, slot, [&](std::uint32_t lane) {
          return group[d] * local[d] + local_id(d, map_.invocation_of(c.subgroup, lane));
        });
      case spv::BuiltIn::SubgroupSize:
        return put_one(c, slot, static_cast<std::uint32_t>(program_.size));
      case spv::BuiltIn::NumSubgroups:
        return put_one(c, slot, subgroups_);
      case spv::BuiltIn::SubgroupId:
        return put_one(c, slot, c.subgroup);
      case spv::BuiltIn::SubgroupLocalInvocationId:
        return put_numbers(c, slot, 0);
      case spv::BuiltIn::DeviceIndex:
        return put_one(c, slot, 0);
      default:
        return put_lanes(c, slot, [&](std::uint32_t lane) {
          return mask_word(component.built_in, component.number, static_cast<int>(lane),
                           program_.size);
        });
    }
  }

  /// Runs the subgroup until it stops, on the tangled machine.
  void run_on(Context& c) const {
    if (program_.native != nullptr) return program_.native->run(c);
    for (const Inst* i = c.next; i != nullptr;) i = i->run(i, c);
  }

  /// Runs the subgroup to a barrier or its end. In a kernel with barriers, in turns with the others, which may wait for
  /// it in a loop.
  Context::Stop go_on(Context& c, Turns& turns) const {
    for (;;) {
      run_on(c);
      switch (c.stop) {
        case Context::Stop::slice:
          tell_spin(c);
          end_if_interrupted();
          if (pauses()) turns.pause();
          break;
        case Context::Stop::yield:
          turns.yield();
          break;
        default:
          return c.stop;
      }
    }
  }

  /// Runs all subgroups of all workgroups.
  void run_subgroups() {
    start_workgroup();
    Context* c = &subgroup_[0]->context;
    if (program_.native != nullptr) return program_.native->run(*c);
    for (; c != nullptr; c = next(*c)) {
      for (const Inst* i = c->next; i != nullptr;) i = i->run(i, *c);
    }
  }
  /// Prepares the subgroups of a workgroup; the first one runs first.
  void start_workgroup() {
    if (!program_.has_barriers) return start(*subgroup_[0], 0);
    for (std::uint32_t s = 0; s < subgroups_; ++s) start(*subgroup_[s], s);
    turns_.start(workgroup_);
  }
  /// Starts the next workgroup; null if there is none.
  Context* next_workgroup() {
    if (--left_ == 0) return nullptr;
    step_workgroup();
    clear_shared();
    start_workgroup();
    return &subgroup_[0]->context;
  }

  void end_if_interrupted() const {
    if (interruptible_ != nullptr && interruptible_->interrupted()) throw Interrupted();
  }

  /// Without barriers, subgroups run one after another in the same registers.
  Context* next_alone(Context& c) {
    if (c.stop == Context::Stop::slice) {
      end_if_interrupted();
      return &c;
    }
    result_.steps += c.steps + std::exchange(c.ended_steps, 0);
    if (c.subgroup + 1 == subgroups_) return next_workgroup();
    start(*subgroup_[0], c.subgroup + 1);
    return &c;
  }

  /// With barriers, subgroups take turns of one slice each, so that one that waits in a loop for another makes progress.
  Context* next_of_all(Context& c) {
    std::uint32_t next = WorkgroupRun::none;
    switch (c.stop) {
      case Context::Stop::barrier:
        next = turns_.arrive(barrier_of(c), c.state.active == map_.lanes_of(c.subgroup));
        break;
      case Context::Stop::slice:
        end_if_interrupted();
        [[fallthrough]];
      case Context::Stop::yield:
        next = turns_.pause();
        break;
      case Context::Stop::ended:
        result_.steps += c.steps;
        next = turns_.end();
    }
    return next == WorkgroupRun::none ? next_workgroup() : &subgroup_[next]->context;
  }

  /// The barrier at which a subgroup has stopped, identified by its instruction: a line may contain several.
  static BarrierId barrier_of(const Context& c) { return {{}, c.next - 1}; }

 public:
  BarrierArrival arrival(std::uint32_t subgroup) const override {
    const Context& c = subgroup_[subgroup]->context;
    BarrierId barrier = barrier_of(c);
    barrier.where = spirv::where(c, c.next - 1);
    if (program_.on_stack()) return arrival_of(*c.stack, barrier);
    BarrierArrival arrival;
    arrival.barrier = barrier;
    arrival.waiting = to_lane_set(c.state.active);
    const Mask<128> missing = map_.lanes_of(subgroup).without(c.state.active);
    arrival.returned = to_lane_set(missing & returned(c, *(c.next - 1)));
    arrival.elsewhere = to_lane_set(missing).without(arrival.returned);
    return arrival;
  }

 private:
  /// The lanes that have returned from the entry point. Lanes that returned from a function wait for the end of its
  /// call; the barrier's instruction holds the outermost call around it.
  static Mask<128> returned(const Context& c, const Inst& barrier) {
    return barrier.imm == 0 ? c.state.returned : c.frames[barrier.imm - 1].returned;
  }

  /// Subgroups that vote in the middle of an instruction, where the rule depends on the whole workgroup. Each runs on a
  /// stack of its own, one at a time: a turn ends where the rule or a barrier requires it.
  class TangledWorkgroup : public Turns::Work {
   public:
    explicit TangledWorkgroup(Runner& runner)
        : runner_(runner),
          turns_(runner.subgroups_, runner.workgroup_, runner.args_.settings.lenient,
                 runner.chooser()) {
      runner.meeting_ = &turns_;
      runner.start_tangled([this](std::uint32_t) { return &turns_; });
    }
    void run() {
      turns_.run(*this);
      runner_.result_.findings.note(turns_.notes());
    }

    void run(std::uint32_t s) override {
      Context& c = runner_.subgroup_[s]->context;
      tell(*c.stack, Event::Kind::start, {});
      while (runner_.go_on(c, turns_) == Context::Stop::barrier) {
        const SourceLocation where = spirv::where(c, c.next - 1);
        tell_sync(*c.stack, where, op_of(c, c.next - 1).as<BarrierOp>().sync);
        turns_.pass_barrier(*c.stack, {where, c.next - 1});
      }
      tell(*c.stack, Event::Kind::end, {});
      runner_.result_.steps += c.steps;
    }
    void switch_in(std::uint32_t) override {}
    void switch_out(std::uint32_t) override {}

   private:
    Runner& runner_;
    Turns turns_;
  };

  /// `meeting_of` gives each subgroup's meeting, or null.
  template <class MeetingOf>
  void start_tangled(MeetingOf meeting_of) {
    stacks_.resize(subgroups_);
    for (std::uint32_t s = 0; s < subgroups_; ++s) {
      start(*subgroup_[s], s);
      ReconvergenceStack& stack = stacks_[s];
      stack.restart(to_lane_set(map_.lanes_of(s)), *args_.settings.convergence, meeting_of(s));
      stack.workgroup = {workgroup_.x, workgroup_.y, workgroup_.z};
      stack.subgroup = s;
      stack.max_trips = max_trips_;
      subgroup_[s]->context.stack = &stack;
    }
  }

  Chooser* chooser() const { return args_.settings.convergence->chooser; }
  /// Whether others run while a subgroup spins in a loop.
  bool pauses() const {
    return program_.has_barriers ||
           (chooser() != nullptr && chooser()->asks(Choice::subgroup_order));
  }

  /// All subgroups on this stack: they depend on each other at barriers or, if they meet, also repeat what asked for votes.
  void run_in_turns(bool meet) {
    meeting_ = nullptr;
    repeated_.assign(subgroups_, {});
    start_tangled([&](std::uint32_t s) { return meet ? &repeated_[s] : nullptr; });
    turns_.start(workgroup_, chooser());
    for (std::uint32_t s = turns_.running(); s != WorkgroupRun::none;)
      s = run_turn(subgroup_[s]->context, meet);
  }
  /// As run_on, but a transition that asks for votes has not run yet if it gives the question.
  std::optional<RepeatedMeeting::Unanswered> run_to_meeting(Context& c) const {
    const Inst* at = nullptr;
    std::uint64_t meetings = 0;
    try {
      for (const Inst* i = c.next; i != nullptr;) {
        at = i;
        meetings = c.stack->meetings;
        i = i->run(i, c);
      }
    } catch (const RepeatedMeeting::Unanswered& question) {
      c.next = at;
      c.stack->meetings = meetings;
      return question;
    }
    return std::nullopt;
  }
  /// Runs the subgroup until it stops; returns the one that runs next.
  std::uint32_t run_turn(Context& c, bool meet) {
    // The votes at a barrier.
    constexpr std::uint32_t together = 1, apart = 2;
    ReconvergenceStack& stack = *c.stack;
    RepeatedMeeting& meeting = repeated_[c.subgroup];
    const bool begins = c.next == program_.insts.data() + program_.first && !meeting.waits();
    if (begins) tell(stack, Event::Kind::start, {});
    if (meeting.waits())
      meeting.answer(turns_.answer(c.subgroup));
    else if (!begins && c.stop == Context::Stop::barrier)
      pass_barrier(stack, turns_.answer(c.subgroup) == together);
    try {
      if (!meet) {
        run_on(c);
      } else if (const auto question = run_to_meeting(c)) {
        meeting.wait();
        return turns_.meet(question->where, question->instance, question->vote);
      }
    } catch (const EndlessLoop& loop) {
      fail::endless_loop(loop, turns_.waiting());
    }
    switch (c.stop) {
      case Context::Stop::barrier: {
        show_tangle(c);
        tell_sync(stack, spirv::where(c, c.next - 1), op_of(c, c.next - 1).as<BarrierOp>().sync);
        const bool mine = stack.tangles.size() == 1 && stack.tangles[0].lanes == stack.existing;
        return turns_.arrive(barrier_of(c), mine, mine ? together : apart);
      }
      case Context::Stop::slice:
        tell_spin(c);
        end_if_interrupted();
        return pauses() ? turns_.pause() : c.subgroup;
      case Context::Stop::yield:
        return turns_.yield();
      case Context::Stop::ended:
        break;
    }
    tell(stack, Event::Kind::end, {});
    result_.steps += c.steps;
    return turns_.end();
  }

  void run_tangled() {
    const bool meet = needs_meetings(*args_.settings.convergence) && subgroups_ > 1;
    for (;;) {
      if (meet && Fiber::supported())
        TangledWorkgroup(*this).run();
      else
        run_in_turns(meet);
      if (--left_ == 0) return;
      step_workgroup();
      clear_shared();
    }
  }

  const DispatchArgs& args_;
  const Program& program_;
  BuiltInPlaces places_;
  std::vector<Memory> memory_;
  bool only_thread_;
  const InterruptibleProgress* interruptible_;
  std::uint64_t max_trips_;
  LaneMap map_;
  std::uint32_t subgroups_;
  Size3 workgroup_;
  std::uint64_t number_ = 0;  ///< of the workgroup, in the order in which they start
  std::size_t left_ = 0;      ///< workgroups that have not ended
  WorkgroupRun turns_;        ///< with barriers
  Turns* meeting_ = nullptr;  ///< instead, where subgroups meet
  std::vector<Bytes> shared_;
  std::optional<ThreadSums> sums_;  ///< where there are several threads
  std::vector<std::uint64_t> limits_;
  std::vector<std::unique_ptr<Subgroup>> subgroup_;
  std::vector<ReconvergenceStack> stacks_;  ///< of the tangled machine
  std::vector<RepeatedMeeting> repeated_;   ///< where subgroups meet, too, but on one stack
  std::uint64_t divergences_ = 0;
  std::vector<Count> counts_;
  ShaderRun result_;
};

void merge(ShaderRun& all, ShaderRun&& part) {
  all.faults += part.faults;
  all.findings.merge_by_workgroup(part.findings);
  all.steps += part.steps;
  for (std::string& line : part.printed) all.printed.push_back(std::move(line));
}

/// Throws Error if the subgroups of a workgroup together need more than 1 GiB of registers.
void check_memory(const DispatchArgs& args) {
  const Program& program = *args.program;
  constexpr std::uint64_t most_together = 1u << 30;
  const bool all_at_once = program.has_barriers || program.tangled;
  const std::uint64_t subgroups = all_at_once ? subgroups_of(args) : 1;
  const std::uint64_t bytes =
      program.register_bytes + std::uint64_t{program.constructs} * sizeof(FastFrame);
  if (bytes * subgroups > most_together)
    throw Error(fmt::format(
        "the shader needs {} bytes of registers for each of {} subgroups; at most 1 GiB "
        "in total is supported: use fewer invocations or a larger subgroup size",
        bytes, subgroups));
}

}  // namespace

bool others_ready(const Context& c) { return static_cast<const Runner*>(c.runner)->others_ready(); }

Context* advance(Context& stopped) { return static_cast<Runner*>(stopped.runner)->next(stopped); }

bool goes_on(const Context& c) {
  Patience* const patience = static_cast<const Runner*>(c.runner)->patience();
  return patience != nullptr && patience->goes_on(c.workgroup);
}

bool tells_discarded(const Context& c) {
  return static_cast<const Runner*>(c.runner)->checks().has(Check::out_of_bounds);
}

void fail_endless(const Context& c, const Inst* i) {
  EndlessLoop::Lanes lanes;
  lanes.spinning = to_lane_set(c.state.active);
  // In a loop of all lanes these are the lanes that left the one around it.
  if (i->a != back_of_all) lanes.left = to_lane_set(c.state.broken);
  lanes.elsewhere = c.existing.without(lanes.spinning | lanes.left);
  const EndlessLoop::Subgroup subgroup{{c.workgroup.x, c.workgroup.y, c.workgroup.z}, c.subgroup};
  fail::endless_loop(where(c, i), lanes, c.max_trips, &subgroup,
                     static_cast<const Runner*>(c.runner)->waiting());
}

ShaderRun run(const DispatchArgs& args) {
  const std::size_t count = std::size_t{args.workgroups.x} * args.workgroups.y * args.workgroups.z;
  check_memory(args);
  ShaderRun all;
  if (args.program->counted) all.work.emplace();
  if (count == 0) return all;
  WorkSum work(args.program->counters);
  std::mutex merging;
  // Workgroups share a chooser and observers, and a rule without them gives the same results as one with them.
  const bool one_order =
      args.settings.deterministic || args.settings.convergence != nullptr || args.bounds != nullptr;
  const int threads = one_order ? 1 : args.settings.threads;
  const bool only_thread = threads == 1 || count == 1;
  const bool is_told = dynamic_cast<Patience*>(args.settings.progress) == nullptr;
  auto body = [&](std::size_t begin, std::size_t end) {
    Runner runner(args, only_thread);
    ShaderRun part;
    try {
      part = runner.run(begin, end);
    } catch (EndlessLoop& loop) {
      loop.add_earlier(runner.findings());
      loop.add_earlier(runner.not_begun(loop));
      throw;
    } catch (FindingError& error) {
      error.add_earlier(runner.findings());
      throw;
    }
    const std::lock_guard lock(merging);
    merge(all, std::move(part));
    work.add(runner.divergences(), runner.counts());
  };
  parallel_ranges(
      count, threads,
      [](void* context, std::size_t begin, std::size_t end) {
        (*static_cast<decltype(body)*>(context))(begin, end);
      },
      &body, is_told ? args.settings.progress : nullptr);
  if (args.program->counted) all.work = work.take(count * subgroups_of(args));
  return all;
}

}  // namespace lockstep::spirv
