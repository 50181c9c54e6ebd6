#pragma once

#include <lockstep/dispatch/detail/needs.hpp>
#include <lockstep/dispatch/error.hpp>
#include <lockstep/dispatch/subgroup_setup.hpp>
#include <lockstep/exec/used.hpp>
#include <lockstep/glsl/block.hpp>
#include <lockstep/glsl/detail/barrier_semantics.hpp>
#include <lockstep/glsl/detail/built_in_calls.hpp>
#include <lockstep/glsl/detail/built_in_members.hpp>
#include <lockstep/glsl/detail/image_on.hpp>
#include <lockstep/glsl/detail/poisoned.hpp>
#include <lockstep/glsl/element_functions.hpp>
#include <lockstep/glsl/functions.hpp>
#include <lockstep/glsl/local_array.hpp>
#include <lockstep/glsl/return_value.hpp>
#include <lockstep/glsl/tangled.hpp>
#include <lockstep/glsl/uniform.hpp>
#include <lockstep/glsl/vec_var.hpp>
#include <lockstep/lanes/detail/rebuild.hpp>
#include <lockstep/subgroup.hpp>
#include <lockstep/workgroup/barrier.hpp>
#include <lockstep/workgroup/scoped_atomics.hpp>
#include <lockstep/workgroup/shared.hpp>
#include <lockstep/workgroup/summed.hpp>

/// \file
/// Kernels in C++ that read like GLSL: derive from Kernel<S>, start with LOCKSTEP_GLSL(S), and
/// write main().

namespace lockstep::inline LOCKSTEP_ABI {

namespace detail {

/// A type's values, also of variables and of results of built-ins: those that can be kept.
template <class A>
struct KeptAs {
  using type = A;
};
template <class A>
requires std::derived_from<A, Lanes<typename A::value_type, A::width>>
struct KeptAs<A> {
  using type = Lanes<typename A::value_type, A::width>;
};
template <class V>
struct KeptAs<CompoundVar<V>> {
  using type = V;
};

/// What Choose gives for values of types A and B: the one that has a value per lane, or a value per lane of what two
/// plain numbers have in common.
template <class S, class A, class B>
struct ChosenOf : KeptAs<std::conditional_t<std::is_arithmetic_v<A>, B, A>> {};
template <class S, class A, class B>
requires(std::is_arithmetic_v<A>&& std::is_arithmetic_v<B>) struct ChosenOf<S, A, B> {
  using type = ValueOn<S, std::common_type_t<A, B>>;
};
template <class S, class A, class B>
using Chosen = typename ChosenOf<S, std::remove_cvref_t<A>, std::remove_cvref_t<B>>::type;

}  // namespace detail

/// The base class of kernels: one subgroup's run on machine S.
///
/// Lower-case control flow is uniform: `if` and `for` take a plain bool. Capitalised keywords act
/// per lane: If, Else, While, For, Break, Continue, Return (glsl/keywords.hpp), or the scopes
/// when(), otherwise() and loop(), change the active mask. A built-in whose result is uniform
/// returns a plain scalar.
///
/// Requires      The kernel is an aggregate: struct K : Kernel<S> { LOCKSTEP_GLSL(S); members;
///               main() } with a static constexpr Size3 local_size. main() returns void, or
///               Barriers if it contains co_await barrier().
/// Active lanes  Each built-in is called with the lanes that are active at the call.
/// Errors        None of its own.
/// Cost          None: main() is compiled into the dispatch's loop, and the masks stay in
///               registers.
/// Spec          GLSL compute shader
/// Example       kernels/prefix_sum
template <class S>
class Kernel {
 public:
  static constexpr int width = S::width;
  using State = typename S::State;
  using Bool = ValueOn<S, bool>;
  using Uint = ValueOn<S, std::uint32_t>;
  using Uvec3 = VecOn<S, std::uint32_t, 3>;

