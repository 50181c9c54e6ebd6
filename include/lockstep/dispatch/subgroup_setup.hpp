#pragma once

#include <vector>

#include <lockstep/dispatch/detail/subgroup_masks.hpp>
#include <lockstep/dispatch/mapping.hpp>
#include <lockstep/dispatch/workgroup_order.hpp>
#include <lockstep/exec/checks.hpp>
#include <lockstep/exec/endless_loop.hpp>
#include <lockstep/exec/machine.hpp>
#include <lockstep/exec/undefined.hpp>
#include <lockstep/lanes/ballot.hpp>
#include <lockstep/workgroup/detail/barrier_frames.hpp>
#include <lockstep/workgroup/location.hpp>

namespace lockstep::inline LOCKSTEP_ABI::detail {

/// The masks of gl_SubgroupEqMask and the others, computed once per dispatch.
template <int W>
struct SubgroupMasks {
  explicit SubgroupMasks(int size)
      : eq(of(size, LanesAt::same)),
        ge(of(size, LanesAt::same_or_above)),
        gt(of(size, LanesAt::above)),
        le(of(size, LanesAt::same_or_below)),
        lt(of(size, LanesAt::below)) {}

  BallotLanes<W> eq, ge, gt, le, lt;

 private:
  // Not subgroup_eq_mask() and the others: compiled in every user's source, they took a tenth of its time.
  static BallotLanes<W> of(int size, LanesAt at) {
    constexpr int P = Lanes<std::uint32_t, W>::physical;
    alignas(64) std::uint32_t words[4 * P];
    write_subgroup_masks(at, size, P, words);
    const auto part = [&](int k) {
      return Lanes<std::uint32_t, W>(load_packs<std::uint32_t, P>(words + k * P));
    };
    return {part(0), part(1), part(2), part(3)};
  }
};

/// The pixels of a dispatch_pixels: subgroups take quads of 2x2, row by row.
struct PixelArea {
  std::uint32_t width = 0, height = 0;
  std::uint32_t quads_wide = 0;
  std::uint32_t quads = 0;
  std::uint32_t quads_each = 0;  ///< per subgroup
};

/// Data that is the same for all subgroups of a dispatch.
template <int W>
struct Grid {
  using Uint = Lanes<std::uint32_t, W>;

  Grid(Size3 workgroups, Size3 local, int subgroup_size, const Mapping& mapping = {})
      : num_workgroups(workgroups),
        local_size(local),
        size(subgroup_size),
        invocations(local.x * local.y * local.z),
        num_subgroups(subgroup_count(mapping, invocations, size)),
        masks(subgroup_size),
        lanes_(Mask<W>::first_n(size)),
        lanes_of_last_(Mask<W>::first_n(static_cast<int>(
            invocations - (num_subgroups - 1) * static_cast<std::uint32_t>(size)))) {
    if (!mapping.is_linear()) make_table(mapping);
    mapped_ = !table_.empty();
    plain_ = !mapped_ && local.y == 1 && local.z == 1;
  }

  /// The number of workgroups.
  std::size_t count() const {
    return std::size_t{num_workgroups.x} * num_workgroups.y * num_workgroups.z;
  }
  /// The id of the workgroup that starts as number `position`.
  Size3 workgroup(std::size_t position) const {
    const auto index = order == WorkgroupOrder()
                           ? position
                           : static_cast<std::size_t>(order.at(position, count()));
    const std::size_t rows = index / num_workgroups.x;
    return {static_cast<std::uint32_t>(index % num_workgroups.x),
            static_cast<std::uint32_t>(rows % num_workgroups.y),
            static_cast<std::uint32_t>(rows / num_workgroups.y)};
  }
  /// The id of the workgroup after `id`, which starts as number `position`.
  LOCKSTEP_INLINE void advance(Size3& id, std::size_t position) const {
    if (order != WorkgroupOrder()) [[unlikely]]
      return advance_in_order(id, position);
    if (++id.x < num_workgroups.x) return;
    id.x = 0;
    if (++id.y < num_workgroups.y) return;
    id.y = 0;
    ++id.z;
  }
  /// gl_LocalInvocationIndex of a subgroup.
  LOCKSTEP_INLINE Uint local_index(std::uint32_t subgroup) const {
    if (mapped_) [[unlikely]]
      return table_[subgroup].index;
    return index_in_order(subgroup);
  }
  /// Whether invocations are in one row and lanes in their order, as usual.
  bool is_plain() const { return plain_; }
  /// The same for lanes in the order of invocations.
  LOCKSTEP_INLINE Uint index_in_order(std::uint32_t subgroup) const {
    return Uint(subgroup * static_cast<std::uint32_t>(size)) + Uint::iota();
  }
  /// The lanes of a subgroup with an invocation: all, except in a partial one.
  Mask<W> lanes(std::uint32_t subgroup) const {
    if (mapped_) [[unlikely]]
      return table_[subgroup].lanes;
    return subgroup + 1 == num_subgroups ? lanes_of_last_ : lanes_;
  }

