#pragma once

#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <lockstep/check/checker.hpp>
#include <lockstep/dispatch/detail/runner.hpp>
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
  using On = Machine<W, KernelName<K>>;
  using Kernel = K<On>;
  using Widths = std::integer_sequence<int, W, More...>;

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
  using On = Machine<W, KernelName<K>>;
  using Kernel = K<On>;
  using Widths = std::integer_sequence<int, W, More...>;
  static_assert(std::same_as<decltype(std::declval<Kernel&>().main()), void>,
                "pixels have no workgroup: main() returns void and has no barrier()");

  std::uint32_t value;

  ImageWidthFor(std::uint32_t width, bool = LOCKSTEP_MAIN_IS_NAMED) : value(width) {}
  operator std::uint32_t() const { return value; }
};
#undef LOCKSTEP_MAIN_IS_NAMED

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
  /// In which order workgroups start.
  WorkgroupOrder order = {};
  /// Iterations of one loop before it counts as endless. Loops in plain C++ are not counted.
  std::uint64_t max_trips = default_max_trips;
  /// Receives the progress of a dispatch.
  Progress* progress = nullptr;
  /// What is tolerated instead of being an Error; the result's notes say where.
  Lenient lenient = {};
  /// Whether accesses outside arrays end a dispatch with a FaultError, or are only in its result.
  Faults faults = Faults::thrown;
  /// The rules that dispatch_checked checks for; none: all. Other dispatches with a Convergence check for data races
  /// and operands of built-ins, and no other for more than every run.
  Checks checks = {};
  /// What kernels get where a result is undefined. Undefined::poison is the default in code that is not optimized, so that
  /// tests notice what dispatch_checked explains; optimized code has it with -DLOCKSTEP_POISON=1, and dispatches with a
  /// Convergence in any case.
  Undefined undefined = LOCKSTEP_POISON ? Undefined::poison : Undefined::computed;

  /// Runs K on a grid of workgroups: device.dispatch<K>({groups}, arguments for K's members in
  /// order).
  ///
  /// Arrays (std::vector, std::span, ...) become the kernel's Buffers and must outlive the call;
  /// other arguments are copied into every subgroup, as push constants. A temporary array becomes a
  /// Buffer of const elements only. Numbers take on their member's type, but floats become no
  /// integers. K is compiled for each width
  /// of an ascending list and runs at the narrowest that holds subgroup_size: `dispatch<K, 8, 32>`
  /// compiles two, `dispatch<K>` the widths of LOCKSTEP_WIDTHS, by default 128 alone, which runs every size.
  ///
  /// Requires      Kernels with races have no defined result; all others give the same one on any
  ///               number of threads.
  /// Active lanes  As for the device.
  /// Errors        Throws Error: no width of the list holds the subgroup size, an array has more
  ///               than 2^32 - 1 elements, two arrays overlap without being the same and one is
  ///               written, they are the same and one is a Summed's, an integer is not one of its member's type, a Barriers
  ///               main() is not a coroutine, some invocation does not reach a barrier, a loop exceeds
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
    return judged(detail::RunOf<decltype(workgroups), A...>::at_first_width(
        subgroup_size,
        [&]<int W>(FaultLog& found) { return run_on<K, W>(found, workgroups, arguments...); }));
  }

  /// Runs K as dispatch does, and checks it for the rules in `checks`, or for all if there are none:
  /// device.dispatch_checked<K>({groups}, arguments...). It is in <lockstep/checked.hpp>.
  ///
  /// Requires      As dispatch. Only a kernel that is dispatched this way is compiled for it, once more for each
  ///               width.
  /// Active lanes  As dispatch.
  /// Errors        As dispatch; a finding that is an error ends the run with a FaultError, or is with Faults::counted
  ///               in the result. Error for rules that kernels in C++ cannot be checked for.
  /// Cost          docs/performance.md
  /// Spec          None.
  /// Example       tests/checked/machine.cpp
  template <template <class> class K, int... Widths, class Default = detail::DefaultWidths,
            class... A>
  FaultLog dispatch_checked(
      detail::WorkgroupsFor<CheckedMachine, K, detail::WidthsOf<Default, Widths...>> workgroups,
      A&&... arguments) const {
    return judged_if_not_allowed(detail::RunOf<decltype(workgroups), A...>::at_first_width(
        subgroup_size, [&]<int W>(FaultLog& found) {
          return run_checked_on<K, W>(found, workgroups, arguments...);
        }));
  }

  /// The same under another rule of convergence, with a chooser and observers.
  template <template <class> class K, int... Widths, class Default = detail::DefaultWidths,
            class... A>
  FaultLog dispatch_checked(
      const Convergence& convergence,
      detail::WorkgroupsFor<CheckedTangledMachine, K, detail::WidthsOf<Default, Widths...>>
          workgroups,
      A&&... arguments) const {
    return judged_if_not_allowed(detail::RunOf<decltype(workgroups), A...>::at_first_width(
        subgroup_size, [&]<int W>(FaultLog& found) {
          return run_checked_on<K, W>(found, convergence, workgroups, arguments...);
        }));
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
    return judged(detail::RunOf<decltype(width), A...>::at_first_width(
        subgroup_size, [&]<int W>(FaultLog& found) {
          return run_pixels_on<K, W>(found, width, height, arguments...);
        }));
  }

  /// Runs K under another rule of convergence, with a chooser and an observer, on one thread and in
  /// a fixed order: device.dispatch<K, 32>(convergence, {groups}, arguments...).
  ///
  /// Requires      As above. The rule `core` does not see plain C++ branches that differ between
  ///               subgroups: use If.
  /// Active lanes  As above.
  /// Errors        As above, and errors of ReconvergenceStack, SubgroupValue and the chooser.
  /// Cost          Tens to hundreds of times the plain dispatch.
  /// Spec          vkCmdDispatch
  /// Example       kernels/allocate_broken
  template <template <class> class K, int... Widths, class Default = detail::DefaultWidths,
            class... A>
  FaultLog dispatch(
      const Convergence& convergence,
      detail::WorkgroupsFor<TangledMachine, K, detail::WidthsOf<Default, Widths...>> workgroups,
      A&&... arguments) const {
    return judged(detail::RunOf<decltype(workgroups), A...>::at_first_width(
        subgroup_size, [&]<int W>(FaultLog& found) {
          return run_tangled_on<K, W>(found, convergence, workgroups, arguments...);
        }));
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
    return judged(detail::RunOf<decltype(width), A...>::at_first_width(
        subgroup_size, [&]<int W>(FaultLog& found) {
          return run_tangled_pixels_on<K, W>(found, convergence, width, height, arguments...);
        }));
  }

  /// Runs K as dispatch_pixels does, and checks it as dispatch_checked: device.dispatch_pixels_checked<K>(width,
  /// height, arguments...). It is in <lockstep/checked.hpp>.
  ///
  /// Requires      As both.
  /// Active lanes  As dispatch_pixels. Stores of helpers are not findings.
  /// Errors        As both.
  /// Cost          As a checked dispatch under another rule.
  /// Spec          Vulkan fragment shader
  /// Example       tests/checked/pixels.cpp
  template <template <class> class K, int... Widths, class Default = detail::DefaultWidths,
            class... A>
  FaultLog dispatch_pixels_checked(
      detail::ImageWidthFor<CheckedPixelMachine, K, detail::WidthsOf<Default, Widths...>> width,
      std::uint32_t height, A&&... arguments) const {
    return judged_if_not_allowed(detail::RunOf<decltype(width), A...>::at_first_width(
        subgroup_size, [&]<int W>(FaultLog& found) {
          return run_checked_pixels_on<K, W>(found, Convergence(), width, height, arguments...);
        }));
  }
  /// The same under another rule of convergence, with a chooser and observers.
  template <template <class> class K, int... Widths, class Default = detail::DefaultWidths,
            class... A>
  FaultLog dispatch_pixels_checked(
      const Convergence& convergence,
      detail::ImageWidthFor<CheckedPixelMachine, K, detail::WidthsOf<Default, Widths...>> width,
      std::uint32_t height, A&&... arguments) const {
    return judged_if_not_allowed(detail::RunOf<decltype(width), A...>::at_first_width(
        subgroup_size, [&]<int W>(FaultLog& found) {
          return run_checked_pixels_on<K, W>(found, convergence, width, height, arguments...);
        }));
  }

 private:
  /// The result of a dispatch with these faults.
  FaultLog judged(FaultLog found) const {
    if (faults == Faults::thrown && found.count() != 0 && has_errors(found)) fail::faults(found);
    return found;
  }
  /// The same without what comments in the source allow.
  FaultLog judged_if_not_allowed(FaultLog found) const {
    found.remove_suppressed();
    return judged(std::move(found));
  }

  template <template <class> class K, int W, class... A>
  bool run_on(FaultLog& found, Size3 workgroups, A&... arguments) const {
    if (subgroup_size > W) return false;
    using S = FastMachine<W, detail::KernelName<K>>;
    fail::unless_checkable("dispatch", checks, basic_checks());
    check<K, S, A...>(workgroups, K<S>::local_size, false);
    const detail::Grid<W> grid = make_grid<W>(workgroups, K<S>::local_size);
    found = run_grid<K, S>(grid, arguments...);
    return true;
  }

  template <template <class> class K, int W, class... A>
  bool run_checked_on(FaultLog& found, Size3 workgroups, A&... arguments) const {
    if (subgroup_size > W) return false;
    using S = CheckedMachine<W, detail::KernelName<K>>;
    const Checks wanted = kernel_checks_wanted();
    if (Checker::needed_for(wanted))
      return run_checked_on<K, W>(found, Convergence(), workgroups, arguments...);
    check<K, S, A...>(workgroups, K<S>::local_size, false);
    found = run_grid<K, S>(make_grid<W>(workgroups, K<S>::local_size, wanted), arguments...);
    return true;
  }
  template <template <class> class K, int W, class... A>
  bool run_checked_on(FaultLog& found, const Convergence& convergence, Size3 workgroups,
                      A&... arguments) const {
    if (subgroup_size > W) return false;
    using S = CheckedTangledMachine<W, detail::KernelName<K>>;
    check<K, S, A...>(workgroups, K<S>::local_size, false);
    found =
        run_tangled_grid<K, S>(make_grid<W>(workgroups, K<S>::local_size, kernel_checks_wanted()),
                               convergence, arguments...);
    return true;
  }
  /// The rules that a checked dispatch checks for.
  Checks kernel_checks_wanted() const {
    if (!checks.any() || checks == Checks::all()) return kernel_checks();
    fail::unless_checkable("dispatch_checked", checks, kernel_checks());
    return checks;
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
  detail::Grid<W> make_grid(Size3 workgroups, Size3 local_size, Checks wanted = {}) const {
    detail::Grid<W> grid(workgroups, local_size, subgroup_size, mapping);
    grid.checks = wanted.any() ? wanted : checks;
    grid.order = order;
    grid.max_trips = max_trips;
    grid.lenient = lenient;
    grid.undefined = undefined;
    grid.max_shared_bytes = profile.max_compute_shared_memory_size;
    return grid;
  }

  /// Checks what the compiler cannot.
  template <template <class> class K, class S, class... A>
  static void check_kernel(A&... arguments) {
    const std::string_view name = kernel_name(detail::pretty_kernel<K>());
    if constexpr (std::same_as<decltype(std::declval<K<S>&>().main()), Barriers>) {
      if (!detail::has_coroutine<K<S>>) fail::no_coroutine(name);
    }
    detail::check_arguments<K<S>, S>(name, arguments...);
  }

  template <template <class> class K, class S, class... A>
  FaultLog run_grid(const detail::Grid<S::width>& grid, A&... arguments) const {
    if constexpr (!LOCKSTEP_POISON && std::same_as<typename S::Numbers, PlainNumbers>)
      if (undefined == Undefined::poison) fail::poison();
    check_kernel<K, S>(arguments...);
    const int most_threads = deterministic ? 1 : threads;
    const auto make = [&arguments...](const detail::SubgroupSetup<S>& setup)
        __attribute__((always_inline)) {
      return detail::make_kernel<K<S>, S>(setup, std::index_sequence_for<A...>{}, arguments...);
    };
    const auto summed = detail::summed_arrays<K<S>, S>(arguments...);
    auto body = [&](std::size_t begin, std::size_t end) {
      return detail::Runner<K<S>, S, decltype(make)>(grid, make, summed)
          .run(begin, end, most_threads == 1);
    };
    return parallel_ranges(
        grid.count(), most_threads,
        [](void* context, std::size_t begin, std::size_t end) {
          return (*static_cast<decltype(body)*>(context))(begin, end);
        },
        &body, progress);
  }

  template <template <class> class K, int W, class... A>
  bool run_tangled_on(FaultLog& found, const Convergence& convergence, Size3 workgroups,
                      A&... arguments) const {
    if (subgroup_size > W) return false;
    using S = TangledMachine<W, detail::KernelName<K>>;
    fail::unless_checkable("dispatch with a Convergence", checks,
                           basic_checks() | Checker::rules());
    check<K, S, A...>(workgroups, K<S>::local_size, false);
    found = run_tangled_grid<K, S>(make_grid<W>(workgroups, K<S>::local_size), convergence,
                                   arguments...);
    return true;
  }

  template <template <class> class K, class S, class... A>
  FaultLog run_tangled_grid(const detail::Grid<S::width>& grid, const Convergence& convergence,
                            A&... arguments) const {
    check_kernel<K, S>(arguments...);
    auto make = [&arguments...](const detail::SubgroupSetup<S>& setup) {
      return detail::make_kernel<K<S>, S>(setup, std::index_sequence_for<A...>{}, arguments...);
    };
    CheckedConvergence checked(grid.checks, subgroup_size, &convergence);
    try {
      FaultLog found = detail::TangledRunner<K<S>, S, decltype(make)>(grid, *checked.get(), make)
                           .run(grid.count());
      checked.add_to(found);
      return found;
    } catch (FindingError& error) {
      checked.add_to(error);
      throw;
    }
  }

  template <template <class> class K, int W, class... A>
  bool run_pixels_on(FaultLog& found, std::uint32_t width, std::uint32_t height,
                     A&... arguments) const {
    if (subgroup_size > W) return false;
    using S = PixelMachine<W, detail::KernelName<K>>;
    fail::unless_checkable("dispatch_pixels", checks, basic_checks());
    found = run_grid<K, S>(make_pixel_grid<K, S, A...>(width, height), arguments...);
    return true;
  }

  template <template <class> class K, int W, class... A>
  bool run_tangled_pixels_on(FaultLog& found, const Convergence& convergence, std::uint32_t width,
                             std::uint32_t height, A&... arguments) const {
    if (subgroup_size > W) return false;
    using S = TangledPixelMachine<W, detail::KernelName<K>>;
    fail::unless_checkable("dispatch_pixels with a Convergence", checks,
                           basic_checks() | Checker::rules());
    if (convergence.rule == Rule::core)
      fail::pixels_under_core(kernel_name(detail::pretty_kernel<K>()));
    found = run_tangled_grid<K, S>(make_pixel_grid<K, S, A...>(width, height), convergence,
                                   arguments...);
    return true;
  }

  template <template <class> class K, int W, class... A>
  bool run_checked_pixels_on(FaultLog& found, const Convergence& convergence, std::uint32_t width,
                             std::uint32_t height, A&... arguments) const {
    if (subgroup_size > W) return false;
    using S = CheckedPixelMachine<W, detail::KernelName<K>>;
    if (convergence.rule == Rule::core)
      fail::pixels_under_core(kernel_name(detail::pretty_kernel<K>()));
    found =
        run_tangled_grid<K, S>(make_pixel_grid<K, S, A...>(width, height, kernel_checks_wanted()),
                               convergence, arguments...);
    return true;
  }

  /// The grid of a dispatch on pixels, each subgroup a workgroup of its own; checked.
  template <template <class> class K, class S, class... A>
  detail::Grid<S::width> make_pixel_grid(std::uint32_t width, std::uint32_t height,
                                         Checks wanted = {}) const {
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
    detail::Grid<S::width> grid = make_grid<S::width>(subgroups, local_size, wanted);
    grid.area = area;
    return grid;
  }
};

}  // namespace lockstep::inline LOCKSTEP_ABI