  /// Number of subgroups in the workgroup.
  std::uint32_t gl_NumSubgroups;
  /// The number of this one.
  std::uint32_t gl_SubgroupID;
  /// Lanes of the subgroup, including those without an invocation.
  std::uint32_t gl_SubgroupSize;
  /// Number of workgroups of the dispatch.
  Size3 gl_NumWorkGroups;
  /// Invocations of a workgroup.
  Size3 gl_WorkGroupSize;
  /// The id of this one.
  Size3 gl_WorkGroupID;
  /// Each lane's number in the subgroup.
  Uint gl_SubgroupInvocationID;
  /// Each lane's invocation in the workgroup, as one number.
  Uint gl_LocalInvocationIndex;
  /// Each lane's invocation in the workgroup.
  Uvec3 gl_LocalInvocationID;
  /// Each lane's invocation in the dispatch.
  Uvec3 gl_GlobalInvocationID;
  /// For each lane, one ballot: the lane itself.
  const BallotLanes<width>& gl_SubgroupEqMask;
  /// For each lane, one ballot: itself and the lanes above it.
  const BallotLanes<width>& gl_SubgroupGeMask;
  /// For each lane, one ballot: the lanes above it.
  const BallotLanes<width>& gl_SubgroupGtMask;
  /// For each lane, one ballot: itself and the lanes below it.
  const BallotLanes<width>& gl_SubgroupLeMask;
  /// For each lane, one ballot: the lanes below it.
  const BallotLanes<width>& gl_SubgroupLtMask;

  /// For the dispatch: a kernel for the subgroup and workgroup of the setup's location.
  LOCKSTEP_INLINE Kernel(const detail::SubgroupSetup<S>& setup)
      : gl_NumSubgroups(setup.grid.num_subgroups),
        gl_SubgroupID(setup.location.subgroup),
        gl_SubgroupSize(static_cast<std::uint32_t>(setup.grid.size)),
        gl_NumWorkGroups(setup.grid.num_workgroups),
        gl_WorkGroupSize(setup.grid.local_size),
        gl_WorkGroupID(setup.location.workgroup),
        gl_SubgroupInvocationID(Lanes<std::uint32_t, width>::iota()),
        gl_LocalInvocationIndex(setup.grid.local_index(gl_SubgroupID)),
        gl_LocalInvocationID(local_ids(gl_LocalInvocationIndex, gl_WorkGroupSize)),
        gl_GlobalInvocationID(global_ids(gl_LocalInvocationID, gl_WorkGroupID, gl_WorkGroupSize)),
        gl_SubgroupEqMask(setup.grid.masks.eq),
        gl_SubgroupGeMask(setup.grid.masks.ge),
        gl_SubgroupGtMask(setup.grid.masks.gt),
        gl_SubgroupLeMask(setup.grid.masks.le),
        gl_SubgroupLtMask(setup.grid.masks.lt),
        state_(setup.state),
        location_(setup.location),
        frames_(setup.frames),
        grid_(setup.grid) {}
  Kernel(const Kernel&) = delete;

  /// For the dispatch: takes on the workgroup of the current location; its subgroup comes next.
  LOCKSTEP_INLINE void move_to_workgroup() {
    gl_WorkGroupID = location_.workgroup;
    replace(gl_GlobalInvocationID,
            global_ids(gl_LocalInvocationID, gl_WorkGroupID, gl_WorkGroupSize));
  }
  /// For the dispatch: takes on the subgroup of the current location.
  LOCKSTEP_INLINE void move_to_subgroup() {
    gl_SubgroupID = location_.subgroup;
    if (grid_.is_plain()) {  // y and z do not change, and this runs at every barrier
      Uint index = grid_.index_in_order(gl_SubgroupID);  // const, g++ 12 would keep it in memory
      replace(gl_LocalInvocationIndex, index);
      replace(gl_LocalInvocationID.x, index);
      replace(gl_GlobalInvocationID.x, index + Uint(gl_WorkGroupID.x * gl_WorkGroupSize.x));
    } else {
      move_in_block();
    }
  }
  /// For barriers: the frames of main().
  LOCKSTEP_INLINE detail::BarrierFrames& lockstep_frames() const { return frames_; }
  /// For shared memory: the active lanes.
  LOCKSTEP_INLINE State& lockstep_state() const { return state_; }
  /// For shared memory: the running invocation.
  LOCKSTEP_INLINE Location& lockstep_location() const { return location_; }

