#include "support/walker/walker.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <deque>
#include <memory>

#include <lockstep/exec/error.hpp>

#include "support/walker/group.hpp"
#include "support/walker/invocation.hpp"
#include "support/walker/number.hpp"

namespace lockstep::walker {

namespace {

using State = Invocation::State;

Value numbers(std::initializer_list<std::uint64_t> of) {
  Value v;
  for (const std::uint64_t bits : of) v.parts.push_back({bits});
  return v;
}

/// The invocations of a subgroup.
class Subgroup {
 public:
  Subgroup(const Module& module, int size) : module_(module), size_(size) {}

  void add(std::unique_ptr<Invocation> invocation) { all_.push_back(std::move(invocation)); }

  /// Runs all invocations until each waits at the workgroup's barrier or has ended; returns the instructions it took.
  std::uint64_t run() {
    std::uint64_t steps = 0;
    for (;;) {
      for (const auto& i : all_)
        if (i->state() == State::running) steps += i->run();
      const std::vector<Invocation*> tangle = first();
      if (tangle.empty()) return steps;
      meet(tangle);
    }
  }

  /// The place where all wait; empty if all have ended.
  Place barrier() const {
    Place common;
    std::size_t waiting = 0;
    for (const auto& i : all_) {
      if (i->state() != State::at_barrier) continue;
      if (waiting++ > 0 && common != i->place())
        throw Error("the reference found two barriers that wait");
      common = i->place();
    }
    if (waiting != 0 && waiting != all_.size())
      throw Error("the reference found a barrier that not all reach");
    return common;
  }

  void pass_barrier() {
    for (const auto& i : all_) i->resume({});
  }

 private:
  /// The tangle whose place comes first among those that have met.
  std::vector<Invocation*> first() const {
    std::map<Place, std::vector<Invocation*>> by_place;
    for (const auto& i : all_)
      if (i->state() == State::meeting) by_place[i->place()].push_back(i.get());
    return by_place.empty() ? std::vector<Invocation*>{} : by_place.begin()->second;
  }

  void meet(const std::vector<Invocation*>& tangle) {
    const Instruction& i = tangle.front()->instruction();
    if (i.op == spv::Op::OpControlBarrier) {
      const auto scope = static_cast<spv::Scope>(tangle.front()->operands(i)[0].parts[0].bits);
      for (Invocation* in : tangle)
        scope == spv::Scope::Subgroup ? in->resume({}) : in->wait_at_barrier();
    } else if (is_group_operation(i.op)) {
      std::vector<Participant> participants;
      for (const Invocation* in : tangle) participants.push_back({in->lane(), in->operands(i)});
      std::vector<Value> results = group_operation(module_, i, size_, participants);
      for (std::size_t k = 0; k < tangle.size(); ++k) tangle[k]->resume(std::move(results[k]));
    } else {
      for (Invocation* in : tangle) in->resume(in->atomic(i));
    }
  }

  const Module& module_;
  int size_;
  std::vector<std::unique_ptr<Invocation>> all_;
};

class Walk {
 public:
  explicit Walk(const Job& job) : job_(job), module_(read_module(job.words, job.entry, job.spec)) {
    module_.freedom = job.freedom;
    for (const Variable& v : module_.variables) bind(v);
  }

  void run() {
    const auto& [nx, ny, nz] = job_.workgroups;
    for (std::uint32_t z = 0; z < nz; ++z)
      for (std::uint32_t y = 0; y < ny; ++y)
        for (std::uint32_t x = 0; x < nx; ++x) workgroup({x, y, z});
  }

 private:
  using Three = std::array<std::uint64_t, 3>;

  std::uint64_t size() const {
    return std::uint64_t{module_.local_size[0]} * module_.local_size[1] * module_.local_size[2];
  }

  Id pointee(const Variable& v) const { return module_.type(v.type).element; }

  /// The memory of a variable that all invocations of the dispatch share, if it is one.
  void bind(const Variable& v) {
    Object object{.has_bytes = true};
    if (v.storage == spv::StorageClass::PushConstant) {
      push_.assign(job_.push_constants.begin(), job_.push_constants.end());
      object.bytes = push_;
    } else if (const auto d = module_.decorations.find(v.id);
               d != module_.decorations.end() && d->second.has(spv::Decoration::DescriptorSet)) {
      const Binding& b = binding(d->second.number(spv::Decoration::DescriptorSet),
                                 d->second.number(spv::Decoration::Binding));
      object.bytes = b.bytes, object.undefined = b.undefined, object.width = b.width,
      object.height = b.height;
    } else {
      return;
    }
    shared_by_all_[v.id] = &objects_.emplace_back(object);
  }

  const Binding& binding(std::uint32_t set, std::uint32_t number) const {
    for (const Binding& b : job_.bindings)
      if (b.set == set && b.binding == number) return b;
    throw Error(fmt::format("the reference has nothing at binding {} of set {}", number, set));
  }

  Object fresh(const Variable& v) const {
    Object object;
    object.parts.assign(module_.scalars(pointee(v)), Scalar{0, false});
    if (v.initializer != 0) object.parts = module_.constants.at(v.initializer).parts;
    return object;
  }

