#pragma once

#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <lockstep/dispatch/detail/arguments.hpp>
#include <lockstep/dispatch/detail/needs.hpp>
#include <lockstep/dispatch/error.hpp>
#include <lockstep/dispatch/mapping.hpp>
#include <lockstep/dispatch/subgroup_setup.hpp>
#include <lockstep/workgroup/barrier.hpp>
#include <lockstep/workgroup/memory.hpp>
#include <lockstep/workgroup/workgroup_run.hpp>

/// \file
/// Runs workgroups on one thread, on machines that keep one mask.

namespace lockstep::inline LOCKSTEP_ABI::detail {

/// K for one subgroup of the dispatch.
template <class K, class S, std::size_t... I, class... A>
LOCKSTEP_INLINE K make_kernel(const SubgroupSetup<S>& setup, std::index_sequence<I...>,
                              A&... arguments) {
  return K{{setup}, bind<S>(setup, arguments, static_cast<std::uint32_t>(I))...};
}

/// The features that the kernel declares, and that its built-ins and arguments need.
template <template <class> class K, class S, class... A>
Features features_of(const Mapping& mapping, bool fragment) {
  Features features(used_features<KernelName<K>>);
  if constexpr (requires { K<S>::needs; }) features = features | K<S>::needs;
  [[maybe_unused]] const auto of_argument = []<class T>(std::type_identity<T>) {
    if constexpr (ContiguousRange<T>)
      return features_of_number<
          std::remove_cv_t<typename decltype(std::span(std::declval<T&>()))::element_type>>(false);
    else
      return Features();
  };
  features = (features | ... | of_argument(std::type_identity<A>()));
  if ((features.bits & needs_derivatives) == 0) return features;
  features = features.without(Features(needs_derivatives));
  if (fragment) return features;
  return features |
         (mapping.kind == Mapping::Kind::quads ? Feature::compute_derivative_group_quads
                                               : Feature::compute_derivative_group_linear);
}

/// Runs a range of workgroups on one thread. Make makes a kernel for a subgroup.
template <class K, class S, class Make>
class Runner {
 public:
  Runner(const Grid<S::width>& grid, const Make& make, std::span<const SummedArray> summed)
      : grid_(grid), make_(make), summed_(summed) {}

  FaultLog run(std::size_t begin, std::size_t end, bool only_thread) {
    Location location;
    location.only_thread = only_thread;
    if (!only_thread) location.sums.start(summed_);
    [[maybe_unused]] const auto scope = enter_run(static_cast<State*>(nullptr), grid_, location);
    // Not in a function of its own: errors of compilation name the user's line a line earlier.
    try {
      try {
        if constexpr (has_barriers)
          run_with_barriers(location, begin, end);
        else
          run_through(location, begin, end);
      } catch (const EndlessLoop& loop) {
        stop_endless_loop(loop, location);
      }
    } catch (EndlessLoop& loop) {
      loop.add_earlier(location.faults);
      // On other threads those after it may have begun.
      if (only_thread)
        loop.add_earlier(grid_.not_begun(loop, grid_.position_of(location.workgroup)));
      throw;
    } catch (FindingError& error) {
      error.add_earlier(location.faults);
      throw;
    }
    return std::move(location.faults);
  }

 private:
  using State = typename S::State;
  static constexpr bool has_barriers = !std::same_as<decltype(std::declval<K&>().main()), void>;

  // The state and the kernel are locals without aliases, and everything is compiled into this
  // function: that keeps masks and values in registers.
  LOCKSTEP_FLATTEN void run_through(Location& location, std::size_t begin, std::size_t end) {
    const std::uint32_t subgroups = grid_.num_subgroups;
    BarrierFrames no_frames(0);
    location.workgroup = grid_.workgroup(begin);
    for (std::size_t g = begin; g < end; ++g, grid_.advance(location.workgroup, g)) {
      for (std::uint32_t s = 0; s < subgroups; ++s) {
        location.subgroup = s;
        State state = start_state<S>(grid_, location);
        K kernel = make_({state, location, no_frames, grid_});
        kernel.main();
      }
    }
    if (no_frames.lost_barrier() != nullptr) [[unlikely]]
      fail::lost_barrier(*no_frames.lost_barrier());
  }