  /// For shared memory: what it starts with.
  LOCKSTEP_INLINE Undefined lockstep_undefined() const { return grid_.undefined; }

  /// For shared memory: takes as much of the device's; gives the array's number among the kernel's.
  std::uint32_t lockstep_take_shared(std::uint64_t bytes) {
    shared_bytes_ += bytes;
    if (shared_bytes_ > grid_.max_shared_bytes) fail::shared_memory(grid_.max_shared_bytes);
    return shared_arrays_++;
  }

  /// A variable that starts as `initial` in every lane.
  template <class T>
  LOCKSTEP_INLINE VarOn<S, T> var(const Lanes<T, width>& initial) const {
    return {state_.active, initial};
  }
  template <class T>
  requires(detail::Number<T> || std::same_as<T, bool>) LOCKSTEP_INLINE VarOn<S, T> var(T initial)
  const { return {state_.active, ValueOn<S, T>(initial)}; }
  template <detail::Compound V>
  LOCKSTEP_INLINE CompoundVar<V> var(const V& initial) const {
    return {state_.active, initial};
  }
  template <class V>
  LOCKSTEP_INLINE CompoundVar<V> var(const CompoundVar<V>& initial) const {
    return {state_.active, initial};
  }
  template <detail::ElementArgument E>
  LOCKSTEP_INLINE auto var(E&& element) const {
    return var(detail::argument(static_cast<E&&>(element)));
  }

  /// A variable with one value for the subgroup, written only where all its lanes are active.
  template <class T>
  requires(detail::Number<T> || std::same_as<T, bool>) LOCKSTEP_INLINE Uniform<State, T> uniform(
      T initial, SourceLocation where = SourceLocation::current())
  const { return {state_, initial, where}; }

  /// The active lanes.
  LOCKSTEP_INLINE Mask<width> active_lanes() const { return state_.active; }

