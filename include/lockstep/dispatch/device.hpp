#pragma once

#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <lockstep/check/checker.hpp>
#include <lockstep/dispatch/detail/needs.hpp>
#include <lockstep/dispatch/error.hpp>
#include <lockstep/dispatch/mapping.hpp>
#include <lockstep/dispatch/parallel.hpp>
#include <lockstep/dispatch/profile.hpp>
#include <lockstep/dispatch/subgroup_setup.hpp>
#include <lockstep/dispatch/tangled_runner.hpp>
#include <lockstep/exec/checks.hpp>
#include <lockstep/workgroup/barrier.hpp>
#include <lockstep/workgroup/traced_memory.hpp>
#include <lockstep/workgroup/workgroup_run.hpp>

namespace lockstep::inline LOCKSTEP_ABI {

namespace detail {

template <class A>
concept ContiguousRange = requires(A& a) {
  std::span(a);
};

/// A dispatch's argument as the kernel's member takes it: arrays become views of the running
/// subgroup, as do other arguments with a bind_argument (images); everything else is copied in.
template <class S, class A>
LOCKSTEP_INLINE decltype(auto) bind(const SubgroupSetup<S>& setup, A& argument,
                                    std::uint32_t binding) {
  if constexpr (ContiguousRange<A>) {
    const auto span = std::span(argument);
    using T = typename decltype(span)::element_type;
    const View<T, S::width> view{span.data(), static_cast<std::uint32_t>(span.size()), binding,
                                 &setup.state.active, &setup.location};
    return make_array(setup.state, view);
  } else if constexpr (requires { bind_argument(setup, argument, binding); }) {
    return bind_argument(setup, argument, binding);
  } else {
    return static_cast<const A&>(argument);
  }
}

/// K for one subgroup of the dispatch.
template <class K, class S, class Arguments, std::size_t... I>
LOCKSTEP_INLINE K make_kernel(const SubgroupSetup<S>& setup, Arguments& arguments,
                              std::index_sequence<I...>) {
  return K{{setup}, bind<S>(setup, std::get<I>(arguments), static_cast<std::uint32_t>(I))...};
}

/// The features that the kernel declares, and those of its built-ins and arguments.
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

/// Runs a range of workgroups on one thread.
template <class K, class S, class... A>
class Runner {
 public:
  Runner(const Grid<S::width>& grid, A&... arguments) : grid_(grid), arguments_(arguments...) {}

  FaultLog run(std::size_t begin, std::size_t end, bool only_thread) {
    Location location;
    location.only_thread = only_thread;
    try {
      if constexpr (has_barriers)
        run_with_barriers(location, begin, end);
      else
        run_through(location, begin, end);
    } catch (const EndlessLoop& loop) {
      stop_endless_loop(loop, location);
    }
    return std::move(location.faults);
  }

 private:
  using State = typename S::State;
  static constexpr bool has_barriers = !std::same_as<decltype(std::declval<K&>().main()), void>;
  static constexpr auto indices = std::index_sequence_for<A...>{};

