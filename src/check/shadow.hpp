#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include <lockstep/exec/event.hpp>

#include "check/clocks.hpp"

/// \file
/// Who accessed each byte of memory.

namespace lockstep::judges {

/// An invocation's access to a word of four bytes.
struct Touch {
  Who who;
  Clock clock = 0;
  std::uint32_t site = 0;  ///< number of the place and the way of the access
  AccessKind kind = AccessKind::read;
  bool changes = false;    ///< it writes, or is an atomic that does
  Scope scope{};           ///< of an atomic
  std::uint8_t bytes = 0;  ///< a bit for each byte of the word
  std::uint8_t size = 0;   ///< of the whole number
};

/// The accesses to one word that a later one can race with.
class Word {
 public:
  /// More are kept of no word: then new ones replace old ones of the same workgroup.
  static constexpr std::size_t most = 16;

  template <class F>
  void for_each(F f) const {
    for (std::size_t k = 0; k < count_; ++k) f(at(k));
  }
  /// Removes those where f holds.
  template <class F>
  void remove_if(F f) {
    std::size_t kept = 0;
    for (std::size_t k = 0; k < count_; ++k) {
      if (f(at(k))) continue;
      if (kept != k) at(kept) = at(k);
      ++kept;
    }
    count_ = static_cast<std::uint8_t>(kept);
    if (kept <= inline_) more_.reset();
  }
  void add(const Touch& touch) {
    if (count_ == most) {
      std::size_t replaced = touch.who.invocation % most;
      for (std::size_t k = 0; k < most; ++k)
        if (at(k).who.workgroup == touch.who.workgroup && at(k).kind == touch.kind) replaced = k;
      at(replaced) = touch;
      return;
    }
    if (count_ >= inline_ && more_ == nullptr) more_ = std::make_unique<More>();
    ++count_;
    at(count_ - 1u) = touch;
  }

 private:
  static constexpr std::size_t inline_ = 2;
  using More = std::array<Touch, most - inline_>;

  Touch& at(std::size_t k) { return k < inline_ ? first_[k] : (*more_)[k - inline_]; }
  const Touch& at(std::size_t k) const { return k < inline_ ? first_[k] : (*more_)[k - inline_]; }

  std::array<Touch, inline_> first_;
  std::unique_ptr<More> more_;
  std::uint8_t count_ = 0;
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
  static constexpr std::uintptr_t page_bytes = 1024;
  using Page = std::array<Word, page_bytes / word_bytes>;

  std::unordered_map<std::uintptr_t, std::unique_ptr<Page>> pages_;
  std::uintptr_t last_number_ = 0;
  Page* last_ = nullptr;
};

}  // namespace lockstep::judges