  /// The lanes where a condition of control flow holds.
  LOCKSTEP_INLINE Mask<width> lanes_where(const Bool& condition,
                                          SourceLocation where = SourceLocation::current()) const {
    return used(state_, condition, where, UseKind::condition).mask();
  }
  /// A selection: `if (auto in = when(condition)) { ... }` runs for the lanes where it holds.
  LOCKSTEP_INLINE exec::IfScope<State> when(const Bool& condition,
                                            SourceLocation where = SourceLocation::current()) {
    return {state_, lanes_where(condition, where), where};
  }
  /// Its other side: `if (auto in = otherwise()) { ... }` directly after the if's block.
  LOCKSTEP_INLINE exec::ElseScope<State> otherwise() { return exec::ElseScope<State>(state_); }
  /// For keywords: the same with the body as a loop of one iteration.
  LOCKSTEP_INLINE exec::Body<exec::IfScope<State>> if_body(
      const Bool& condition, SourceLocation where = SourceLocation::current()) {
    return {when(condition, where), where};
  }
  /// The other side of a selection, as the keyword Else opens it.
  LOCKSTEP_INLINE exec::Body<exec::ElseScope<State>> else_body(
      SourceLocation where = SourceLocation::current()) {
    return {otherwise(), where};
  }
  /// A loop: `for (auto l = loop(); l.again(condition); l.next()) { ... }`.
  LOCKSTEP_INLINE exec::LoopScope<State> loop(SourceLocation where = SourceLocation::current()) {
    return exec::LoopScope<State>(state_, where, grid_.max_trips);
  }
  /// For keywords: a loop whose test comes last.
  LOCKSTEP_INLINE exec::DoScope<State> do_loop(SourceLocation where = SourceLocation::current()) {
    return exec::DoScope<State>(state_, where, grid_.max_trips);
  }
  /// A switch: `for (auto s = switch_on(value); s.again();) { if (auto c = s.match(...)) ... }`.
  template <class T>
  LOCKSTEP_INLINE exec::SwitchScope<State, detail::Plain<T>> switch_on(
      const Lanes<T, width>& value, SourceLocation where = SourceLocation::current()) {
    return {state_, used(state_, value, where, UseKind::selector), where};
  }
  template <detail::ElementArgument E>
  LOCKSTEP_INLINE auto switch_on(E&& element, SourceLocation where = SourceLocation::current()) {
    return switch_on(detail::argument(static_cast<E&&>(element)), where);
  }
  /// A function: lanes that return before its end wait for the others until this object is destroyed.
  LOCKSTEP_INLINE exec::CallScope<State> function(
      SourceLocation where = SourceLocation::current()) {
    return exec::CallScope<State>(state_, where);
  }
  /// A function that lanes leave early with values of type V, a number or vector per lane.
  template <class V>
  LOCKSTEP_INLINE auto function_of(SourceLocation where = SourceLocation::current()) {
    using Variable = decltype(var(std::declval<const V&>()));
    return ValueFunction<State, V, Variable>(state_, V(detail::Plain<typename V::value_type>(0)),
                                             where);
  }
  /// The active lanes leave it with these values.
  template <class F, class A>
  requires requires(F& function, A&& value, SourceLocation where) {
    function.leave_with(static_cast<A&&>(value), where);
  }
  LOCKSTEP_INLINE auto return_value(F& function, A&& value,
                                    SourceLocation where = SourceLocation::current()) {
    return function.leave_with(static_cast<A&&>(value), where);
  }
  template <class A>
  __attribute__((unavailable(
      "ReturnValue leaves a function whose first statement is FunctionOf (Type);"))) void
  return_value(const exec::Outside&, A&&) {}
  template <class A>
  __attribute__((unavailable(
      "ReturnValue leaves a function whose first statement is FunctionOf (Type);"))) void
  return_value(exec::CallScope<State>&, A&&) {}
  /// The active lanes leave the innermost loop or switch.
  LOCKSTEP_INLINE void leave_loop(SourceLocation where = SourceLocation::current()) {
    exec::leave_loop(state_, where);
  }
  /// The active lanes go to the innermost loop's next iteration.
  LOCKSTEP_INLINE void next_trip(SourceLocation where = SourceLocation::current()) {
    exec::leave_trip(state_, where);
  }
  /// The active lanes leave the innermost function, or end the kernel.
  LOCKSTEP_INLINE void leave_function(SourceLocation where = SourceLocation::current()) {
    exec::retire(state_, where);
  }

  /// GLSL's a && b: `b` is a function that runs for the lanes where a is true.
  template <class F>
  LOCKSTEP_INLINE Bool and_also(const Bool& a, F&& b,
                                SourceLocation where = SourceLocation::current()) {
    auto result = var(false);
    if (auto in = when(a, where)) result = b();
    return result;
  }
  /// GLSL's a || b: `b` is a function that runs for the lanes where a is false.
  template <class F>
  LOCKSTEP_INLINE Bool or_else(const Bool& a, F&& b,
                               SourceLocation where = SourceLocation::current()) {
    auto result = var(true);
    if (auto in = when(!a, where)) result = b();
    return result;
  }
  /// GLSL's c ? a : b with functions that run only for the lanes that need their values.
  template <class F, class G>
  LOCKSTEP_INLINE auto choose(const Bool& condition, F&& a, G&& b,
                              SourceLocation where = SourceLocation::current()) {
    using V = detail::Chosen<S, decltype(detail::argument(a())), decltype(detail::argument(b()))>;
    auto result = var(V(detail::Plain<typename V::value_type>(0)));
    if (auto in = when(condition, where)) result = a();
    if (auto in = otherwise()) result = b();
    return V(result);
  }

