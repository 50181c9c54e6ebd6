#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/dispatch/device.hpp>
#include <lockstep/glsl/kernel.hpp>

#include "support/settings.hpp"

/// \file
/// Kernels that record, lane by lane, what they do, compared with a scalar program.
///
/// A test is a kernel and a function that is the same program for one lane:
///
///   template <class S>
///   struct Halve : Kernel<S> {
///     LOCKSTEP_GLSL(S);
///     static constexpr Size3 local_size{150};
///     Buffer<const uint> in;
///     Buffer<uint> pages;
///     Diary<S> diary{*this, pages};
///     void main() { ... diary.note(1); ... diary.value(n); ... }
///   };
///   void halve(std::uint32_t x, LaneDiary& diary) { ... diary.note(1, {trip}); ... }
///   TEST_CASE(...) { check_diaries<Halve>(halve); }

namespace lockstep::test {

/// Words of one lane's diary.
inline constexpr std::uint32_t page_size = 64;
/// The contents of unwritten words.
inline constexpr std::uint32_t unwritten = 0xcccccccc;

/// A note: the point, the lowest active lane and the number of active lanes.
constexpr std::uint32_t note_word(std::uint32_t point, std::uint32_t first, std::uint32_t count) {
  return point << 16 | first << 8 | count;
}

/// A kernel's diary. Its functions are out of line: kernels call them everywhere, and only compile
/// time matters.
template <class S>
class Diary {
 public:
  static constexpr int width = S::width;
  using Uint = Lanes<std::uint32_t, width>;

  Diary(const Kernel<S>& kernel, Array<std::uint32_t, width> pages)
      : kernel_(kernel),
        pages_(pages),
        at_(kernel.lockstep_state().active,
            Uint(kernel.gl_WorkGroupID.x * kernel.gl_WorkGroupSize.x * page_size) +
                kernel.gl_LocalInvocationIndex * Uint(page_size)) {}

  /// The active lanes pass a point.
  [[gnu::noinline]] void note(std::uint32_t point) {
    const auto here = kernel_.subgroupBallot(true);
    value(note_word(point, kernel_.subgroupBallotFindLSB(here),
                    kernel_.subgroupBallotBitCount(here)));
  }
  /// The active lanes have a value.
  [[gnu::noinline]] void value(const Uint& v) {
    pages_[at_] = v;
    at_ += 1u;
  }

 private:
  const Kernel<S>& kernel_;
  Array<std::uint32_t, width> pages_;
  Var<std::uint32_t, width> at_;
};

/// One lane's diary.
class LaneDiary {
 public:
  struct Entry {
    bool is_note;
    std::uint32_t number;  ///< the note's point, or the value
    std::vector<std::uint32_t> trips;
  };

  /// The lane passes a point. `trips` are the iterations of the enclosing loops: lanes in the same
  /// iterations pass it together.
  void note(std::uint32_t point, std::vector<std::uint32_t> trips = {}) {
    entries_.push_back({true, point, std::move(trips)});
  }
  /// The lane has a value.
  void value(std::uint32_t v) { entries_.push_back({false, v, {}}); }

  const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;
};

/// A scalar program: x is the invocation's input.
using LaneProgram = void (*)(std::uint32_t x, LaneDiary& diary);

/// The inputs of the invocations: mostly small numbers.
inline std::vector<std::uint32_t> diary_inputs(std::size_t count) {
  Random random = make_random(count);
  std::vector<std::uint32_t> in(count);
  for (auto& x : in) x = static_cast<std::uint32_t>(random() % (random() % 4 == 0 ? 2000 : 40));
  return in;
}

/// The expected pages of lanes in workgroups of `local` and subgroups of `size`.
inline std::vector<std::uint32_t> expected_pages(const std::vector<std::uint32_t>& in,
                                                 std::size_t local, std::size_t size,
                                                 LaneProgram program) {
  std::vector<LaneDiary> diaries(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) program(in[i], diaries[i]);

  struct Party {
    std::uint32_t first, count;
  };
  std::vector<std::uint32_t> pages(in.size() * page_size, unwritten);
  for (std::size_t group = 0; group < in.size(); group += local) {
    for (std::size_t first = group; first < group + local; first += size) {
      const std::size_t end = std::min(first + size, group + local);
      std::map<std::pair<std::uint32_t, std::vector<std::uint32_t>>, Party> parties;
      for (std::size_t i = first; i < end; ++i) {
        for (const auto& entry : diaries[i].entries()) {
          if (!entry.is_note) continue;
          const auto lane = static_cast<std::uint32_t>(i - first);
          ++parties.try_emplace({entry.number, entry.trips}, Party{lane, 0}).first->second.count;
        }
      }
      for (std::size_t i = first; i < end; ++i) {
        const auto& entries = diaries[i].entries();
        REQUIRE(entries.size() <= page_size);
        for (std::size_t k = 0; k < entries.size(); ++k) {
          std::uint32_t& word = pages[i * page_size + k];
          word = entries[k].number;
          if (!entries[k].is_note) continue;
          const Party& party = parties.at({entries[k].number, entries[k].trips});
          word = note_word(entries[k].number, party.first, party.count);
        }
      }
    }
  }
  return pages;
}

inline std::string describe_word(std::uint32_t word) {
  char text[80];
  std::snprintf(text, sizeof text, "0x%x (as a note: point %u, first lane %u, %u lanes)", word,
                word >> 16, word >> 8 & 0xff, word & 0xff);
  return text;
}

inline void check_pages(const std::vector<std::uint32_t>& got,
                        const std::vector<std::uint32_t>& want, std::size_t size) {
  const auto wrong = std::mismatch(got.begin(), got.end(), want.begin(), want.end());
  if (wrong.first == got.end()) {
    CHECK(got.size() == want.size());
    return;
  }
  const auto word = static_cast<std::size_t>(wrong.first - got.begin());
  FAIL("subgroup size " << size << ", invocation " << word / page_size << ", word "
                        << word % page_size << ":\n got " << describe_word(*wrong.first)
                        << "\nwant " << describe_word(*wrong.second) << "\nseed " << seed());
}

/// The subgroup sizes that kernels run at.
#if defined(LOCKSTEP_TEST_REDUCED)
inline constexpr int run_sizes[] = {1, 3, 24, 33, 128};
#else
inline constexpr int run_sizes[] = {1, 2, 3, 4, 5, 8, 16, 24, 31, 32, 33, 64, 100, 127, 128};
#endif

/// Runs K at every subgroup size and compares all diaries with those of the scalar program. Widths
/// are the compiled ones: one with padding and the widest, in full tests also one without vectors.
template <template <class> class K, int... Widths>
void check_diaries(LaneProgram program) {
  if constexpr (sizeof...(Widths) == 0) {
#if defined(LOCKSTEP_TEST_FULL)
    check_diaries<K, 1, 24, 128>(program);
#else
    check_diaries<K, 24, 128>(program);
#endif
  } else {
    constexpr std::size_t local = K<FastMachine<1>>::local_size.x;
    constexpr std::size_t groups = 3;
    const std::vector<std::uint32_t> in = diary_inputs(groups * local);
    for (const int size : run_sizes) {
      std::vector<std::uint32_t> pages(in.size() * page_size, unwritten);
      const Device device{.subgroup_size = size, .threads = 1};
      const FaultLog faults = device.dispatch<K, Widths...>({groups}, in, pages);
      CHECK(faults.count() == 0);
      const auto lanes = static_cast<std::size_t>(size);
      check_pages(pages, expected_pages(in, local, lanes, program), lanes);
    }
  }
}

}  // namespace lockstep::test
