#include "shader/ir/race_free.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <utility>

#include "shader/ir/phases.hpp"

namespace lockstep::spirv {
namespace {

using Kind = ResourceUse::Kind;

/// A number that an invocation computes from its ids in one axis: group * gl_WorkGroupID + local * gl_LocalInvocationID +
/// added, in 32 bits.
struct Form {
  int axis = 0;
  std::int64_t group = 0, local = 0, added = 0;
  bool is_constant() const { return group == 0 && local == 0; }
  friend bool operator==(const Form&, const Form&) = default;
};
using MaybeForm = std::optional<Form>;
using Forms = std::vector<MaybeForm>;

// So small that no invocation reaches 2^32 and begins again at 0.
constexpr std::int64_t most_factor = 64, most_added = 1 << 16;
static_assert(std::int64_t{most_row} * most_factor + most_added < std::int64_t{1} << 32);

constexpr std::int64_t most_in_workgroup = 1 << 16;  // a workgroup has fewer invocations

bool is_small(const Form& form) {
  const std::int64_t most = form.group == 0 ? most_in_workgroup : most_factor;
  return form.local >= 0 && form.local <= most && form.group >= 0 &&
         form.group <= most_factor * 1024 && std::abs(form.added) <= most_added;
}

/// Of the same axis, if both have ids.
MaybeForm sum(const MaybeForm& a, const MaybeForm& b) {
  if (!a || !b || (a->axis != b->axis && !a->is_constant() && !b->is_constant())) return {};
  return Form{a->is_constant() ? b->axis : a->axis, a->group + b->group, a->local + b->local,
              a->added + b->added};
}
MaybeForm times(const MaybeForm& a, std::int64_t n) {
  if (!a) return {};
  return Form{a->axis, a->group * n, a->local * n, a->added * n};
}
MaybeForm product(const MaybeForm& a, const MaybeForm& b) {
  if (!a || !b) return {};
  if (a->is_constant()) return times(b, a->added);
  return b->is_constant() ? times(a, b->added) : MaybeForm();
}
/// As a factor.
MaybeForm power_of_two(const MaybeForm& exponent) {
  if (!exponent || !exponent->is_constant() || exponent->added < 0 || exponent->added > 16)
    return {};
  return Form{.added = std::int64_t{1} << exponent->added};
}

/// What the operation gives, by what its operands are.
MaybeForm result_of(const Ir& ir, const Op& op, const Forms& forms) {
  const auto value = [&](std::size_t k) -> MaybeForm {
    const RegInfo& info = ir.regs[op.src[k]];
    if (!info.constant) return forms[op.src[k]];
    const MaybeForm number = Form{.added = static_cast<std::int32_t>(info.value)};
    return is_small(*number) ? number : MaybeForm();
  };
  switch (op.code) {
    case Code::copy:
      return value(0);
    case Code::add:
      return sum(value(0), value(1));
    case Code::sub:
      return sum(value(0), times(value(1), -1));
    case Code::mul:
      return product(value(0), value(1));
    case Code::shl:
      return product(value(0), power_of_two(value(1)));
    case Code::chain:
      // Where it is out of range, nothing is accessed.
      return sum(value(0), times(value(1), op.as<Chain>().stride));
    default:
      return {};
  }
}

/// By register: what is known of it.
Forms find_forms(const Ir& ir) {
  Forms forms(ir.regs.size());
  const bool one_row = ir.local_size[1] == 1 && ir.local_size[2] == 1;
  for (const BuiltInUse& use : ir.built_ins) {
    for (std::size_t k = 0; k < use.regs.size() && k < 3; ++k) {
      const int axis = static_cast<int>(k);
      const std::int64_t size = ir.local_size[k];
      MaybeForm& form = forms[use.regs[k]];
      if (use.built_in == spv::BuiltIn::GlobalInvocationId) form = Form{axis, size, 1, 0};
      if (use.built_in == spv::BuiltIn::WorkgroupId) form = Form{axis, 1, 0, 0};
      if (use.built_in == spv::BuiltIn::LocalInvocationId) form = Form{axis, 0, 1, 0};
      if (use.built_in == spv::BuiltIn::LocalInvocationIndex && one_row) form = Form{0, 0, 1, 0};
    }
  }
  for (const Op& op : ir.ops) {
    if (op.dst.size() != 1 || op.masked || ir.regs[op.dst[0]].variable) continue;
    if (op.type != Scalar::u32 && op.type != Scalar::i32) continue;
    const MaybeForm form = result_of(ir, op, forms);
    if (form && is_small(*form)) forms[op.dst[0]] = form;
  }
  return forms;
}

/// What the accesses to a resource have in common, between barriers.
struct Pattern {
  bool writes = false;             ///< otherwise than by atomics
  bool reads = false;              ///< the same
  std::uint32_t atomic_bytes = 0;  ///< of the atomics' numbers; 0: none
  bool alike = true;               ///< atomics are of one size and include all invocations
  bool own = true;                 ///< each invocation accesses elements of its own
  // Of buffers and shared memory, in bytes.
  std::uint64_t period = 0;         ///< from one invocation's to the next one's; 0: no access yet
  std::uint64_t of_group = 0;       ///< from one workgroup's to the next one's
  std::int64_t begin = 0, end = 0;  ///< that the first invocation accesses
  /// Of images: which coordinates have the ids.
  std::optional<std::array<MaybeForm, 3>> axes;

