#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "runtime/check/races.hpp"

/// \file
/// Words that the lanes of a subgroup access in a row are examined as one, where nothing can be found: what is unclear is
/// left to the examination of single words, in the same order, so that it finds the same.

namespace lockstep::detectors {
namespace {

/// Lanes that come after each other, each as many bytes from the last.
struct Run {
  LaneSet lanes;
  std::int64_t stride = 0;
  bool packed = false;  ///< whatever the lanes in between
};

/// Whether no lane is missing from the first to the last.
bool is_without_gaps(LaneSet lanes) {
  return lanes == LaneSet::first_n(lanes.last() + 1).without(LaneSet::first_n(lanes.first()));
}

/// Whether all lanes from the first on have their bytes at this distance. Does not stop early, so that it is a loop over
/// vectors.
bool is_regular(const std::uint64_t* bytes, int count, std::uint64_t stride) {
  std::uint64_t wrong = 0, expected = bytes[0];
  int k = 0;
  for (; k + 8 <= count; k += 8, expected += 8 * stride)
    for (std::uint64_t j = 0; j < 8; ++j)
      wrong |= bytes[static_cast<std::uint64_t>(k) + j] ^ (expected + j * stride);
  for (; k < count; ++k, expected += stride) wrong |= bytes[k] ^ expected;
  return wrong == 0;
}

/// The bytes from the first to the last that a lane touches.
std::uint64_t extent_of(const Access& access) {
  return (access.count - 1) * std::uint64_t{access.step} + access.bytes;
}

/// The lanes from the first on that access memory without gaps, as those do that add to a list. Some lanes are missing.
Run packed_run(const Access& access, LaneSet left, LaneSet changes) {
  const int first = left.first();
  const std::uint64_t extent = extent_of(access);
  Run run{{}, static_cast<std::int64_t>(extent), true};
  std::uint64_t expected = access.byte[static_cast<std::size_t>(first)];
  for (LaneSet rest = left; rest.any_lane(); expected += extent) {
    const int lane = rest.first();
    if (access.byte[static_cast<std::size_t>(lane)] != expected ||
        changes.test(lane) != changes.test(first))
      break;
    run.lanes = run.lanes | LaneSet::lane(lane);
    rest = rest.without(LaneSet::lane(lane));
  }
  return run;
}

/// The run that starts with the first of the lanes, whose access is not outside.
Run first_run(const Access& access, LaneSet left, LaneSet changes) {
  const int first = left.first();
  const std::uint64_t* const bytes = access.byte.data();
  Run run{LaneSet::lane(first)};
  const LaneSet rest = left.without(run.lanes);
  int next = rest.first();
  if (next == 128) return run;
  const auto apart = static_cast<std::int64_t>(bytes[next] - bytes[first]);
  const int distance = next - first;
  if (bytes[next] == Access::outside || (distance != 1 && apart % distance != 0)) return run;
  const std::int64_t stride = distance == 1 ? apart : apart / distance;
  const LaneSet changed = left & changes;
  const int count = left.last() - first + 1;
  const auto at_last = bytes[first] + static_cast<std::uint64_t>(stride * (count - 1));
  if (bytes[left.last()] == at_last && is_without_gaps(left) && at_last != Access::outside &&
      (changed == left || !changed.any_lane()) &&
      is_regular(bytes + first, count, static_cast<std::uint64_t>(stride)))
    return {left, stride};
  if (const Run packed = packed_run(access, left, changes); packed.lanes.count() > 2) return packed;
  for (int lane = next; lane < 128; lane = rest.without(LaneSet::first_n(lane + 1)).first()) {
    const auto expected = bytes[first] + static_cast<std::uint64_t>(stride * (lane - first));
    if (bytes[lane] != expected || expected == Access::outside ||
        changes.test(lane) != changes.test(first))
      break;
    run.lanes = run.lanes | LaneSet::lane(lane);
  }
  // Any two lanes are a run, if scattered ones.
  if (stride != 0 && run.lanes.last() <= next && run.lanes != left) return {LaneSet::lane(first)};
  if (run.lanes.last() > first) run.stride = stride;
  return run;
}

/// The same where those that access anything are a row.
Run first_run_of_row(const LaneBytes& byte, LaneSet left, LaneSet changes) {
  const int first = left.first();
  const LaneSet otherwise = changes.test(first) ? left.without(changes) : left & changes;
  const LaneSet others = otherwise | left.without(byte.row());
  const LaneSet lanes = left & LaneSet::first_n(others.first());
  return {lanes, lanes.last() > first ? byte.stride() : 0};
}

/// The first of the lanes, and those after it that access the same bytes.
Run equal_run(const Access& access, LaneSet left, LaneSet changes) {
  const int first = left.first();
  const auto at = [&](int lane) { return access.byte[static_cast<std::size_t>(lane)]; };
  Run run{LaneSet::lane(first)};
  LaneSet rest = left.without(run.lanes);
  for (int lane = rest.first(); lane < 128 && at(lane) == at(first); lane = rest.first()) {
    if (changes.test(lane) != changes.test(first)) break;
    run.lanes = run.lanes | LaneSet::lane(lane);
    rest = rest.without(LaneSet::lane(lane));
  }
  return run;
}

/// How many ids from the first on are equal to it.
std::size_t count_equal(const Shadow::Id* ids, std::size_t count) {
  // Each is equal to the next.
  if (std::memcmp(ids, ids + 1, (count - 1) * sizeof *ids) == 0) return count;
  std::size_t k = 1;
  while (ids[k] == ids[0]) ++k;
  return k;
}

void fill(Shadow::Id* ids, std::size_t count, Shadow::Id id) {
  std::array<Shadow::Id, 16> some;
  some.fill(id);
  std::size_t k = 0;
  for (; k + some.size() <= count; k += some.size()) std::memcpy(ids + k, some.data(), sizeof some);
  std::fill_n(ids + k, count - k, id);
}

/// Whether the lanes' numbers are whole words and none is another lane's.
bool is_row(const Access& access, const Run& run, std::uintptr_t begin) {
  const std::uint64_t step = access.count > 1 ? access.step : 0;
  const auto stride = static_cast<std::uint64_t>(std::abs(run.stride));
  if (run.stride == 0 || ((begin | access.bytes | step | stride) % Shadow::word_bytes) != 0 ||
      stride >= 1u << 31)
    return false;
  return stride >= extent_of(access) && (run.stride > 0 || extent_of(access) == Shadow::word_bytes);
}

}  // namespace

/// The words of one row, one after another. Those in one state come into one state, too.
class Races::Row {
 public:
  Row(Races& races, const Order::Group& group, const Access& access, const Touch& now,
      Storage storage)
      : races_(races),
        shadow_(races.shadow_of(storage)),
        knowledge_(group.knows[static_cast<std::size_t>(storage)]),
        access_(access),
        now_(now),
        storage_(storage) {}