  // The state and the kernel are locals without aliases, and everything is compiled into this
  // function: that keeps masks and values in registers.
  LOCKSTEP_FLATTEN void run_through(Location& location, std::size_t begin, std::size_t end) {
    const std::uint32_t subgroups = grid_.num_subgroups;
    BarrierFrames no_frames(0);
    location.workgroup = grid_.workgroup(begin);
    for (std::size_t g = begin; g < end; ++g, grid_.advance(location.workgroup)) {
      for (std::uint32_t s = 0; s < subgroups; ++s) {
        location.subgroup = s;
        State state = start_state<S>(grid_, location);
        K kernel = make_kernel<K, S>({state, location, no_frames, grid_}, arguments_, indices);
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
    K kernel = make_kernel<K, S>({state, location, frames, grid_}, arguments_, indices);
    std::vector<BarrierStop> stops(subgroups);  // outlives the runs
    std::vector<PartialStop> partial;
    std::vector<Barriers> runs;
    runs.reserve(subgroups);
    location.workgroup = grid_.workgroup(begin);
    for (std::size_t g = begin; g < end; ++g, grid_.advance(location.workgroup)) {
      kernel.move_to_workgroup();
      frames.reset();
      runs.clear();
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
          others.insert(others.begin(), {s, Waiting::Reason::barrier, stops[s].barrier.where()});
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
      arrival.barrier = {stops[s].barrier.where()};
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
      return stops[s].run ? run.arrive({stops[s].barrier.where()}, at.is_whole(s)) : run.end();
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
  std::tuple<A&...> arguments_;
};

/// What dispatch compiles a kernel for if it names no width itself.
using DefaultWidths = std::integer_sequence<int, LOCKSTEP_WIDTHS>;

/// The widths that a dispatch names, or those for one that names none.
template <class Default, int... Widths>
using WidthsOf =
    std::conditional_t<sizeof...(Widths) == 0, Default, std::integer_sequence<int, Widths...>>;

// The first place that names main() of a kernel is what g++ reports before each error inside. These types name it in
// default arguments, which belong to the line of the dispatch, so that no function of ours comes in between. clang
// reports the error first.
#ifdef __clang__
#define LOCKSTEP_MAIN_IS_NAMED true
#else
#define LOCKSTEP_MAIN_IS_NAMED (static_cast<void>(&Kernel::main), true)
#endif

/// The workgroups of a dispatch of K on Machine.
template <template <int, class> class Machine, template <class> class K, class Widths>
struct WorkgroupsFor;
template <template <int, class> class Machine, template <class> class K, int W, int... More>
struct WorkgroupsFor<Machine, K, std::integer_sequence<int, W, More...>> : Size3 {
  using Kernel = K<Machine<W, KernelName<K>>>;

  WorkgroupsFor(std::uint32_t wide, std::uint32_t high = 1, std::uint32_t deep = 1,
                bool = LOCKSTEP_MAIN_IS_NAMED)
      : Size3{wide, high, deep} {}
  WorkgroupsFor(Size3 size, bool = LOCKSTEP_MAIN_IS_NAMED) : Size3(size) {}
};

/// The width of the image of a dispatch_pixels of K on Machine.
template <template <int, class> class Machine, template <class> class K, class Widths>
struct ImageWidthFor;
template <template <int, class> class Machine, template <class> class K, int W, int... More>
struct ImageWidthFor<Machine, K, std::integer_sequence<int, W, More...>> {
  using Kernel = K<Machine<W, KernelName<K>>>;
  static_assert(std::same_as<decltype(std::declval<Kernel&>().main()), void>,
                "pixels have no workgroup: main() returns void and has no barrier()");

  std::uint32_t value;

  ImageWidthFor(std::uint32_t width, bool = LOCKSTEP_MAIN_IS_NAMED) : value(width) {}
  operator std::uint32_t() const { return value; }
};
#undef LOCKSTEP_MAIN_IS_NAMED

/// The last of an ascending list.
template <int... Widths>
inline constexpr int widest = (0, ..., Widths);

}  // namespace detail

/// A device to run kernels on: `Device{profile::nvidia}`, or `Device{.subgroup_size = 24}` without
/// limits.
///
/// Requires      1 <= subgroup_size <= 128; any size works, Vulkan devices report powers of two.
///               threads: at most that many, 0 for all of the machine.
/// Active lanes  If the workgroup's size is not a multiple of the subgroup size, the last
///               subgroup's upper lanes do not exist.
/// Errors        dispatch throws Error for a size out of range, a local size of zero, and anything
///               the profile does not allow, which the message names as Vulkan does.
/// Cost          None to make.
/// Spec          VkPhysicalDeviceSubgroupProperties
/// Example       kernels/prefix_sum
struct Device {
  /// The capabilities of the device; by default everything.
  Profile profile = {};
  /// Lanes in a subgroup.
  int subgroup_size = profile.subgroup_size;
  int threads = 0;
  /// Runs everything in one fixed order on one thread, regardless of `threads`.
  bool deterministic = false;
  /// Which invocation runs in which lane.
  Mapping mapping = {};
  /// Iterations of one loop before it counts as endless. Loops in plain C++ are not counted.
  std::uint64_t max_trips = default_max_trips;
  /// Receives the progress of a dispatch.
  Progress* progress = nullptr;
  /// What is tolerated instead of being an Error; the result's notes say where.
  Lenient lenient = {};
  /// Whether accesses outside arrays end a dispatch with a FaultError, or are only in its result.
  Faults faults = Faults::thrown;
  /// The rules that shaders are checked for, and kernels that are dispatched with a Convergence.
  Checks checks = {};

  /// Runs K on a grid of workgroups: device.dispatch<K>({groups}, arguments for K's members in
  /// order).
  ///
  /// Arrays (std::vector, std::span, ...) become the kernel's Buffers and must outlive the call;
  /// other arguments are copied into every subgroup, as push constants. K is compiled for each width
  /// of an ascending list and runs at the narrowest that holds subgroup_size: `dispatch<K, 8, 32>`
  /// compiles two, `dispatch<K>` those of LOCKSTEP_WIDTHS, by default 128 alone, which runs every size.
  ///
  /// Requires      Kernels with races have no defined result; all others give the same one on any
  ///               number of threads.
  /// Active lanes  As for the device.
  /// Errors        Throws Error: no width of the list holds the subgroup size, an array has more
  ///               than 2^32 - 1 elements, some invocation does not reach a barrier, a loop exceeds
  ///               max_trips, or the profile lacks something. Accesses outside arrays are faults:
  ///               FaultError at the end of the run, or with Faults::counted in the result.
  ///               An exception from the progress observer ends the run.
  /// Cost          Threads take ranges of workgroups.
  /// Spec          vkCmdDispatch
  /// Example       kernels/allocate
  template <template <class> class K, int... Widths, class Default = detail::DefaultWidths,
            class... A>
  FaultLog dispatch(
      detail::WorkgroupsFor<FastMachine, K, detail::WidthsOf<Default, Widths...>> workgroups,
      A&&... arguments) const {
    if constexpr (sizeof...(Widths) == 0) {
      return dispatch_on<K>(Default{}, workgroups, arguments...);
    } else {
      FaultLog found;
      // The list is ascending: the first width that holds the size runs.
      const bool done =
          subgroup_size >= 1 && (run_on<K, Widths>(found, workgroups, arguments...) || ...);
      if (!done) fail::subgroup_size(subgroup_size, detail::widest<Widths...>);
      return judged(std::move(found));
    }
  }

  /// Runs K on an image's pixels: device.dispatch_pixels<K>(width, height, arguments for K's members
  /// in order). K derives from Pixels<S> (glsl/pixels.hpp).
  ///
  /// Requires      As dispatch, and a subgroup size of at least 4. Lanes from the last multiple of
  ///               4 on have no pixel.
  /// Active lanes  Quads of 2x2 pixels, all four active from the start; those outside the image are
  ///               helpers, whose stores and atomics have no effect.
  /// Errors        As dispatch.
  /// Cost          As dispatch.
  /// Spec          Vulkan fragment shader
  /// Example       tests/glsl/pixels.cpp
  template <template <class> class K, int... Widths, class Default = detail::DefaultWidths,
            class... A>
  FaultLog dispatch_pixels(
      detail::ImageWidthFor<PixelMachine, K, detail::WidthsOf<Default, Widths...>> width,
      std::uint32_t height, A&&... arguments) const {
    if constexpr (sizeof...(Widths) == 0) {
      return dispatch_pixels_on<K>(Default{}, width, height, arguments...);
    } else {
      FaultLog found;
      const bool done = subgroup_size >= 1 &&
                        (run_pixels_on<K, Widths>(found, width, height, arguments...) || ...);
      if (!done) fail::subgroup_size(subgroup_size, detail::widest<Widths...>);
      return judged(std::move(found));
    }
  }

  /// Runs K under another rule of convergence, with a chooser and an observer, on one thread and in
  /// a fixed order: device.dispatch<K, 32>(convergence, {groups}, arguments...).
  ///
  /// Requires      As above. The rule `core` does not see plain C++ branches that differ between
  ///               subgroups: use If.
  /// Active lanes  As above.
  /// Errors        As above, and those of ReconvergenceStack, SubgroupValue and the chooser.
  /// Cost          Tens to hundreds of times the plain dispatch.
  /// Spec          vkCmdDispatch
  /// Example       kernels/allocate_broken
  template <template <class> class K, int... Widths, class Default = detail::DefaultWidths,
            class... A>
  FaultLog dispatch(
      const Convergence& convergence,
      detail::WorkgroupsFor<TangledMachine, K, detail::WidthsOf<Default, Widths...>> workgroups,
      A&&... arguments) const {
    if constexpr (sizeof...(Widths) == 0) {
      return dispatch_tangled_on<K>(Default{}, convergence, workgroups, arguments...);
    } else {
      FaultLog found;
      const bool done =
          subgroup_size >= 1 &&
          (run_tangled_on<K, Widths>(found, convergence, workgroups, arguments...) || ...);
      if (!done) fail::subgroup_size(subgroup_size, detail::widest<Widths...>);
      return judged(std::move(found));
    }
  }

  /// Runs K on an image's pixels under another rule of convergence, with a chooser and an observer:
  /// device.dispatch_pixels<K, 32>(convergence, width, height, arguments...).
  ///
  /// Requires      As both above. The rule is maximal or subgroup_uniform.
  /// Active lanes  As dispatch_pixels. Rules treat helpers like other lanes.
  /// Errors        As both above; Error for the rule core, which speaks of invocation groups:
  ///               implementations choose which pixels form one.
  /// Cost          As dispatch under another rule.
  /// Spec          Vulkan fragment shader
  /// Example       tests/glsl/pixels.cpp
  template <template <class> class K, int... Widths, class Default = detail::DefaultWidths,
            class... A>
  FaultLog dispatch_pixels(
      const Convergence& convergence,
      detail::ImageWidthFor<TangledPixelMachine, K, detail::WidthsOf<Default, Widths...>> width,
      std::uint32_t height, A&&... arguments) const {
    if constexpr (sizeof...(Widths) == 0) {
      return dispatch_tangled_pixels_on<K>(Default{}, convergence, width, height, arguments...);
    } else {
      FaultLog found;
      const bool done =
          subgroup_size >= 1 &&
          (run_tangled_pixels_on<K, Widths>(found, convergence, width, height, arguments...) ||
           ...);
      if (!done) fail::subgroup_size(subgroup_size, detail::widest<Widths...>);
      return judged(std::move(found));
    }
  }

 private:
  /// The result of a dispatch with these faults.
  FaultLog judged(FaultLog found) const {
    if (faults == Faults::thrown && found.count() != 0) fail::faults(found);
    return found;
  }

  template <template <class> class K, int... Widths, class Default = detail::DefaultWidths,
            class... A>
  FaultLog dispatch_on(std::integer_sequence<int, Widths...>, Size3 workgroups,
                       A&... arguments) const {
    return dispatch<K, Widths...>(workgroups, arguments...);
  }

  template <template <class> class K, int W, class... A>
  bool run_on(FaultLog& found, Size3 workgroups, A&... arguments) const {
    if (subgroup_size > W) return false;
    using S = FastMachine<W, detail::KernelName<K>>;
    check<K, S, A...>(workgroups, K<S>::local_size, false);
    const detail::Grid<W> grid = make_grid<W>(workgroups, K<S>::local_size);
    found = run_grid<K, S>(grid, arguments...);
    return true;
  }

  /// Checks the limits of the profile.
  template <template <class> class K, class S, class... A>
  void check(Size3 workgroups, Size3 local_size, bool fragment) const {
    lockstep::check(profile, {.kernel = kernel_name(detail::pretty_kernel<K>()),
                              .features = detail::features_of<K, S, A...>(mapping, fragment),
                              .subgroup_size = subgroup_size,
                              .local_size = local_size,
                              .workgroups = workgroups,
                              .fragment = fragment});
  }
  template <int W>
  detail::Grid<W> make_grid(Size3 workgroups, Size3 local_size) const {
    detail::Grid<W> grid(workgroups, local_size, subgroup_size, mapping);
    grid.max_trips = max_trips;
    grid.lenient = lenient;
    grid.max_shared_bytes = profile.max_compute_shared_memory_size;
    return grid;
  }

  template <template <class> class K, class S, class... A>
  FaultLog run_grid(const detail::Grid<S::width>& grid, A&... arguments) const {
    (check_size(arguments), ...);
    const int most_threads = deterministic ? 1 : threads;
    auto body = [&](std::size_t begin, std::size_t end) {
      return detail::Runner<K<S>, S, A...>(grid, arguments...).run(begin, end, most_threads == 1);
    };
    const Size3 workgroups = grid.num_workgroups;
    return parallel_ranges(
        std::size_t{workgroups.x} * workgroups.y * workgroups.z, most_threads,
        [](void* context, std::size_t begin, std::size_t end) {
          return (*static_cast<decltype(body)*>(context))(begin, end);
        },
        &body, progress);
  }

  template <template <class> class K, int... Widths, class Default = detail::DefaultWidths,
            class... A>
  FaultLog dispatch_tangled_on(std::integer_sequence<int, Widths...>,
                               const Convergence& convergence, Size3 workgroups,
                               A&... arguments) const {
    return dispatch<K, Widths...>(convergence, workgroups, arguments...);
  }

  template <template <class> class K, int W, class... A>
  bool run_tangled_on(FaultLog& found, const Convergence& convergence, Size3 workgroups,
                      A&... arguments) const {
    if (subgroup_size > W) return false;
    using S = TangledMachine<W, detail::KernelName<K>>;
    check<K, S, A...>(workgroups, K<S>::local_size, false);
    found = run_tangled_grid<K, S>(make_grid<W>(workgroups, K<S>::local_size), convergence,
                                   arguments...);
    return true;
  }

  template <template <class> class K, class S, class... A>
  FaultLog run_tangled_grid(const detail::Grid<S::width>& grid, const Convergence& convergence,
                            A&... arguments) const {
    (check_size(arguments), ...);
    auto make = [bound = std::tie(arguments...)](const detail::SubgroupSetup<S>& setup) {
      return detail::make_kernel<K<S>, S>(setup, bound, std::index_sequence_for<A...>{});
    };
    const Size3 workgroups = grid.num_workgroups;
    CheckedConvergence checked(checks, subgroup_size, &convergence);
    FaultLog found = detail::TangledRunner<K<S>, S, decltype(make)>(grid, *checked.get(), make)
                         .run(std::size_t{workgroups.x} * workgroups.y * workgroups.z);
    checked.add_to(found);
    return found;
  }

  template <template <class> class K, int... Widths, class... A>
  FaultLog dispatch_pixels_on(std::integer_sequence<int, Widths...>, std::uint32_t width,
                              std::uint32_t height, A&... arguments) const {
    return dispatch_pixels<K, Widths...>(width, height, arguments...);
  }

  template <template <class> class K, int... Widths, class... A>
  FaultLog dispatch_tangled_pixels_on(std::integer_sequence<int, Widths...>,
                                      const Convergence& convergence, std::uint32_t width,
                                      std::uint32_t height, A&... arguments) const {
    return dispatch_pixels<K, Widths...>(convergence, width, height, arguments...);
  }

  template <template <class> class K, int W, class... A>
  bool run_pixels_on(FaultLog& found, std::uint32_t width, std::uint32_t height,
                     A&... arguments) const {
    if (subgroup_size > W) return false;
    using S = PixelMachine<W, detail::KernelName<K>>;
    found = run_grid<K, S>(make_pixel_grid<K, S, A...>(width, height), arguments...);
    return true;
  }

  template <template <class> class K, int W, class... A>
  bool run_tangled_pixels_on(FaultLog& found, const Convergence& convergence, std::uint32_t width,
                             std::uint32_t height, A&... arguments) const {
    if (subgroup_size > W) return false;
    using S = TangledPixelMachine<W, detail::KernelName<K>>;
    if (convergence.rule == Rule::core)
      fail::pixels_under_core(kernel_name(detail::pretty_kernel<K>()));
    found = run_tangled_grid<K, S>(make_pixel_grid<K, S, A...>(width, height), convergence,
                                   arguments...);
    return true;
  }

  /// The grid of a dispatch on pixels, each subgroup a workgroup of its own; checked.
  template <template <class> class K, class S, class... A>
  detail::Grid<S::width> make_pixel_grid(std::uint32_t width, std::uint32_t height) const {
    const std::uint64_t wide = (std::uint64_t{width} + 1) / 2,
                        high = (std::uint64_t{height} + 1) / 2;
    if (subgroup_size < 4 || (width != 0 && height != 0 && wide > 0xffffffff / high))
      fail::pixels(kernel_name(detail::pretty_kernel<K>()), subgroup_size, width, height);
    detail::PixelArea area;
    area.width = width;
    area.height = height;
    area.quads_wide = static_cast<std::uint32_t>(wide);
    area.quads = width == 0 || height == 0 ? 0 : static_cast<std::uint32_t>(wide * high);
    area.quads_each = static_cast<std::uint32_t>(subgroup_size / 4);
    const Size3 subgroups{area.quads / area.quads_each + (area.quads % area.quads_each != 0)};
    const Size3 local_size{static_cast<std::uint32_t>(subgroup_size)};
    check<K, S, A...>(subgroups, local_size, true);
    detail::Grid<S::width> grid = make_grid<S::width>(subgroups, local_size);
    grid.area = area;
    return grid;
  }

  template <class A>
  static void check_size(A& argument) {
    if constexpr (detail::ContiguousRange<A>) {
      if (std::span(argument).size() > 0xffffffff) fail::buffer_size();
    }
  }
};

}  // namespace lockstep::inline LOCKSTEP_ABI
