#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <lockstep/exec/lane_set.hpp>
#include <lockstep/exec/source_location.hpp>
#include <lockstep/exec/tangles.hpp>

namespace lockstep {

struct Frame;

/// Lanes that wait until their loop is over to run code before their break, once for all of them.
struct LateBreak {
  const void* at = nullptr;     ///< the front end's own: where that code begins
  LaneSet lanes;                ///< of one or several iterations
  std::vector<Frame> inside;    ///< the constructs between the loop and that code
  std::vector<std::byte> kept;  ///< the front end's own: the values of the lanes
};

/// One construct that lanes are in.
struct Frame {
  /// The constructs that have a frame.
  enum class Kind { selection, loop, switch_statement, call };

  Kind kind = Kind::selection;
  SourceLocation where;
  Tangles header;                    ///< the tangles that entered
  bool promised = false;             ///< all rejoin at the end unless one escapes
  Tangles waiting;                   ///< selection: for the other side; switch: for their case
  Tangles arrived;                   ///< at the end of the construct
  Tangles continuing;                ///< loop: at the end of this iteration
  std::uint64_t trips = 0;           ///< loop: how often its test let lanes in
  const void* other = nullptr;       ///< selection whose other side is first: the front end's own
  std::vector<LateBreak> late = {};  ///< loop: lanes that break when it is over
};

/// The constructs that lanes are in, from the outermost in.
///
/// Requires      As std::vector.
/// Active lanes  None of its own.
/// Errors        None.
/// Cost          Frames are never destroyed, but used again for later constructs: no allocation while the stack is
///               not deeper than before.
/// Spec          SPIR-V 2.11: structured control flow
/// Example       tests/exec/frames.cpp
class Frames {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  Frame& back() { return kept_[size_ - 1]; }
  const Frame& back() const { return kept_[size_ - 1]; }
  Frame& operator[](std::size_t k) { return kept_[k]; }
  const Frame& operator[](std::size_t k) const { return kept_[k]; }
  Frame* begin() { return kept_.data(); }
  Frame* end() { return begin() + size_; }
  const Frame* begin() const { return kept_.data(); }
  const Frame* end() const { return begin() + size_; }

  /// Adds a construct that no lane is in.
  Frame& push(Frame::Kind kind, SourceLocation where) {
    if (size_ == kept_.size()) grow();
    Frame& frame = kept_[size_++];
    frame.kind = kind;
    frame.where = where;
    frame.header.clear();
    frame.promised = false;
    frame.waiting.clear();
    frame.arrived.clear();
    frame.continuing.clear();
    frame.trips = 0;
    frame.other = nullptr;
    frame.late.clear();
    return frame;
  }
  /// Adds one with its lanes.
  void push(const Frame& frame);
  void clear() { size_ = 0; }
  /// Removes the innermost one, which keeps what it has until the next push.
  const Frame& pop() { return kept_[--size_]; }

 private:
  void grow();

  std::vector<Frame> kept_;  ///< those beyond the size are spare
  std::size_t size_ = 0;
};

}  // namespace lockstep