  /// `co_await barrier()`: no invocation of the workgroup continues before all have arrived, and
  /// all of them then see all writes to shared memory and buffers.
  detail::BarrierPoint barrier(CallSite where = CallSite::current()) const {
    // Not two overloads with constraints: after another error g++ 12 calls those ambiguous.
    static_assert(!PixelsOn<S>, "barrier() waits for a workgroup, and pixels have none");
    return stop_at(detail::acquire_release<Scope::workgroup>(memory_semantics::shared), where);
  }
  /// Lanes of a subgroup run in lockstep and see each other's writes at once: there is nothing to
  /// do.
  LOCKSTEP_INLINE void subgroupBarrier(SourceLocation where = SourceLocation::current()) const {
    tell({Scope::subgroup, detail::acquire_release<Scope::subgroup>(detail::all_memory)}, where);
  }
  /// As subgroupBarrier, without waiting.
  LOCKSTEP_INLINE void subgroupMemoryBarrier(
      SourceLocation where = SourceLocation::current()) const {
    order(detail::acquire_release<Scope::subgroup>(detail::all_memory), where);
  }
  /// As subgroupMemoryBarrier, for buffers.
  LOCKSTEP_INLINE void subgroupMemoryBarrierBuffer(
      SourceLocation where = SourceLocation::current()) const {
    order(detail::acquire_release<Scope::subgroup>(memory_semantics::buffers), where);
  }
  /// As subgroupMemoryBarrier, for shared memory.
  LOCKSTEP_INLINE void subgroupMemoryBarrierShared(
      SourceLocation where = SourceLocation::current()) const {
    order(detail::acquire_release<Scope::subgroup>(memory_semantics::shared), where);
  }
  /// As subgroupMemoryBarrier, for images.
  LOCKSTEP_INLINE void subgroupMemoryBarrierImage(
      SourceLocation where = SourceLocation::current()) const {
    order(detail::acquire_release<Scope::subgroup>(memory_semantics::images), where);
  }
  /// Orders this subgroup's accesses to all memory as other workgroups see them.
  LOCKSTEP_INLINE void memoryBarrier(SourceLocation where = SourceLocation::current()) const {
    order(detail::acquire_release<Scope::device>(detail::all_memory), where);
  }
  /// Orders this subgroup's accesses to buffers as other workgroups see them.
  LOCKSTEP_INLINE void memoryBarrierBuffer(SourceLocation where = SourceLocation::current()) const {
    order(detail::acquire_release<Scope::device>(memory_semantics::buffers), where);
  }
  /// Orders this subgroup's accesses to images as other workgroups see them.
  LOCKSTEP_INLINE void memoryBarrierImage(SourceLocation where = SourceLocation::current()) const {
    order(detail::acquire_release<Scope::device>(memory_semantics::images), where);
  }
  /// A workgroup runs on one thread: its shared memory needs no fence.
  LOCKSTEP_INLINE void memoryBarrierShared(SourceLocation where = SourceLocation::current()) const {
    order(detail::acquire_release<Scope::device>(memory_semantics::shared), where);
  }
  /// As memoryBarrierShared, for all memory the workgroup shares.
  LOCKSTEP_INLINE void groupMemoryBarrier(SourceLocation where = SourceLocation::current()) const {
    order(detail::acquire_release<Scope::workgroup>(detail::all_memory), where);
  }
  /// memoryBarrier with a scope: a fence where it orders memory for other workgroups, otherwise nothing.
  template <int Memory, int Storage, int Bits>
  LOCKSTEP_INLINE void memoryBarrier(ScopeConstant<Memory>, StorageConstant<Storage>,
                                     SemanticsConstant<Bits>,
                                     SourceLocation where = SourceLocation::current()) const {
    detail::check_barrier_semantics<Storage, Bits, true>();
    order(detail::scoped_order<Memory, Storage, Bits>(), where);
  }
  /// `co_await controlBarrier(gl_ScopeWorkgroup, ...)`: as barrier(), with the given memory order.
  template <int Memory, int Storage, int Bits>
  LOCKSTEP_INLINE detail::BarrierPoint controlBarrier(ScopeConstant<2>, ScopeConstant<Memory>,
                                                      StorageConstant<Storage>,
                                                      SemanticsConstant<Bits>,
                                                      CallSite where = CallSite::current()) const {
    detail::check_barrier_semantics<Storage, Bits, false>();
    detail::fence(detail::scoped_order<Memory, Storage, Bits>());
    return stop_at(detail::scoped_order<Memory, Storage, Bits>(), where);
  }
  /// controlBarrier(gl_ScopeSubgroup, ...): as subgroupBarrier(), with the given memory order.
  template <int Memory, int Storage, int Bits>
  LOCKSTEP_INLINE void controlBarrier(ScopeConstant<3>, ScopeConstant<Memory>,
                                      StorageConstant<Storage>, SemanticsConstant<Bits>,
                                      SourceLocation where = SourceLocation::current()) const {
    detail::check_barrier_semantics<Storage, Bits, false>();
    detail::fence(detail::scoped_order<Memory, Storage, Bits>());
    tell({Scope::subgroup, detail::scoped_order<Memory, Storage, Bits>()}, where);
  }

#define LOCKSTEP_CALL_plain(name) \
  ::lockstep::built_in::name {}
#define LOCKSTEP_CALL_sized(name) \
  ::lockstep::built_in::name { static_cast<int>(gl_SubgroupSize) }
#define LOCKSTEP_ROW(name, family, types, operation, op, form, size, ...)   \
  LOCKSTEP_MEMBER(name, LOCKSTEP_ARGUMENTS_OF_##form, LOCKSTEP_CALL_##size, \
                  detail::features_of_family(spec::Family::family))
  LOCKSTEP_BUILT_INS(LOCKSTEP_ROW, LOCKSTEP_ROW)
#undef LOCKSTEP_ROW
#define LOCKSTEP_ROW(name) \
  LOCKSTEP_MEMBER(name, 1, LOCKSTEP_CALL_plain, Features(detail::needs_derivatives))
  LOCKSTEP_DERIVATIVES(LOCKSTEP_ROW)
#undef LOCKSTEP_ROW
#undef LOCKSTEP_CALL_sized
#undef LOCKSTEP_CALL_plain