  // One kernel object stands for all subgroups of the workgroup, so its shared arrays are shared;
  // before each turn it takes on the subgroup whose turn it is. Its state is not kept as long as all
  // lanes of all subgroups stop at one barrier: they are active there, and the other masks are empty.
  void run_with_barriers(Location& location, std::size_t begin, std::size_t end) {
    const std::uint32_t subgroups = grid_.num_subgroups;
    BarrierFrames frames(subgroups);
    State state;
    K kernel = make_({state, location, frames, grid_});
    std::vector<BarrierStop> stops(subgroups);  // outlives the runs
    std::vector<PartialStop> partial;
    std::vector<Barriers> runs;
    runs.reserve(subgroups);
    location.workgroup = grid_.workgroup(begin);
    for (std::size_t g = begin; g < end; ++g, grid_.advance(location.workgroup, g)) {
      kernel.move_to_workgroup();
      frames.reset();
      runs.clear();
      if (grid_.undefined == Undefined::poison) [[unlikely]]
        make_again(kernel, {state, location, frames, grid_});
      // Runs each subgroup to its next barrier or its end; returns whether they wait at one.
      const auto all_turns = [&](auto turn) __attribute__((always_inline)) {
        std::uint32_t ended = 0;
        bool together = true;
        const bool in_function = state.in_function;
        for (std::uint32_t s = 0; s < subgroups; ++s) {
          BarrierStop& stop = stops[s];
          location.subgroup = s;
          kernel.move_to_subgroup();
          const auto lanes = grid_.lanes(s);
          state.start(lanes);
          state.in_function = in_function;
          turn(frames.start_turn(stop));
          if (stop.run && state.active != lanes) [[unlikely]]
            stop_in_part(frames, state, stop, s, partial);
          if (!stop.run) {
            ++ended;
            runs[s].release();
            if (frames.error()) [[unlikely]]
              stop_in_round(frames, stops, s);
          } else if (!(stop.barrier == stops[0].barrier)) [[unlikely]] {
            together = false;
          }
        }
        if (frames.lost_barrier() != nullptr) fail::lost_barrier(*frames.lost_barrier());
        if (ended == subgroups) return false;
        if (ended != 0 || !together || !partial.empty()) [[unlikely]] {
          go_on_apart(location, kernel, state, frames, stops, runs, partial);
          return false;
        }
        return true;
      };
      bool waiting = all_turns([&](auto) __attribute__((always_inline)) {
        frames.start_main();
        runs.push_back(kernel.main());
      });
      while (waiting) {
        waiting = all_turns([](std::coroutine_handle<> run)
                                __attribute__((always_inline)) { run.resume(); });
      }
    }
  }

  /// As at the start: its shared arrays are new.
  [[gnu::cold, gnu::noinline]] void make_again(K& kernel, const SubgroupSetup<S>& setup) const {
    kernel.~K();
    ::new (static_cast<void*>(&kernel)) K(make_(setup));
  }

  /// Adds to the error which subgroup it was, and where its other lanes are.
  [[noreturn, gnu::cold, gnu::noinline]] void stop_endless_loop(const EndlessLoop& loop,
                                                                const Location& location) const {
    EndlessLoop::Lanes lanes = loop.lanes;
    lanes.elsewhere =
        to_lane_set(start_state<S>(grid_, location).active).without(lanes.spinning | lanes.left);
    const auto [x, y, z] = location.workgroup;
    const EndlessLoop::Subgroup subgroup{{x, y, z}, location.subgroup};
    fail::endless_loop(
        loop.where, lanes, loop.trips, &subgroup,
        has_barriers ? loop.others : later_subgroups(location.subgroup, grid_.num_subgroups));
  }