  void touch(std::uintptr_t begin) {
    const std::uint64_t extent = extent_of(access_);
    const bool full = access_.count == 1 || access_.step == access_.bytes;
    if (full && now_.stride > 0 && static_cast<std::uint64_t>(now_.stride) == extent &&
        (now_.packed || is_without_gaps(now_.lanes))) {
      words(begin, begin + static_cast<std::uint64_t>(now_.lanes.count()) * extent);
    } else if (now_.packed) {
      // There are gaps in what each lane accesses.
      std::uintptr_t at = begin;
      for (int left = now_.lanes.count(); left > 0; --left, at += extent) words_of_lane(at);
    } else {
      for_each_lane(now_.lanes, [&](int lane) {
        words_of_lane(now_.base + static_cast<std::uintptr_t>(std::int64_t{now_.stride} * lane));
      });
    }
    move();
  }

 private:
  enum class Fate { stays, goes, unclear };

  void words_of_lane(std::uintptr_t at) {
    for (std::uint32_t k = 0; k < access_.count; ++k, at += access_.step)
      words(at, at + access_.bytes);
  }
  void words(std::uintptr_t begin, std::uintptr_t end) {
    while (begin < end) {
      const std::uintptr_t page_end = begin - begin % Shadow::page_bytes + Shadow::page_bytes;
      const std::uintptr_t stop = std::min(end, page_end);
      words_of_page(shadow_.ids(begin), begin, (stop - begin) / Shadow::word_bytes);
      begin = stop;
    }
  }
  void words_of_page(Shadow::Id* ids, std::uintptr_t word, std::size_t count) {
    while (count > 0) {
      if (!any_ || *ids != old_) look(*ids, word);
      const std::size_t alike = count_equal(ids, count);
      if (unclear_) {
        for (std::size_t k = 0; k < alike; ++k) touch_one(ids[k], word + k * Shadow::word_bytes);
      } else if (new_ != old_) {
        fill(ids, alike, new_);
        moved_ += static_cast<std::uint32_t>(alike);
      }
      ids += alike;
      word += alike * Shadow::word_bytes;
      count -= alike;
    }
  }
  void touch_one(Shadow::Id& id, std::uintptr_t word) {
    races_.touch(id, word, now_.at(word), storage_, word);
  }

  /// Counts the words that came from one state into another.
  void move() {
    if (moved_ == 0) return;
    shadow_.state(new_).words += moved_;
    shadow_.release(old_, moved_);
    moved_ = 0;
  }