  /// Shared memory with an explicit layout: all such variables are views of it, from its first byte on.
  struct SharedBlocks {
    std::vector<std::byte> bytes;
    std::vector<std::uint8_t> undefined;
    Object object;
  };
  bool is_shared_block(const Variable& v) const {
    if (v.storage != spv::StorageClass::Workgroup) return false;
    const auto d = module_.decorations.find(pointee(v));
    return d != module_.decorations.end() && d->second.has(spv::Decoration::Block);
  }
  std::unique_ptr<SharedBlocks> fresh_blocks() const {
    auto blocks = std::make_unique<SharedBlocks>();
    std::uint64_t zeroed = 0;
    for (const Variable& v : module_.variables) {
      if (!is_shared_block(v)) continue;
      const std::uint64_t bytes = bytes_of(module_, pointee(v));
      if (bytes > blocks->bytes.size()) blocks->bytes.resize(bytes);
      if (v.initializer != 0) zeroed = std::max(zeroed, bytes);
    }
    blocks->undefined.assign(blocks->bytes.size(), 1);
    std::fill_n(blocks->undefined.begin(), zeroed, std::uint8_t{0});
    blocks->object = {.bytes = blocks->bytes, .has_bytes = true, .undefined = blocks->undefined};
    return blocks;
  }

  void workgroup(const Three& id) {
    std::deque<Object> objects;
    std::map<Id, Object*> shared = shared_by_all_;
    const std::unique_ptr<SharedBlocks> blocks = fresh_blocks();
    for (const Variable& v : module_.variables) {
      if (v.storage != spv::StorageClass::Workgroup) continue;
      shared[v.id] = is_shared_block(v) ? &blocks->object : &objects.emplace_back(fresh(v));
    }
    const auto width = static_cast<std::uint64_t>(job_.subgroup_size);
    std::vector<Subgroup> subgroups;
    for (std::uint64_t k = 0; k < size(); k += width)
      subgroups.emplace_back(module_, job_.subgroup_size);
    for (std::uint64_t k = 0; k < size(); ++k) {
      std::map<Id, Object*> variables = shared;
      for (const Variable& v : module_.variables) {
        if (v.storage != spv::StorageClass::Private && v.storage != spv::StorageClass::Input)
          continue;
        Object& object = objects.emplace_back(fresh(v));
        if (v.storage == spv::StorageClass::Input) object.parts = input(v, id, k).parts;
        variables[v.id] = &object;
      }
      subgroups[k / width].add(
          std::make_unique<Invocation>(module_, std::move(variables), static_cast<int>(k % width)));
    }
    while (phase(subgroups)) {
    }
  }

  /// Runs up to the next barrier; false if all have ended.
  bool phase(std::vector<Subgroup>& subgroups) {
    Place common;
    std::size_t waiting = 0;
    for (Subgroup& s : subgroups) {
      steps_ += s.run();
      if (steps_ > job_.max_steps) throw Error(fmt::format("the reference took {} steps", steps_));
      const Place place = s.barrier();
      if (place.empty()) continue;
      if (waiting++ > 0 && place != common)
        throw Error("the reference found two barriers that wait");
      common = place;
    }
    if (waiting == 0) return false;
    if (waiting != subgroups.size())
      throw Error("the reference found a barrier that not all reach");
    for (Subgroup& s : subgroups) s.pass_barrier();
    return true;
  }

  /// The value of a built-in variable in invocation `k` of a workgroup.
  Value input(const Variable& v, const Three& group, std::uint64_t k) const {
    const auto* local = module_.local_size;
    const std::uint64_t width = static_cast<std::uint64_t>(job_.subgroup_size), lane = k % width;
    const Three in{k % local[0], k / local[0] % local[1], k / local[0] / local[1]};
    const auto mask = [&](auto holds) {
      Value m = numbers({0, 0, 0, 0});
      for (std::uint64_t j = 0; j < width; ++j)
        if (holds(j)) m.parts[j / 32].bits |= std::uint64_t{1} << (j % 32);
      return m;
    };
    const auto built_in =
        static_cast<spv::BuiltIn>(module_.decorations.at(v.id).number(spv::Decoration::BuiltIn));
    switch (built_in) {
      case spv::BuiltIn::NumWorkgroups:
        return numbers({job_.workgroups[0], job_.workgroups[1], job_.workgroups[2]});
      case spv::BuiltIn::WorkgroupSize:
        return numbers({local[0], local[1], local[2]});
      case spv::BuiltIn::WorkgroupId:
        return numbers({group[0], group[1], group[2]});
      case spv::BuiltIn::LocalInvocationId:
        return numbers({in[0], in[1], in[2]});
      case spv::BuiltIn::GlobalInvocationId:
        return numbers({group[0] * local[0] + in[0], group[1] * local[1] + in[1],
                        group[2] * local[2] + in[2]});
      case spv::BuiltIn::LocalInvocationIndex:
        return numbers({k});
      case spv::BuiltIn::SubgroupSize:
        return numbers({width});
      case spv::BuiltIn::NumSubgroups:
        return numbers({(size() + width - 1) / width});
      case spv::BuiltIn::SubgroupId:
        return numbers({k / width});
      case spv::BuiltIn::SubgroupLocalInvocationId:
        return numbers({lane});
      case spv::BuiltIn::SubgroupEqMask:
        return mask([&](std::uint64_t j) { return j == lane; });
      case spv::BuiltIn::SubgroupGeMask:
        return mask([&](std::uint64_t j) { return j >= lane; });
      case spv::BuiltIn::SubgroupGtMask:
        return mask([&](std::uint64_t j) { return j > lane; });
      case spv::BuiltIn::SubgroupLeMask:
        return mask([&](std::uint64_t j) { return j <= lane; });
      case spv::BuiltIn::SubgroupLtMask:
        return mask([&](std::uint64_t j) { return j < lane; });
      default:
        throw Error(fmt::format("the reference does not know built-in variable {}",
                                static_cast<int>(built_in)));
    }
  }

  const Job& job_;
  Module module_;
  std::vector<std::byte> push_;
  std::deque<Object> objects_;
  std::map<Id, Object*> shared_by_all_;
  std::uint64_t steps_ = 0;
};

}  // namespace

void walk(const Job& job) { Walk(job).run(); }

}  // namespace lockstep::walker
