#pragma once

#include <utility>
#include <vector>

#include <lockstep/dispatch/error.hpp>
#include <lockstep/dispatch/subgroup_setup.hpp>
#include <lockstep/dispatch/turns.hpp>
#include <lockstep/exec/endless_loop.hpp>
#include <lockstep/exec/machine.hpp>
#include <lockstep/exec/tell.hpp>
#include <lockstep/workgroup/barrier.hpp>

namespace lockstep::inline LOCKSTEP_ABI::detail {

/// Runs workgroups one after another on a tangled machine. `make(setup)` makes the kernel K of a
/// subgroup.
template <class K, class S, class Make>
class TangledRunner {
  using State = typename S::State;
  static constexpr int W = S::width;
  static constexpr bool has_barriers = !std::same_as<decltype(std::declval<K&>().main()), void>;

 public:
  TangledRunner(const Grid<W>& grid, const Convergence& convergence, Make& make)
      : grid_(grid), convergence_(convergence), make_(make) {}

  FaultLog run(std::size_t workgroups) {
    if (workgroups == 0) return {};
    Location location;
    location.only_thread = true;
    location.workgroup = grid_.workgroup(0);
    [[maybe_unused]] const auto scope = enter_run(static_cast<State*>(nullptr), grid_, location);
    std::size_t g = 0;
    try {
      for (; g < workgroups; ++g, grid_.advance(location.workgroup, g)) run_workgroup(location);
    } catch (EndlessLoop& loop) {
      loop.add_earlier(location.faults);
      loop.add_earlier(grid_.not_begun(loop, g));
      throw;
    } catch (FindingError& error) {
      error.add_earlier(location.faults);
      throw;
    }
    return std::move(location.faults);
  }

 private:
  void run_workgroup(Location& location) {
    // Subgroups that never interact run one after another.
    if constexpr (has_barriers)
      run_in_turns(location);
    else if (needs_meetings(convergence_) || subgroups_in_any_order())
      run_in_turns(location);
    else
      run_one_by_one(location);
  }
  bool subgroups_in_any_order() const {
    const Chooser* chooser = convergence_.chooser;
    return chooser != nullptr &&
           (chooser->asks(Choice::subgroup_order) || chooser->asks(Choice::progress));
  }
  /// The start of a subgroup, whose stack is `stack` from now on.
  State start(ReconvergenceStack& stack, const Location& location, std::uint32_t subgroup,
              Turns* turns) const {
    Mask<W> lanes, covered = Mask<W>::all();
    if constexpr (PixelsOn<S>) {
      const PixelLanes<W> pixels(grid_.area, location.workgroup.x);
      lanes = pixels.active;
      covered = pixels.covered;
    } else {
      lanes = grid_.lanes(subgroup);
    }
    stack.restart(to_lane_set(lanes), convergence_, needs_meetings(convergence_) ? turns : nullptr);
    stack.workgroup = {location.workgroup.x, location.workgroup.y, location.workgroup.z};
    stack.subgroup = subgroup;
    stack.max_trips = trip_limit(convergence_.max_trips, grid_.max_trips);
    State state(stack);
    state.covered = covered;
    state.others = turns;
    return state;
  }

  static void tell(State& state, Event::Kind kind) {
    exec::settle(state);
    lockstep::tell(*state.stack, kind, {});
  }

  void run_one_by_one(Location& location) {
    BarrierFrames no_frames(0);
    ReconvergenceStack stack;
    for (std::uint32_t s = 0; s < grid_.num_subgroups; ++s) {
      location.subgroup = s;
      State state = start(stack, location, s, nullptr);
      K kernel = make_({state, location, no_frames, grid_});
      tell(state, Event::Kind::start);
      try {
        kernel.main();
      } catch (const EndlessLoop& loop) {
        fail::endless_loop(loop, later_subgroups(s, grid_.num_subgroups));
      }
      if (no_frames.lost_barrier() != nullptr) fail::lost_barrier(*no_frames.lost_barrier());
      tell(state, Event::Kind::end);
    }
  }

  /// One kernel object stands for all subgroups of the workgroup, so its shared arrays are shared;
  /// with each turn it takes on the subgroup whose turn it is.
  class Workgroup : public Turns::Work {
   public:
    Workgroup(TangledRunner& runner, Location& location)
        : turns_(runner.grid_.num_subgroups, location.workgroup, runner.grid_.lenient,
                 runner.convergence_.chooser),
          location_(location),
          frames_(runner.grid_.num_subgroups),
          stops_(runner.grid_.num_subgroups),
          stacks_(runner.grid_.num_subgroups),
          state_(stacks_.front()),
          kernel_(runner.make_({state_, location, frames_, runner.grid_})) {
      for (std::uint32_t s = 0; s < runner.grid_.num_subgroups; ++s) {
        states_.push_back(runner.start(stacks_[s], location, s, &turns_));
      }
    }

    void run() {
      turns_.run(*this);
      location_.faults.note(turns_.notes());
    }

    void run([[maybe_unused]] std::uint32_t subgroup) override {
      tell(state_, Event::Kind::start);
      if constexpr (has_barriers) {
        BarrierStop& stop = stops_[subgroup];
        frames_.start_turn(stop);
        frames_.start_main();
        Barriers run = kernel_.main();
        check_lost();
        while (stop.run) {
          // A barrier that no lane reaches is skipped. Settling may be another subgroup's turn.
          const Sync sync = frames_.sync();
          exec::settle(state_);
          if (state_.stack->active().any_lane()) {
            tell_sync(*state_.stack, detail::where(stop.barrier), sync);
            turns_.pass_barrier(*state_.stack, detail::id_of(stop.barrier));
          }
          frames_.start_turn(stop).resume();
          check_lost();
        }
        run.release();
        frames_.throw_error();
      } else {
        kernel_.main();
        check_lost();
      }
      tell(state_, Event::Kind::end);
    }
    void switch_in(std::uint32_t subgroup) override {
      location_.subgroup = subgroup;
      frames_.continue_turn(stops_[subgroup]);
      kernel_.move_to_subgroup();
      state_ = states_[subgroup];
    }
    void switch_out(std::uint32_t subgroup) override { states_[subgroup] = state_; }

   private:
    void check_lost() const {
      if (frames_.lost_barrier() != nullptr) fail::lost_barrier(*frames_.lost_barrier());
    }

    Turns turns_;
    Location& location_;
    BarrierFrames frames_;
    std::vector<BarrierStop> stops_;
    std::vector<ReconvergenceStack> stacks_;
    State state_;  ///< of the subgroup whose turn it is; at first with an empty stack
    std::vector<State> states_;
    K kernel_;
  };

  void run_in_turns(Location& location) { Workgroup(*this, location).run(); }

  const Grid<W>& grid_;
  const Convergence& convergence_;
  Make& make_;
};

}  // namespace lockstep::inline LOCKSTEP_ABI::detail