  Size3 num_workgroups;
  Size3 local_size;
  int size;
  std::uint32_t invocations;    ///< of a workgroup
  std::uint32_t num_subgroups;  ///< of a workgroup
  SubgroupMasks<W> masks;
  std::uint64_t max_trips = default_max_trips;  ///< of a loop
  std::uint64_t max_shared_bytes = ~std::uint64_t{0};
  Lenient lenient;
  Undefined undefined = Undefined::computed;
  Checks checks;         ///< of a checked machine
  WorkgroupOrder order;  ///< in which workgroups start
  PixelArea area;

  /// A note that an endless loop may wait for workgroups that start after number `position`; nothing if there are none.
  FaultLog not_begun(const EndlessLoop& loop, std::size_t position) const {
    const std::size_t later = count() - 1 - position;
    return later == 0 ? FaultLog() : lockstep::not_begun(loop, later, workgroup(position + 1));
  }
  /// The position of a workgroup.
  std::size_t position_of(const Size3& id) const {
    std::size_t position = 0;
    while (!(workgroup(position) == id)) ++position;
    return position;
  }

 private:
  [[gnu::cold, gnu::noinline]] void advance_in_order(Size3& id, std::size_t position) const {
    if (position < count()) id = workgroup(position);
  }

  /// One subgroup where the mapping is not linear.
  struct Mapped {
    Uint index;
    Mask<W> lanes;
  };

  [[gnu::cold, gnu::noinline]] void make_table(const Mapping& mapping) {
    const std::vector<std::uint32_t> all = lockstep::invocations(mapping, local_size, size);
    table_.reserve(num_subgroups);
    for (std::size_t first = 0; first < all.size(); first += static_cast<std::size_t>(size)) {
      Mask<W> lanes = Mask<W>::none();
      for (int i = 0; i < size; ++i) {
        if (all[first + static_cast<std::size_t>(i)] != no_invocation)
          lanes = lanes | Mask<W>::lane(i);
      }
      const Uint index = Uint::generate([&](int i) {
        return i < size && lanes.test(i) ? all[first + static_cast<std::size_t>(i)] : 0;
      });
      table_.push_back({index, lanes});
    }
  }

  Mask<W> lanes_, lanes_of_last_;  ///< of a subgroup, and of the last one, which may be partial
  std::vector<Mapped> table_;
  bool mapped_ = false, plain_ = true;
};

/// The places of the lanes of a subgroup of pixels.
template <int W>
struct PixelPlace {
  using Uint = Lanes<std::uint32_t, W>;

  /// The subgroup's number in the dispatch determines which one it is.
  LOCKSTEP_INLINE PixelPlace(const PixelArea& area, std::uint32_t number)
      : PixelPlace(area, Uint(number * area.quads_each) + Uint::iota() / 4u) {}

  Uint x, y;

 private:
  LOCKSTEP_INLINE PixelPlace(const PixelArea& area, const Uint& quad)
      : x(quad % area.quads_wide * 2u + Uint::iota() % 2u),
        y(quad / area.quads_wide * 2u + Uint::iota() / 2u % 2u) {}
};

/// The start of a subgroup of pixels: the lanes of its quads, and those inside the area.
template <int W>
struct PixelLanes {
  LOCKSTEP_INLINE PixelLanes(const PixelArea& area, std::uint32_t number) {
    const std::uint32_t first = number * area.quads_each;
    const PixelPlace<W> place(area, number);
    active =
        Mask<W>::first_n(static_cast<int>(4 * scalar::min(area.quads_each, area.quads - first)));
    covered = (place.x < area.width).mask() & (place.y < area.height).mask();
  }

  Mask<W> active, covered;
};

/// The start of a subgroup: all lanes with an invocation are active.
template <class S>
LOCKSTEP_INLINE typename S::State start_state(const Grid<S::width>& grid,
                                              const Location& location) {
  constexpr int W = S::width;
  typename S::State state;
  if constexpr (requires { state.covered; }) {
    const PixelLanes<W> lanes(grid.area, location.workgroup.x);
    state.active = lanes.active;
    state.covered = lanes.covered;
  } else {
    state.active = grid.lanes(location.subgroup);
  }
  return state;
}

/// What a thread knows while it runs workgroups with this state: nothing. Machines with numbers of their own overload it.
template <class State, int W>
LOCKSTEP_INLINE int enter_run(const State*, const Grid<W>&, Location&) {
  return 0;
}
/// What a kernel needs to know about its subgroup.
template <class S>
struct SubgroupSetup {
  typename S::State& state;
  Location& location;
  BarrierFrames& frames;
  const Grid<S::width>& grid;
};

}  // namespace lockstep::inline LOCKSTEP_ABI::detail