 protected:
  /// For kernels in other vocabularies: calls f(active lanes, arguments), once per tangle. `used`
  /// are the bits of the Features that it needs.
  template <std::uint64_t used = 0, class F, class... A>
  LOCKSTEP_INLINE auto built_in(F f, [[maybe_unused]] const char* name,
                                [[maybe_unused]] SourceLocation where,
                                const A&... arguments) const {
    static_assert(!(std::is_floating_point_v<A> || ...),
                  "numbers of lanes, distances and sizes of clusters are unsigned integers");
    detail::note_use<S, (used | ... | detail::features_of_argument<A>().bits)>();
    if constexpr (!std::same_as<typename S::Numbers, PlainNumbers>)
      return call_built_in(state_, name, where, f, arguments...);
    else if constexpr (S::tangled)
      return detail::call_per_tangle(state_, name, where, poisoning(f), arguments...);
    else
      return poisoning(f)(state_.active, arguments...);
  }

 private:
  /// The built-in with what becomes of undefined results. In other vocabularies some functions are none of the table.
  template <class F>
  LOCKSTEP_INLINE auto poisoning(const F& f) const {
    if constexpr ((LOCKSTEP_POISON || S::tangled) && requires { F::id; })
      return detail::Poisoning<F>{f, grid_.undefined == Undefined::poison};
    else
      return f;
  }

  LOCKSTEP_INLINE static Uvec3 local_ids(const Uint& index, Size3 size) {
    if (is_row(size)) return Uvec3(index, Uint(0u), Uint(0u));
    return Uvec3(index % size.x, index / size.x % size.y, index / (size.x * size.y));
  }
  LOCKSTEP_INLINE static Uvec3 global_ids(const Uvec3& local, Size3 group, Size3 size) {
    return Uvec3(local.x + Uint(group.x * size.x), local.y + Uint(group.y * size.y),
                 local.z + Uint(group.z * size.z));
  }

  [[gnu::noinline]] void move_in_block() {
    replace(gl_LocalInvocationIndex, grid_.local_index(gl_SubgroupID));
    replace(gl_LocalInvocationID, local_ids(gl_LocalInvocationIndex, gl_WorkGroupSize));
    replace(gl_GlobalInvocationID,
            global_ids(gl_LocalInvocationID, gl_WorkGroupID, gl_WorkGroupSize));
  }

