#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include <boost/container/small_vector.hpp>

#include <lockstep/exec/lane_set.hpp>
#include <lockstep/exec/memory_object.hpp>
#include <lockstep/exec/memory_order.hpp>

#include "runtime/check/clocks.hpp"

/// \file
/// Who accessed each byte of memory.

namespace lockstep::detectors {

/// Accesses of invocations of one subgroup by one instruction and between the same releases: to a word of four bytes, or
/// to a row of words, each by another lane.
struct Touch {
  LaneSet lanes;  ///< of all words
  /// Of a row: where lane 0 would access. Of a packed one: where the first lane does.
  std::uintptr_t base = 0;
  std::int32_t stride = 0;  ///< of a row: bytes from lane to lane; 0: all lanes access each word
  bool packed = false;      ///< of a row: lanes that are missing leave no gaps
  std::uint32_t workgroup = 0;  ///< in the order in which they started
  std::uint32_t subgroup = 0;
  Clock clock = 0;
  std::uint32_t site = 0;  ///< number of the place and the way of the access
  AccessKind kind = AccessKind::read;
  bool changes = false;    ///< they write, or are atomics that do
  Scope scope{};           ///< of an atomic, or in which the access is coherent
  std::uint8_t bytes = 0;  ///< a bit for each byte of the word
  std::uint8_t size = 0;   ///< of the whole number

  bool is_of_subgroup(const Touch& other) const {
    return workgroup == other.workgroup && subgroup == other.subgroup;
  }
  /// Whether both are of one subgroup, one instruction and between the same releases.
  bool is_like(const Touch& other) const {
    return is_of_subgroup(other) && clock == other.clock && site == other.site;
  }
  /// Whether they differ in nothing but the lanes.
  bool is_same(const Touch& other) const {
    return is_like(other) && bytes == other.bytes && changes == other.changes &&
           scope == other.scope && size == other.size;
  }

  /// Whether they differ in nothing but the subgroup, which is another of the same workgroup, and the lanes.
  bool is_same_of_other(const Touch& other) const {
    return workgroup == other.workgroup && subgroup != other.subgroup && clock == other.clock &&
           site == other.site && bytes == other.bytes && changes == other.changes &&
           scope == other.scope && size == other.size;
  }

  bool is_row() const { return stride != 0; }
  /// Of a row, the lane that accesses the word.
  int lane_at(std::uintptr_t word) const {
    const auto number = static_cast<int>(static_cast<std::int64_t>(word - base) / stride);
    return packed ? number_of(number) : number;
  }
  /// The lane that so many of the row's lanes precede.
  int number_of(int before) const {
    LaneSet left = lanes;
    while (before-- > 0) left = left.without(LaneSet::lane(left.first()));
    return left.first();
  }
  /// The accesses to one word.
  Touch at(std::uintptr_t word) const {
    Touch one = *this;
    if (is_row()) one.lanes = LaneSet::lane(lane_at(word));
    one.stride = 0;
    return one;
  }
};

/// Whether every access that conflicts with the old one conflicts with the new one.
inline bool replaces(const Touch& now, const Touch& old) {
  if ((old.bytes & ~now.bytes) != 0) return false;
  if (now.kind == AccessKind::write) return true;
  if (now.kind == AccessKind::read) return !old.changes && old.kind == AccessKind::read;
  return old.kind == AccessKind::atomic && old.size == now.size && old.scope == now.scope &&
         old.bytes == now.bytes && (now.changes || !old.changes);
}

/// The accesses to a word, or alike to many, that a later one can race with, in their order.
class State {
 public:
  /// More are kept of no word: then new ones replace old ones of the same workgroup.
  static constexpr std::size_t most = 16;
  /// One access, which is all that most words have, needs no allocation.
  using Touches = boost::container::small_vector<Touch, 1>;

  std::uint32_t words = 0;  ///< that are in this state

  const Touches& touches() const { return touches_; }
  bool has_rows() const { return has_rows_; }
  void clear() {
    change();
    touches_.clear();
    has_rows_ = false;
  }
  /// As it is; there must be room.
  void append(const Touch& touch) {
    change();
    touches_.push_back(touch);
    has_rows_ = has_rows_ || touch.is_row();
  }

  /// Calls f(touch) for each, which may change its lanes; removes those where it holds. Not for rows.
  template <class F>
  void remove_if(F f) {
    change();
    touches_.erase(std::remove_if(touches_.begin(), touches_.end(), f), touches_.end());
  }
  /// Adds accesses to one word; lanes of the same access come together. Not for rows.
  void add(const Touch& touch) {
    change();
    for (Touch& t : touches_) {
      if (!t.is_same(touch)) continue;
      t.lanes = t.lanes | touch.lanes;
      return;
    }
    if (touches_.size() < most) return touches_.push_back(touch);
    replace(touch);
  }
  /// Of a full state, one of the accesses goes for the new one.
  void replace(const Touch& touch) {
    change();
    has_rows_ = has_rows_ || touch.is_row();
    std::size_t replaced = touch.subgroup % most;
    for (std::size_t k = 0; k < most; ++k)
      if (touches_[k].workgroup == touch.workgroup && touches_[k].kind == touch.kind) replaced = k;
    touches_[replaced] = touch;
  }