  /// What becomes of words in this state, of which one is given.
  void look(Shadow::Id id, std::uintptr_t word) {
    move();
    any_ = true;
    old_ = id;
    unclear_ = false;
    if (id == 0) {
      new_ = alone();
      return;
    }
    const State& state = shadow_.state(id);
    bool known = false;  // a touch stands for it already
    std::array<bool, State::most> stay{};
    std::size_t staying = 0, k = 0;
    for (const Touch& old : state.touches()) {
      const Fate fate = fate_of(old, word, known);
      if (fate == Fate::unclear) {
        unclear_ = true;
        return;
      }
      stay[k] = fate == Fate::stays;
      staying += stay[k++] ? 1 : 0;
    }
    if (known && staying == k) {
      new_ = id;
    } else if (staying == 0 && !known) {
      new_ = alone();
    } else {
      const bool full = !known && staying == State::most;
      unclear_ = full && !are_others(state);
      if (!unclear_) change(id, stay, known, full);
    }
  }
  /// The words come into the state of those accesses that stay, and of the new one. A full state has no room for it.
  void change(Shadow::Id id, const std::array<bool, State::most>& stay, bool known, bool full) {
    const State& state = shadow_.state(id);
    std::size_t k = 0;
    if (state.words == 1) {
      new_ = id;
      shadow_.state(id).remove_if([&](const Touch&) { return !stay[k++]; });
    } else {
      new_ = shadow_.make();
      for (const Touch& old : state.touches())
        if (stay[k++]) shadow_.state(new_).append(old);
    }
    if (full)
      shadow_.state(new_).replace(now_);
    else if (!known)
      shadow_.state(new_).append(now_);
  }
  /// Whether no lanes of these accesses and the new one would come together in one, at a word alone.
  bool are_others(const State& state) const {
    const auto& touches = state.touches();
    for (std::size_t k = 0; k < touches.size(); ++k) {
      if (touches[k].is_same(now_)) return false;
      for (std::size_t j = 0; j < k; ++j)
        if (touches[j].is_same(touches[k])) return false;
    }
    return true;
  }
  /// The state of words that nothing else has accessed.
  Shadow::Id alone() {
    if (alone_ == 0) {
      alone_ = shadow_.make();
      shadow_.state(alone_).append(now_);
    }
    return alone_;
  }

  /// As Races::touch, for an old access to all words of the state: what becomes of it, if nothing is found.
  Fate fate_of(const Touch& old, std::uintptr_t word, bool& known) const {
    if ((old.bytes & now_.bytes) == 0) return Fate::stays;
    const bool replaced = replaces(now_, old), harmless = !old.changes && !now_.changes;
    const bool mates = old.is_of_subgroup(now_);
    bool own = false, crossed = false;  // a lane's own access, or of some lanes their own
    if (mates && is_parallel(old)) {
      own = old.lane_at(word) == now_.lane_at(word);
    } else if (mates) {
      crossed = true;
      if (known || old.clock == now_.clock) return Fate::unclear;
    }
    if (own && old.is_like(now_) && replaces(old, now_)) known = true;
    if (harmless && (!replaced || old.is_same(now_))) return Fate::stays;
    if (own) return replaced && !known ? Fate::goes : Fate::stays;
    const LaneSet before = races_.included(knowledge_, old.lanes, old);
    const bool all = before == old.lanes;
    if (!all && (crossed || before.any_lane())) return Fate::unclear;
    if (!harmless && (all ? races_.is_stale(old, now_, storage_) : races_.conflict(old, now_)))
      return Fate::unclear;
    return replaced && all ? Fate::goes : Fate::stays;
  }
  /// Whether the lanes of both rows differ by the same number at each word.
  bool is_parallel(const Touch& old) const {
    if (old.stride != now_.stride || old.packed != now_.packed) return false;
    if (old.packed) return old.lanes == now_.lanes && old.base == now_.base;
    return extent_of(access_) == Shadow::word_bytes ||
           static_cast<std::int64_t>(now_.base - old.base) % now_.stride == 0;
  }

