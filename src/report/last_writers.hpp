#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

#include <lockstep/exec/event.hpp>
#include <lockstep/exec/source_location.hpp>
#include <lockstep/workgroup/size3.hpp>

namespace lockstep::report {

/// The invocation that wrote something, and where.
struct Writer {
  Size3 workgroup{0, 0, 0};
  std::uint32_t subgroup = 0;
  std::uint32_t lane = 0;
  SourceLocation where;
};

/// Finds who wrote some bytes of a dispatch last, whatever it accessed them through.
///
/// Requires      Outlives the dispatch that it observes, which is deterministic. The memory does not move.
/// Active lanes  As in each event.
/// Errors        TooLong ends a dispatch that takes longer than the limit.
/// Cost          A comparison for each written number and watched range.
/// Spec          None.
/// Example       tests/report/last_writers.cpp
class LastWriters : public Observer {
 public:
  struct TooLong : std::runtime_error {
    using std::runtime_error::runtime_error;
  };

  explicit LastWriters(std::chrono::duration<double> limit)
      : end_(std::chrono::steady_clock::now() +
             std::chrono::duration_cast<std::chrono::steady_clock::duration>(limit)) {}

  /// Watches bytes; the first are number 0.
  void watch(const std::byte* data, std::size_t bytes) { ranges_.push_back({data, bytes, {}}); }
  /// Who wrote any of them last; nothing if no invocation did.
  const std::optional<Writer>& writer(std::size_t number) const { return ranges_[number].writer; }

  void on(const Event& event) override;
  /// Iterations without an access take time as well.
  Interest interest() const override {
    return {{Event::Kind::write, Event::Kind::atomic, Event::Kind::trip}, false, false};
  }

 private:
  struct Range {
    const std::byte* data;
    std::size_t bytes;
    std::optional<Writer> writer;
  };

  std::chrono::steady_clock::time_point end_;
  std::uint64_t events_ = 0;
  std::vector<Range> ranges_;
};

}  // namespace lockstep::report