  bool is_free() const {
    const bool atomics_alone = !reads && !writes && alike;
    return own || atomics_alone || (!writes && atomic_bytes == 0);
  }
};

class Patterns {
 public:
  Patterns(const Ir& ir, int axes)
      : ir_(ir), axes_(axes), forms_(find_forms(ir)), phases_(find_phases(ir)) {}

  std::vector<bool> take() {
    for (std::uint32_t k = 0; k < ir_.ops.size(); ++k) note(k);
    // Atomics that order other accesses must be seen.
    const bool unordered = are_atomics_unordered(ir_);
    std::vector<bool> free(ir_.resources.size(), !by_address_);
    for (const auto& [where, p] : patterns_)
      free[where.first] = free[where.first] && p.is_free() && (p.atomic_bytes == 0 || unordered);
    return free;
  }

 private:
  bool is_shared(std::uint32_t resource) const {
    return ir_.resources[resource].kind == Kind::workgroup;
  }
  Pattern& pattern(std::uint32_t resource, std::uint32_t k) {
    return patterns_[{resource, is_shared(resource) ? phases_[k] : 0}];
  }

  void note(std::uint32_t k) {
    const Op& op = ir_.ops[k];
    switch (op.code) {
      case Code::load: {
        Pattern& p = pattern(place_of(op).resource, k);
        p.reads = true;
        return note_place(op, op.dst.size(), p);
      }
      case Code::store: {
        Pattern& p = pattern(place_of(op).resource, k);
        p.writes = true;
        return note_place(op, op.src.size() - 1, p);
      }
      case Code::atomic: {
        Pattern& p = pattern(place_of(op).resource, k);
        note_atomic(op, p);
        return note_place(op, 1, p);
      }
      case Code::image_load:
      case Code::image_store:
        return note_image(op);
      case Code::image_texel:
        if (op.as<ImageOp>().choices > 0) lose(op.as<ImageOp>(), true);
        return;
      case Code::image_sample:
        return lose(op.as<Sampling>().image, false);
      case Code::load_address:
      case Code::store_address:
      case Code::atomic_address:
        by_address_ = true;  // it may lead anywhere
        return;
      default:
        return;
    }
  }
  /// Any texel of any of the images.
  void lose(const ImageOp& image, bool writes) {
    for (std::uint64_t k = 0; k < std::max<std::uint64_t>(image.choices, 1); ++k) {
      Pattern& p = patterns_[{image.resource + static_cast<std::uint32_t>(k), 0}];
      p.own = false;
      (writes ? p.writes : p.reads) = true;
    }
  }

