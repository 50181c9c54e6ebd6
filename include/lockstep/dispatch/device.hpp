#pragma once

#include <algorithm>
#include <atomic>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <lockstep/dispatch/error.hpp>
#include <lockstep/dispatch/parallel.hpp>
#include <lockstep/dispatch/subgroup_setup.hpp>
#include <lockstep/dispatch/tangled_runner.hpp>
#include <lockstep/workgroup/barrier.hpp>
#include <lockstep/workgroup/traced_memory.hpp>

namespace lockstep::inline LOCKSTEP_ABI {

namespace detail {

template <class A>
concept ContiguousRange = requires(A& a) {
  std::span(a);
};

/// A dispatch's argument as the kernel's member wants it: arrays become views of the running
/// subgroup, as do other arguments that have a bind_argument (images); everything else is copied in.
template <class S, class A>
LOCKSTEP_INLINE decltype(auto) bind(const SubgroupSetup<S>& setup, A& argument,
                                    std::uint32_t binding) {
  if constexpr (ContiguousRange<A>) {
    const auto span = std::span(argument);
    using T = typename decltype(span)::element_type;
    const View<T, S::width> view{span.data(), static_cast<std::uint32_t>(span.size()), binding,
                                 &setup.state.active, &setup.location};
    if constexpr (S::tangled)
      return TracedArray<T, S::width>(view, &setup.state);
    else
      return Array<T, S::width>(view);
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

/// Runs a range of workgroups on one thread.
template <class K, class S, class... A>
class Runner {
 public:
  Runner(const Grid<S::width>& grid, A&... arguments) : grid_(grid), arguments_(arguments...) {}

  FaultLog run(std::size_t begin, std::size_t end, bool only_thread) {
    Location location;
    location.only_thread = only_thread;
    if constexpr (std::same_as<decltype(std::declval<K&>().main()), void>)
      run_through(location, begin, end);
    else
      run_with_barriers(location, begin, end);
    return location.faults;
  }

 private:
  using State = typename S::State;
  static constexpr auto indices = std::index_sequence_for<A...>{};

  // The state and the kernel are locals that nothing else refers to, and everything is compiled
  // into this function: that is what keeps masks and values in registers.
  [[gnu::flatten]] void run_through(Location& location, std::size_t begin, std::size_t end) {
    const std::uint32_t subgroups = grid_.num_subgroups;
    BarrierFrames no_frames(0);
    location.workgroup = grid_.workgroup(begin);
    for (std::size_t g = begin; g < end; ++g, grid_.advance(location.workgroup)) {
      for (std::uint32_t s = 0; s < subgroups; ++s) {
        location.subgroup = s;
        State state{.active = grid_.lanes(s)};
        K kernel = make_kernel<K, S>({state, location, no_frames, grid_}, arguments_, indices);
        kernel.main();
      }
    }
  }

  // One kernel object stands for all subgroups of the workgroup, so its shared arrays are shared;
  // before each turn it becomes the subgroup whose turn it is.
  void run_with_barriers(Location& location, std::size_t begin, std::size_t end) {
    const std::uint32_t subgroups = grid_.num_subgroups;
    BarrierFrames frames(subgroups);
    State state;
    K kernel = make_kernel<K, S>({state, location, frames, grid_}, arguments_, indices);
    std::vector<State> states(subgroups);
    std::vector<Barriers> runs;
    runs.reserve(subgroups);
    location.workgroup = grid_.workgroup(begin);
    for (std::size_t g = begin; g < end; ++g, grid_.advance(location.workgroup)) {
      kernel.move_to_workgroup();
      frames.reset();
      runs.clear();
      // Lets each subgroup run to its next barrier or its end; returns whether they wait at one.
      const auto all_turns = [&](auto turn) __attribute__((always_inline)) {
        std::uint32_t waiting = 0;
        for (std::uint32_t s = 0; s < subgroups; ++s) {
          location.subgroup = s;
          kernel.move_to_subgroup();
          turn(s);
          states[s].take_over(state);
          if (frames.take_note())
            ++waiting;
          else
            runs[s].release();
        }
        if (waiting != 0 && waiting != subgroups) stop_at_partial_barrier(location.workgroup, runs);
        return waiting != 0;
      };
      bool waiting = all_turns([&](std::uint32_t s) __attribute__((always_inline)) {
        state = State{.active = grid_.lanes(s)};
        runs.push_back(kernel.main());
      });
      while (waiting) {
        waiting = all_turns([&](std::uint32_t s) __attribute__((always_inline)) {
          state.take_over(states[s]);
          runs[s].resume();
        });
      }
    }
  }

  [[noreturn]] static void stop_at_partial_barrier(Size3 workgroup,
                                                   const std::vector<Barriers>& runs) {
    std::vector<std::uint32_t> waiting, ended;
    SourceLocation where;
    for (std::uint32_t s = 0; s < runs.size(); ++s) {
      (runs[s].waits() ? waiting : ended).push_back(s);
      if (runs[s].waits()) where = runs[s].waits_at();
    }
    fail::partial_barrier(where, workgroup, waiting, ended);
  }

  const Grid<S::width>& grid_;
  std::tuple<A&...> arguments_;
};

/// The physical widths: any subgroup size runs on the next of these.
using AllWidths = std::integer_sequence<int, 1, 2, 4, 8, 16, 32, 64, 128>;

}  // namespace detail

/// A device to run kernels on: a subgroup size and a number of threads.
///
/// Requires      1 <= subgroup_size <= 128; any size works, Vulkan devices report powers of two.
///               threads: at most that many, 0 for all of the machine.
/// Active lanes  In a workgroup whose size is no multiple of the subgroup size the last subgroup's
///               upper lanes do not exist.
/// Errors        dispatch throws Error for a size outside the range or a local size of zero.
/// Cost          None to make.
/// Spec          VkPhysicalDeviceSubgroupProperties
/// Example       kernels/prefix_sum
struct Device {
  int subgroup_size = 32;
  int threads = 0;

  /// Runs K on a grid of workgroups: device.dispatch<K>({groups}, arguments for K's members in
  /// order).
  ///
  /// Arrays (std::vector, std::span, ...) become the kernel's Buffers and must outlive the call;
  /// other arguments are copied into every subgroup, as push constants. K is compiled for each
  /// width of the list and run on the narrowest that holds subgroup_size; `dispatch<K, 32>`
  /// compiles one width, `dispatch<K>` the eight physical ones from 1 to 128.
  ///
  /// Requires      Kernels that race have no promised result; all others give the same whatever the
  ///               threads.
  /// Active lanes  As the device.
  /// Errors        Throws Error: no width of the list holds the subgroup size, an array of more
  ///               than 2^32 - 1 elements, a barrier that not all subgroups reach. Accesses outside
  ///               arrays are faults: in the result.
  /// Cost          Threads take ranges of workgroups.
  /// Spec          vkCmdDispatch
  /// Example       kernels/allocate
  template <template <class> class K, int... Widths, class... A>
  FaultLog dispatch(Size3 workgroups, A&&... arguments) const {
    if constexpr (sizeof...(Widths) == 0) {
      return dispatch_on<K>(detail::AllWidths{}, workgroups, arguments...);
    } else {
      FaultLog faults;
      // The list is in rising order: the first that holds the size runs.
      const bool done =
          subgroup_size >= 1 && (run_on<K, Widths>(faults, workgroups, arguments...) || ...);
      if (!done) fail::subgroup_size(subgroup_size, std::max({Widths...}));
      return faults;
    }
  }

  /// Runs K under another rule of convergence, with a chooser and an observer, on one thread and in
  /// a fixed order: device.dispatch<K, 32>(convergence, {groups}, arguments...).
  ///
  /// Requires      As above. Plain C++ branches on what differs between subgroups are not seen by the
  ///               rule `core`: say If.
  /// Active lanes  As above.
  /// Errors        As above, and those of ReconvergenceStack, SubgroupValue and the chooser.
  /// Cost          Tens to hundreds of times the plain dispatch.
  /// Spec          vkCmdDispatch
  /// Example       kernels/allocate_broken
  template <template <class> class K, int... Widths, class... A>
  FaultLog dispatch(const Convergence& convergence, Size3 workgroups, A&&... arguments) const {
    if constexpr (sizeof...(Widths) == 0) {
      return dispatch_tangled_on<K>(detail::AllWidths{}, convergence, workgroups, arguments...);
    } else {
      FaultLog faults;
      const bool done =
          subgroup_size >= 1 &&
          (run_tangled_on<K, Widths>(faults, convergence, workgroups, arguments...) || ...);
      if (!done) fail::subgroup_size(subgroup_size, std::max({Widths...}));
      return faults;
    }
  }

 private:
  template <template <class> class K, int... Widths, class... A>
  FaultLog dispatch_on(std::integer_sequence<int, Widths...>, Size3 workgroups,
                       A&... arguments) const {
    return dispatch<K, Widths...>(workgroups, arguments...);
  }

  template <template <class> class K, int W, class... A>
  bool run_on(FaultLog& faults, Size3 workgroups, A&... arguments) const {
    if (subgroup_size > W) return false;
    using S = FastMachine<W>;
    (check_size(arguments), ...);
    const detail::Grid<W> grid(workgroups, K<S>::local_size, subgroup_size);
    if (grid.invocations == 0) fail::local_size();
    std::atomic_flag merging;  // not std::mutex, whose header costs each user a third of a second
    auto body = [&](std::size_t begin, std::size_t end) {
      const FaultLog mine =
          detail::Runner<K<S>, S, A...>(grid, arguments...).run(begin, end, threads == 1);
      while (merging.test_and_set(std::memory_order_acquire)) merging.wait(true);
      faults.merge(mine);
      merging.clear(std::memory_order_release);
      merging.notify_one();
    };
    const std::size_t count = std::size_t{workgroups.x} * workgroups.y * workgroups.z;
    parallel_ranges(
        count, threads,
        [](void* context, std::size_t begin, std::size_t end) {
          (*static_cast<decltype(body)*>(context))(begin, end);
        },
        &body);
    return true;
  }

  template <template <class> class K, int... Widths, class... A>
  FaultLog dispatch_tangled_on(std::integer_sequence<int, Widths...>,
                               const Convergence& convergence, Size3 workgroups,
                               A&... arguments) const {
    return dispatch<K, Widths...>(convergence, workgroups, arguments...);
  }

  template <template <class> class K, int W, class... A>
  bool run_tangled_on(FaultLog& faults, const Convergence& convergence, Size3 workgroups,
                      A&... arguments) const {
    if (subgroup_size > W) return false;
    using S = TangledMachine<W>;
    (check_size(arguments), ...);
    const detail::Grid<W> grid(workgroups, K<S>::local_size, subgroup_size);
    if (grid.invocations == 0) fail::local_size();
    auto make = [bound = std::tie(arguments...)](const detail::SubgroupSetup<S>& setup) {
      return detail::make_kernel<K<S>, S>(setup, bound, std::index_sequence_for<A...>{});
    };
    faults = detail::TangledRunner<K<S>, S, decltype(make)>(grid, convergence, make)
                 .run(std::size_t{workgroups.x} * workgroups.y * workgroups.z);
    return true;
  }

  template <class A>
  static void check_size(A& argument) {
    if constexpr (detail::ContiguousRange<A>) {
      if (std::span(argument).size() > 0xffffffff) fail::buffer_size();
    }
  }
};

}  // namespace lockstep::inline LOCKSTEP_ABI
