#include "judgement/guided_run.hpp"

#include <algorithm>
#include <cstring>
#include <functional>

#include <lockstep/exec/lane_set.hpp>

#include "judgement/limits.hpp"

namespace lockstep::judgement {
namespace {

std::uint64_t bits_at(const std::byte* at, std::size_t bytes) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, at, bytes);
  return bits;
}

}  // namespace

std::uint64_t Turn::after(std::uint64_t before) const {
  const std::uint64_t mask = bytes == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * bytes) - 1;
  switch (op) {
    case spirv::Operator::add:
      return (before + value) & mask;
    case spirv::Operator::sub:
      return (before - value) & mask;
    case spirv::Operator::exchange:
      return value;
    case spirv::Operator::compare_exchange:
      return before == compare ? value : before;
    default:
      return before;
  }
}

void GuidedRun::run() {
  contents_ = rerun_.inputs();
  for (std::size_t k = 0; k < contents_.size(); ++k)
    ranges_.push_back({rerun_.address(contents_, k), rerun_.parts()[k].bytes, k});
  const Convergence convergence{
      .rule = rerun_.rule(), .chooser = nullptr, .observer = this, .max_trips = most_steps};
  Dispatch how = plain_dispatch();
  how.convergence = &convergence;
  how.max_steps = most_steps;
  if (returns_ != nullptr) {
    bounds_.memory.follow(&followed_);
    how.bounds = &bounds_;
  }
  rerun_.run(contents_, how);
  clear_ = clear_ && !followed_.inexact_atomics;
}

std::optional<std::uint64_t> GuidedRun::returned(const spirv::AtomicTurn& made) {
  look_at_clock();
  const auto at = location_of(made.object, made.at, made.byte, made.workgroup);
  if (!at) {
    clear_ = false;
    return {};
  }
  Turn turn{.cell = {*at, epochs_[*at]},
            .op = made.op,
            .bytes = made.bytes,
            .value = made.value,
            .compare = made.compare,
            .memory = bits_at(made.at, made.bytes),
            .ordered = made.ordered};
  initial_.try_emplace(turn.cell, turn.memory);
  const Unit unit = unit_of(made.workgroup, made.subgroup, made.lane);
  Path& path = paths_[unit];
  if (const auto* const may = returns_ == nullptr ? nullptr : returns_->of(turn)) {
    const auto decided = decisions_.find(unit);
    const std::size_t number = path.options.size();
    const std::uint32_t choice = decided != decisions_.end() && number < decided->second.size()
                                     ? decided->second[number]
                                     : 0;
    path.options.push_back(static_cast<std::uint32_t>(may->size()));
    turn.returned = choice < may->size() ? (*may)[choice] : turn.memory;
  }
  path.turns.push_back(turn);
  return turn.returned;
}

void GuidedRun::on(const Event& event) {
  look_at_clock();
  if (event.kind != Event::Kind::read && event.kind != Event::Kind::write) return;
  const Access& access = event.access;
  if (access.object.kind == MemoryObject::Kind::private_memory || access.data == nullptr) return;
  for_each_lane(event.others, [&](int lane) {
    if (access.byte[static_cast<std::size_t>(lane)] == Access::outside) return;
    for (std::uint32_t k = 0; k < access.count; ++k) note(event, lane, k);
  });
}

void GuidedRun::note(const Event& event, int lane, std::uint32_t number) {
  const Access& access = event.access;
  const std::uint64_t byte =
      access.byte[static_cast<std::size_t>(lane)] + std::uint64_t{number} * access.step;
  const bool writes = event.kind == Event::Kind::write;
  const auto place = location_of(access.object, access.data + byte, byte, event.workgroup);
  if (!place || access.bytes == 0 || access.bytes > sizeof(std::uint64_t) ||
      (writes && access.object.kind == MemoryObject::Kind::image)) {
    clear_ = false;
    return;
  }
  const Unit unit = unit_of(event.workgroup, event.subgroup, lane);
  if (writes) {
    ++epochs_[*place];
    writers_[*place] = unit;
    // Memory has only what the last of the lanes stored.
    const LaneValues& stored = event.operands.back();
    const std::size_t at = static_cast<std::size_t>(lane * stored.components) + number;
    paths_[unit].stores.push_back(
        {*place, access.bytes, stored.bits[at], allowed_at(access.data + byte)});
    return;
  }
  const auto writer = writers_.find(*place);
  if (writer != writers_.end() && writer->second == unit) return;
  loads_.push_back(
      {unit, *place, loaded_[{unit, *place}]++, bits_at(access.data + byte, access.bytes)});
}

/// Of several lanes that store at one address each in its turn.
oracle::Allowed GuidedRun::allowed_at(const std::byte* at) {
  auto& stored = followed_.stored;
  const auto found = std::ranges::find(stored, at, [](const auto& one) { return one.first; });
  if (found == stored.end()) return {};
  const oracle::Allowed allowed = found->second;
  stored.erase(found);
  return allowed;
}

std::uint64_t GuidedRun::number_of(const std::array<std::uint32_t, 3>& workgroup) const {
  const Size3 groups = rerun_.groups();
  return (std::uint64_t{workgroup[2]} * groups.y + workgroup[1]) * groups.x + workgroup[0];
}

Unit GuidedRun::unit_of(const std::array<std::uint32_t, 3>& workgroup, std::uint32_t subgroup,
                        int lane) const {
  constexpr Unit lanes = 128, subgroups = 1024;
  const Unit number = number_of(workgroup) * subgroups;
  if (together_ == Together::workgroup) return number * lanes;
  return (number + subgroup) * lanes +
         (together_ == Together::subgroup ? 0 : static_cast<Unit>(lane));
}

std::optional<Location> GuidedRun::location_of(
    const MemoryObject& object, const std::byte* at, std::uint64_t byte,
    const std::array<std::uint32_t, 3>& workgroup) const {
  if (object.kind == MemoryObject::Kind::shared)
    return Location{Location::in_shared_memory, number_of(workgroup) << 16 | object.binding, byte};
  for (const Range& range : ranges_) {
    if (std::less_equal<>()(range.begin, at) && std::less<>()(at, range.begin + range.bytes))
      return Location{range.part, 0, static_cast<std::uint64_t>(at - range.begin)};
  }
  return {};
}

void GuidedRun::look_at_clock() {
  constexpr std::uint64_t events_between_looks = 4096;
  if (++events_ % events_between_looks == 0 && Clock::now() > end_)
    throw TooLong("finding an order of atomics takes too long");
}

}  // namespace lockstep::judgement