  /// How far apart the form is in neighbouring invocations, of a workgroup or of the dispatch; 0 if two may have the same.
  std::int64_t distance(const Form& form, bool of_workgroup) const {
    if (of_workgroup) return form.local;
    const auto size = static_cast<std::int64_t>(ir_.local_size[form.axis]);
    // Of larger factors, numbers far apart may be the same in 32 bits.
    if (size == 1) return form.group <= most_factor ? form.group : 0;
    return form.group == form.local * size ? form.local : 0;
  }

  /// Whether the components of an access are the invocation's own.
  void note_place(const Op& op, std::size_t components, Pattern& p) const {
    const MemoryPlace& place = place_of(op);
    const bool shared = is_shared(place.resource);
    const auto form = op.src[0] == no_reg ? MaybeForm() : forms_[op.src[0]];
    const bool one_row = shared ? ir_.local_size[1] == 1 && ir_.local_size[2] == 1 : axes_ <= 1;
    const std::int64_t apart = form && form->axis == 0 ? distance(*form, shared) : 0;
    const std::uint64_t period = place.stride * static_cast<std::uint64_t>(apart);
    p.own = p.own && one_row && period != 0 && components > 0 && place.offset < unlimited / 4;
    if (!p.own) return;
    const std::uint64_t of_group = place.stride * static_cast<std::uint64_t>(form->group);
    p.own = p.period == 0 || (p.period == period && p.of_group == of_group);
    const auto begin = static_cast<std::int64_t>(place.stride) * form->added +
                       static_cast<std::int64_t>(place.offset);
    const auto end =
        begin + static_cast<std::int64_t>((components - 1) * place.step) + size_of(op.type);
    p.begin = p.period != 0 ? std::min(p.begin, begin) : begin;
    p.end = p.period != 0 ? std::max(p.end, end) : end;
    p.period = period;
    p.of_group = of_group;
    p.own = p.own && static_cast<std::uint64_t>(p.end - p.begin) <= period;
  }

  void note_atomic(const Op& op, Pattern& p) const {
    const auto& atomic = op.as<AtomicOp>();
    const std::uint32_t bytes = size_of(op.type);
    const Scope scope = atomic.order.scope;
    const bool wide =
        scope == Scope::device || (is_shared(atomic.place.resource) && scope == Scope::workgroup);
    const bool aligned = atomic.place.offset % bytes == 0 &&
                         (op.src[0] == no_reg || atomic.place.stride % bytes == 0);
    p.alike = p.alike && wide && aligned && (p.atomic_bytes == 0 || p.atomic_bytes == bytes);
    p.atomic_bytes = bytes;
  }

  void note_image(const Op& op) {
    const auto& image = op.as<ImageOp>();
    const bool writes = op.code == Code::image_store;
    if (image.choices > 0) return lose(image, writes);
    Pattern& p = patterns_[{image.resource, 0}];
    (writes ? p.writes : p.reads) = true;
    std::array<MaybeForm, 3> found;
    for (std::size_t k = 0; k < ir_.resources[image.resource].dimensions && k < 3; ++k) {
      const auto& form = forms_[op.src[k]];
      if (form && form->axis < axes_ && distance(*form, false) == 1) found[k] = form;
    }
    for (int axis = 0; axis < axes_; ++axis)
      p.own = p.own && std::ranges::any_of(
                           found, [&](const auto& form) { return form && form->axis == axis; });
    p.own = p.own && (!p.axes || *p.axes == found);
    p.axes = found;
  }

  const Ir& ir_;
  int axes_;
  Forms forms_;
  std::vector<std::uint32_t> phases_;
  bool by_address_ = false;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Pattern> patterns_;  ///< by resource and phase
};

}  // namespace

std::vector<bool> find_race_free(const Ir& ir, int axes) { return Patterns(ir, axes).take(); }

}  // namespace lockstep::spirv