  /// Rethrows what main() of the subgroup threw while the subgroups run one after another: those before it
  /// have stopped in this round.
  [[noreturn, gnu::cold, gnu::noinline]] static void stop_in_round(
      BarrierFrames& frames, const std::vector<BarrierStop>& stops, std::uint32_t subgroup) {
    using Waiting = EndlessLoop::Waiting;
    try {
      std::rethrow_exception(frames.error());
    } catch (const EndlessLoop& loop) {
      std::vector<Waiting> others =
          later_subgroups(subgroup, static_cast<std::uint32_t>(stops.size()));
      for (std::uint32_t s = subgroup; s-- > 0;) {
        if (stops[s].run)
          others.insert(others.begin(), {s, Waiting::Reason::barrier, where(stops[s].barrier)});
      }
      fail::endless_loop(loop, std::move(others));
    }
  }
  /// The same while `run` decides which subgroup is the next.
  [[noreturn, gnu::cold, gnu::noinline]] static void stop_apart(BarrierFrames& frames,
                                                                const WorkgroupRun& run) {
    try {
      std::rethrow_exception(frames.error());
    } catch (const EndlessLoop& loop) {
      fail::endless_loop(loop, run.waiting());
    }
  }

  /// A subgroup without active lanes does not stop at barriers.
  [[gnu::cold, gnu::noinline]] static void pass_over_barriers(BarrierFrames& frames, State& state,
                                                              BarrierStop& stop) {
    while (stop.run && !state.active.any_lane()) frames.start_turn(stop).resume();
  }

  /// A subgroup at a barrier that not all of its lanes reached.
  struct PartialStop {
    std::uint32_t subgroup;
    State state;
  };
  [[gnu::cold, gnu::noinline]] static void stop_in_part(BarrierFrames& frames, State& state,
                                                        BarrierStop& stop, std::uint32_t subgroup,
                                                        std::vector<PartialStop>& partial) {
    pass_over_barriers(frames, state, stop);
    if (stop.run) partial.push_back({subgroup, state});
  }
  /// Where the subgroups of a workgroup have stopped, with which masks.
  struct Stops : WorkgroupRun::Subgroups {
    Stops(const Grid<S::width>& of, const std::vector<BarrierStop>& at) : grid(of), stops(at) {
      for (std::uint32_t s = 0; s < stops.size(); ++s) states.emplace_back().start(grid.lanes(s));
    }
    bool is_whole(std::uint32_t s) const { return states[s].active == grid.lanes(s); }
    BarrierArrival arrival(std::uint32_t s) const override {
      const State& state = states[s];
      const auto missing = grid.lanes(s).without(state.active);
      BarrierArrival arrival;
      arrival.barrier = id_of(stops[s].barrier);
      arrival.waiting = to_lane_set(state.active);
      arrival.returned = to_lane_set(missing & state.ended());
      arrival.elsewhere = to_lane_set(missing.without(state.ended()));
      return arrival;
    }

    const Grid<S::width>& grid;
    const std::vector<BarrierStop>& stops;
    std::vector<State> states;
  };

  /// Not all subgroups have stopped at one barrier with all of their lanes. From here to the end of the
  /// workgroup a WorkgroupRun decides, and each subgroup keeps its masks.
  [[gnu::cold, gnu::noinline]] void go_on_apart(Location& location, K& kernel, State& state,
                                                BarrierFrames& frames,
                                                std::vector<BarrierStop>& stops,
                                                std::vector<Barriers>& runs,
                                                std::vector<PartialStop>& partial) {
    Stops at(grid_, stops);
    for (const PartialStop& stop : partial) at.states[stop.subgroup] = stop.state;
    partial.clear();
    WorkgroupRun run(grid_.num_subgroups, at, grid_.lenient);
    run.start(location.workgroup);
    const auto report = [&](std::uint32_t s) {
      return stops[s].run ? run.arrive(id_of(stops[s].barrier), at.is_whole(s)) : run.end();
    };
    std::uint32_t next = 0;
    for (std::uint32_t s = 0; s < grid_.num_subgroups; ++s) next = report(s);
    while (next != WorkgroupRun::none) {
      const std::uint32_t s = next;
      location.subgroup = s;
      kernel.move_to_subgroup();
      state = at.states[s];
      frames.start_turn(stops[s]).resume();
      pass_over_barriers(frames, state, stops[s]);
      at.states[s] = state;
      if (frames.lost_barrier() != nullptr) fail::lost_barrier(*frames.lost_barrier());
      if (!stops[s].run) {
        runs[s].release();
        if (frames.error()) stop_apart(frames, run);
      }
      next = report(s);
    }
    location.faults.note(run.notes());
  }

  const Grid<S::width>& grid_;
  Make make_;
  std::span<const SummedArray> summed_;
};

}  // namespace lockstep::inline LOCKSTEP_ABI::detail