  Races& races_;
  Shadow& shadow_;
  const Knowledge& knowledge_;
  const Access& access_;
  const Touch& now_;
  Storage storage_;
  bool any_ = false;      ///< the next three hold
  bool unclear_ = false;  ///< words in the old state must be examined one by one
  Shadow::Id old_ = 0, new_ = 0;
  Shadow::Id alone_ = 0;
  std::uint32_t moved_ = 0;  ///< words from the old into the new state that are not counted yet
};

/// Whether the order of the lanes plays no part, and none learns or releases anything.
bool Races::can_be_rows(const Event& event, Storage storage) const {
  if (rows_ == Rows::word_by_word) return false;
  return event.kind != Event::Kind::atomic ||
         (is_relaxed(event.access.order) && !order_.has_releases(storage == Storage::shared));
}

/// What the subgroup knows of its workgroup.
void Races::update_latest(const Touch& now, const Knowledge& knowledge) {
  if (latest_.number != 0 && latest_.knowledge.same(knowledge) &&
      latest_.workgroup == now.workgroup)
    return;
  latest_ = {knowledge, now.workgroup, knowledge.latest(now.workgroup),
             knowledge.has_others(now.workgroup), latest_.number + 1};
}

/// A relaxed atomic on a word whose earlier accesses happen before it, or are atomics that do not and that it does not
/// conflict with. Returns whether that is so.
bool Races::add_atomic(Touch& now, std::uintptr_t word, Storage storage,
                       const Order::Group& group) {
  now.bytes = 0xf;
  Shadow& shadow = shadow_of(storage);
  State& state = shadow.own(*shadow.ids(word), word);
  if (state.add_settled(now)) return true;
  const Knowledge& knowledge = group.knows[static_cast<std::size_t>(storage)];
  update_latest(now, knowledge);
  if (state.add_of_other(now, latest_.number)) return true;
  const auto& touches = state.touches();
  std::size_t same = touches.size();
  // Of the scope of a subgroup, atomics of another one would be examined otherwise.
  bool for_others = now.scope == Scope::device || now.scope == Scope::workgroup;
  std::uint32_t subgroups = State::bit_of(now.subgroup);
  for (std::size_t k = 0; k < touches.size(); ++k) {
    const Touch& old = touches[k];
    if (old.kind != AccessKind::atomic || conflict(old, now)) {
      // It stays, and nothing is found if it happens before.
      if (replaces(now, old) || is_stale(old, now, storage) ||
          included(knowledge, old.lanes, old) != old.lanes)
        return false;
      for_others = for_others && old.kind != AccessKind::atomic;
      continue;
    }
    if (old.is_same(now)) {
      same = k;
      continue;
    }
    if (old.is_of_subgroup(now) ||
        (old.workgroup == now.workgroup ? old.clock <= latest_.clock : latest_.others))
      return false;
    subgroups |= State::bit_of(old.subgroup);
  }
  if (same < touches.size()) {
    state.settle(same, now.lanes);
    return true;
  }
  const bool has_room = touches.size() < State::most;
  state.add(now);
  if (for_others && has_room && now.clock > latest_.clock)
    state.open_to_others(latest_.number, subgroups);
  return true;
}

void Races::access_in_rows(const Event& event, Touch& now, LaneSet changes, Storage storage,
                           const Order::Group& group) {
  const Access& access = event.access;
  const bool together = event.kind != Event::Kind::write;
  const bool is_word = event.kind == Event::Kind::atomic && access.bytes == Shadow::word_bytes;
  bool scattered = false;  // atomics that are no row are seldom several
  now.clock = group.clock;
  for (LaneSet left = event.others; left.any_lane();) {
    const int first = left.first();
    const std::uint64_t byte = access.byte[static_cast<std::size_t>(first)];
    now.lanes = LaneSet::lane(first);
    now.stride = 0;
    now.packed = false;
    if (byte == Access::outside) {
      left = left.without(now.lanes);
      continue;
    }
    const Run run = access.byte.is_row() ? first_run_of_row(access.byte, left, changes)
                    : scattered          ? equal_run(access, left, changes)
                                         : first_run(access, left, changes);
    scattered = is_word && run.lanes != left;
    const auto begin = reinterpret_cast<std::uintptr_t>(access.data + byte);
    now.changes = changes.test(first);
    if (run.stride == 0 && together) now.lanes = run.lanes;
    if (is_word && run.stride == 0 && begin % Shadow::word_bytes == 0 &&
        add_atomic(now, begin, storage, group)) {
      left = left.without(now.lanes);
      continue;
    }
    if (is_row(access, run, begin)) {
      now.lanes = run.lanes;
      now.stride = static_cast<std::int32_t>(run.stride);
      now.packed = run.packed;
      now.base = run.packed ? begin : begin - static_cast<std::uintptr_t>(run.stride * first);
      now.bytes = 0xf;
      Row(*this, group, access, now, storage).touch(begin);
    } else {
      touch_words(now, access, byte, storage);
    }
    left = left.without(now.lanes);
  }
  const bool shared = storage == Storage::shared;
  if (event.kind == Event::Kind::write && order_.has_releases(shared))
    for_each_lane(event.others, [&](int lane) {
      const std::uint64_t byte = access.byte[static_cast<std::size_t>(lane)];
      if (byte != Access::outside) order_.write(access.data + byte, shared);
    });
}

}  // namespace lockstep::detectors