  // Built-in variables change as a whole, regardless of the active mask.
  template <class V>
  LOCKSTEP_INLINE static void replace(V& variable, const std::type_identity_t<V>& value) {
    detail::rebuild(&variable, value);
  }
  LOCKSTEP_INLINE static bool is_row(Size3 size) { return size.y == 1 && size.z == 1; }

  LOCKSTEP_INLINE void order(const MemoryOrder& memory, SourceLocation where) const {
    detail::fence(memory);
    tell({std::nullopt, memory}, where);
  }
  LOCKSTEP_INLINE void tell([[maybe_unused]] const Sync& sync,
                            [[maybe_unused]] SourceLocation where) const {
    if constexpr (S::tangled) {
      exec::settle(state_);
      tell_sync(*state_.stack, where, sync);
    }
  }
  detail::BarrierPoint stop_at([[maybe_unused]] const MemoryOrder& memory, CallSite where) const {
    if constexpr (S::tangled) frames_.note_sync({Scope::workgroup, memory});
    return {where};
  }

  State& state_;
  Location& location_;
  detail::BarrierFrames& frames_;
  const detail::Grid<width>& grid_;
  std::uint64_t shared_bytes_ = 0;
  std::uint32_t shared_arrays_ = 0;
};

}  // namespace lockstep::inline LOCKSTEP_ABI

#define LOCKSTEP_USING(name, ...) using LockstepBase::name;
#define LOCKSTEP_KERNEL_CONSTANT(name, type, value) static constexpr auto name = ::lockstep::name;

/// Common names of kernels in every vocabulary: types, built-in variables, control flow, barriers.
/// C++ does not look into a base that depends on S by itself. Its template parameters have names that no kernel's has.
#define LOCKSTEP_KERNEL(S)                                                                   \
  using LockstepBase = ::lockstep::Kernel<S>;                                                \
  using uint = std::uint32_t;                                                                \
  using Bool = ::lockstep::ValueOn<S, bool>;                                                 \
  using Int = ::lockstep::ValueOn<S, std::int32_t>;                                          \
  using Uint = ::lockstep::ValueOn<S, std::uint32_t>;                                        \
  using Int64 = ::lockstep::ValueOn<S, std::int64_t>;                                        \
  using Uint64 = ::lockstep::ValueOn<S, std::uint64_t>;                                      \
  using Float = ::lockstep::ValueOn<S, float>;                                               \
  using Double = ::lockstep::ValueOn<S, double>;                                             \
  LOCKSTEP_VEC_NAMES(S, vec, float)                                                          \
  LOCKSTEP_VEC_NAMES(S, dvec, double)                                                        \
  LOCKSTEP_VEC_NAMES(S, ivec, std::int32_t)                                                  \
  LOCKSTEP_VEC_NAMES(S, uvec, std::uint32_t)                                                 \
  LOCKSTEP_VEC_NAMES(S, bvec, bool)                                                          \
  LOCKSTEP_MAT_NAMES(S, mat, float)                                                          \
  LOCKSTEP_MAT_NAMES(S, dmat, double)                                                        \
  LOCKSTEP_IMAGE_NAMES(S, image, float)                                                      \
  LOCKSTEP_IMAGE_NAMES(S, uimage, std::uint32_t)                                             \
  LOCKSTEP_IMAGE_NAMES(S, iimage, std::int32_t)                                              \
  template <class LockstepT>                                                                 \
  using readonly = typename ::lockstep::detail::Qualified<LockstepT>::readonly;              \
  template <class LockstepT>                                                                 \
  using writeonly = typename ::lockstep::detail::Qualified<LockstepT>::writeonly;            \
  template <class LockstepT>                                                                 \
  using Buffer = ::lockstep::ArrayOn<S, LockstepT>;                                          \
  template <class LockstepT>                                                                 \
  using Summed = ::lockstep::Summed<LockstepT, S>;                                           \
  template <class LockstepT, int LockstepN>                                                  \
  using Shared = ::lockstep::Shared<LockstepT, LockstepN, S>;                                \
  template <class LockstepT, int LockstepN>                                                  \
  using Array = ::lockstep::LocalArray<LockstepT, LockstepN, S>;                             \
  using Barriers = ::lockstep::Barriers;                                                     \
  template <class LockstepT>                                                                 \
  using BarriersThen = ::lockstep::BarriersThen<LockstepT>;                                  \
  using LockstepBase::controlBarrier, LockstepBase::memoryBarrierImage;                      \
  using LockstepBase::active_lanes, LockstepBase::barrier, LockstepBase::groupMemoryBarrier; \
  using LockstepBase::gl_GlobalInvocationID, LockstepBase::gl_LocalInvocationID;             \
  using LockstepBase::gl_LocalInvocationIndex, LockstepBase::gl_NumWorkGroups;               \
  using LockstepBase::gl_WorkGroupID, LockstepBase::gl_WorkGroupSize;                        \
  using LockstepBase::leave_function, LockstepBase::leave_loop;                              \
  using LockstepBase::and_also, LockstepBase::choose, LockstepBase::function,                \
      LockstepBase::or_else;                                                                 \
  using LockstepBase::switch_on, LockstepBase::loop, LockstepBase::memoryBarrier;            \
  using LockstepBase::memoryBarrierBuffer, LockstepBase::memoryBarrierShared;                \
  using LockstepBase::next_trip, LockstepBase::otherwise, LockstepBase::var;                 \
  using LockstepBase::uniform;                                                               \
  using LockstepBase::when;                                                                  \
  LOCKSTEP_BUILT_IN_VARIABLES(LOCKSTEP_USING)                                                \
  LOCKSTEP_BUILT_IN_BARRIERS(LOCKSTEP_USING)                                                 \
  static_assert(true, "LOCKSTEP_KERNEL(S) ends with a semicolon")

