#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include <lockstep/exec/lane_set.hpp>
#include <lockstep/exec/memory_object.hpp>
#include <lockstep/exec/memory_order.hpp>

#include "check/clocks.hpp"

/// \file
/// Who accessed each byte of memory.

namespace lockstep::judges {

/// Accesses of invocations of one subgroup to a word of four bytes, by one instruction and between the same releases.
struct Touch {
  LaneSet lanes;
  std::uint32_t workgroup = 0;  ///< in the order in which they started
  std::uint32_t subgroup = 0;
  Clock clock = 0;
  std::uint32_t site = 0;  ///< number of the place and the way of the access
  AccessKind kind = AccessKind::read;
  bool changes = false;    ///< they write, or are atomics that do
  Scope scope{};           ///< of an atomic
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
};

/// The accesses to one word that a later one can race with, in their order.
class Word {
 public:
  /// More are kept of no word: then new ones replace old ones of the same workgroup.
  static constexpr std::size_t most = 16;

  bool is_untouched() const { return first_.bytes == 0; }
  /// Calls f(touch) for each, which may change its lanes; removes those where it holds.
  template <class F>
  void remove_if(F f) {
    if (is_untouched()) return;
    const std::size_t count = size();
    std::size_t kept = 0;
    for (std::size_t k = 0; k < count; ++k) {
      if (f(at(k))) continue;
      if (kept != k) at(kept) = at(k);
      ++kept;
    }
    if (kept == 0) first_.bytes = 0;
    if (kept <= 1)
      more_.reset();
    else
      more_->resize(kept - 1);
  }
  void add(const Touch& touch) {
    if (is_untouched()) {
      first_ = touch;
      return;
    }
    for (std::size_t k = 0, count = size(); k < count; ++k) {
      if (!at(k).is_same(touch)) continue;
      at(k).lanes = at(k).lanes | touch.lanes;
      return;
    }
    if (more_ == nullptr) more_ = std::make_unique<std::vector<Touch>>();
    if (more_->size() + 1 < most) return more_->push_back(touch);
    std::size_t replaced = touch.subgroup % most;
    for (std::size_t k = 0; k < most; ++k)
      if (at(k).workgroup == touch.workgroup && at(k).kind == touch.kind) replaced = k;
    at(replaced) = touch;
  }

 private:
  std::size_t size() const { return more_ == nullptr ? 1 : 1 + more_->size(); }
  Touch& at(std::size_t k) { return k == 0 ? first_ : (*more_)[k - 1]; }

  Touch first_;  ///< of no bytes: there is none
  std::unique_ptr<std::vector<Touch>> more_;
};

/// The words of memory, by address.
class Shadow {
 public:
  Word& word(std::uintptr_t address) {
    const std::uintptr_t number = address / page_bytes;
    if (number != last_number_ || last_ == nullptr) {
      auto& page = pages_[number];
      if (page == nullptr) page = std::make_unique<Page>();
      last_ = page.get();
      last_number_ = number;
    }
    return (*last_)[address % page_bytes / word_bytes];
  }
  void clear() {
    pages_.clear();
    last_ = nullptr;
  }

  static constexpr std::uintptr_t word_bytes = 4;

 private:
  static constexpr std::uintptr_t page_bytes = 4096;
  using Page = std::array<Word, page_bytes / word_bytes>;

  std::unordered_map<std::uintptr_t, std::unique_ptr<Page>> pages_;
  std::uintptr_t last_number_ = 0;
  Page* last_ = nullptr;
};

}  // namespace lockstep::judges