  /// Adds lanes to the k-th access. Others of the same access can be added without a look at the rest, until that
  /// changes other than in lanes.
  void settle(std::size_t k, LaneSet lanes) {
    touches_[k].lanes = touches_[k].lanes | lanes;
    settled_ = static_cast<std::uint8_t>(k);
  }
  /// Adds the access to the one that was settled, if it is the same. Returns whether it is.
  bool add_settled(const Touch& touch) {
    if (settled_ == most || !touches_[settled_].is_same(touch)) return false;
    touches_[settled_].lanes = touches_[settled_].lanes | touch.lanes;
    return true;
  }

  /// The last access was examined by what all subgroups know that know as much: each other one that does the same need
  /// not be examined, until something else changes than lanes. The number is that of the knowledge; `subgroups` are those
  /// that have atomics here, modulo 32.
  void open_to_others(std::uint32_t knowledge, std::uint32_t subgroups) {
    settled_ = static_cast<std::uint8_t>(touches_.size() - 1);
    knowledge_ = knowledge;
    subgroups_ = subgroups;
  }
  /// Adds the access if it need not be examined. Returns whether it was added.
  bool add_of_other(const Touch& touch, std::uint32_t knowledge) {
    if (knowledge_ != knowledge || touches_.size() == most ||
        (subgroups_ & bit_of(touch.subgroup)) != 0 ||
        !touches_[touches_.size() - 1].is_same_of_other(touch))
      return false;
    touches_.push_back(touch);
    open_to_others(knowledge, subgroups_ | bit_of(touch.subgroup));
    return true;
  }
  static constexpr std::uint32_t bit_of(std::uint32_t subgroup) {
    return std::uint32_t{1} << subgroup % 32;
  }

 private:
  void change() {
    settled_ = most;
    knowledge_ = 0;
  }

  Touches touches_;
  bool has_rows_ = false;
  std::uint8_t settled_ = most;
  std::uint32_t knowledge_ = 0;  ///< by which the last access was examined for others; 0: none
  std::uint32_t subgroups_ = 0;
};

/// The states of the words of memory, by address. Words that were accessed alike share one.
///
/// Requires      Word addresses are multiples of four.
/// Active lanes  None.
/// Errors        None.
/// Cost          Four bytes for each word of a page that was accessed, and the states.
/// Spec          None.
/// Example       src/runtime/check/races.cpp
class Shadow {
 public:
  using Id = std::uint32_t;  ///< of a state; 0: nothing has accessed the word

  static constexpr std::uintptr_t word_bytes = 4;
  static constexpr std::uintptr_t page_bytes = 16384;

  State& state(Id id) { return (*chunks_[id / chunk_states])[id % chunk_states]; }

  /// The ids of the word at the address and of those after it on its page.
  Id* ids(std::uintptr_t address) {
    const std::uintptr_t number = address / page_bytes;
    Recent& recent = recent_[(number ^ number / recent_.size()) % recent_.size()];
    if (recent.page == nullptr || recent.number != number) find(number, recent);
    return recent.page->data() + address % page_bytes / word_bytes;
  }

  /// A new state of no words, without accesses.
  Id make() {
    Id id;
    if (!free_.empty()) {
      id = free_.back();
      free_.pop_back();
    } else {
      id = next_++;
      if (id / chunk_states >= chunks_.size()) chunks_.push_back(std::make_unique<Chunk>());
    }
    state(id).words = 0;
    state(id).clear();
    return id;
  }
  /// Words that were in the state are in it no longer.
  void release(Id id, std::uint32_t words) {
    if (id == 0) return;
    State& s = state(id);
    s.words -= words;
    if (s.words == 0) free_.push_back(id);
  }
  /// The state of this word alone, which no other shares, without rows.
  State& own(Id& id, std::uintptr_t word) {
    if (id != 0 && state(id).words == 1 && !state(id).has_rows()) return state(id);
    const Id mine = make();
    if (id != 0)
      for (const Touch& touch : state(id).touches()) state(mine).add(touch.at(word));
    release(id, 1);
    id = mine;
    state(id).words = 1;
    return state(id);
  }

  /// Nothing has accessed any word.
  void clear() {
    if (next_ == 1) return;
    for (auto& [number, page] : pages_) page->fill(0);
    free_.clear();
    next_ = 1;
  }

 private:
  static constexpr std::size_t chunk_states = 256;
  using Page = std::array<Id, page_bytes / word_bytes>;
  using Chunk = std::array<State, chunk_states>;
  struct Recent {
    std::uintptr_t number = 0;
    Page* page = nullptr;
  };

  void find(std::uintptr_t number, Recent& recent) {
    auto& page = pages_[number];
    if (page == nullptr) page = std::make_unique<Page>();
    recent = {number, page.get()};
  }

  std::unordered_map<std::uintptr_t, std::unique_ptr<Page>> pages_;
  std::array<Recent, 64> recent_;
  std::vector<std::unique_ptr<Chunk>> chunks_;
  std::vector<Id> free_;
  Id next_ = 1;
};

}  // namespace lockstep::detectors