/// The first line of a kernel: brings GLSL's names into its scope.
#define LOCKSTEP_GLSL(S)                             \
  LOCKSTEP_KERNEL(S);                                \
  LOCKSTEP_BUILT_INS(LOCKSTEP_USING, LOCKSTEP_USING) \
  LOCKSTEP_DERIVATIVES(LOCKSTEP_USING)               \
  LOCKSTEP_SCOPE_CONSTANTS(LOCKSTEP_KERNEL_CONSTANT) \
  static_assert(true, "LOCKSTEP_GLSL(S) ends with a semicolon")

#define LOCKSTEP_VEC_NAMES(S, name, T)        \
  using name##2 = ::lockstep::VecOn<S, T, 2>; \
  using name##3 = ::lockstep::VecOn<S, T, 3>; \
  using name##4 = ::lockstep::VecOn<S, T, 4>;

// Declared only: a kernel with matrices includes glsl/mat.hpp.
#define LOCKSTEP_MAT_NAMES(S, name, T)             \
  using name##2 = ::lockstep::MatOn<S, T, 2, 2>;   \
  using name##3 = ::lockstep::MatOn<S, T, 3, 3>;   \
  using name##4 = ::lockstep::MatOn<S, T, 4, 4>;   \
  using name##2x3 = ::lockstep::MatOn<S, T, 2, 3>; \
  using name##2x4 = ::lockstep::MatOn<S, T, 2, 4>; \
  using name##3x2 = ::lockstep::MatOn<S, T, 3, 2>; \
  using name##3x4 = ::lockstep::MatOn<S, T, 3, 4>; \
  using name##4x2 = ::lockstep::MatOn<S, T, 4, 2>; \
  using name##4x3 = ::lockstep::MatOn<S, T, 4, 3>;

#define LOCKSTEP_IMAGE_NAMES(S, name, T)                                      \
  using name##2D = ::lockstep::ImageOn<S, T, ::lockstep::ImageKind::two_d>;   \
  using name##3D = ::lockstep::ImageOn<S, T, ::lockstep::ImageKind::three_d>; \
  using name##2DArray = ::lockstep::ImageOn<S, T, ::lockstep::ImageKind::two_d_array>;
