#pragma once

#include <array>
#include <cstdint>

#include <lockstep/exec/reconvergence_stack.hpp>

namespace lockstep::spirv {

/// Meetings of a subgroup without a stack of its own: what asks for votes that are not there yet is thrown out of the
/// transition, and repeats it once they are.
class RepeatedMeeting : public Meeting {
 public:
  struct Unanswered {
    SourceLocation where;
    std::uint64_t instance;
    std::uint32_t vote;
  };

  std::uint32_t meet(SourceLocation where, std::uint64_t instance, std::uint32_t vote) override {
    if (instance <= answered_) return answers_[instance % most];
    throw Unanswered{where, instance, vote};
  }
  /// The subgroup waits until an answer to the next instance comes.
  void wait() { waits_ = true; }
  bool waits() const { return waits_; }
  void answer(std::uint32_t votes) {
    answers_[++answered_ % most] = votes;
    waits_ = false;
  }

 private:
  static constexpr std::size_t most = 8;  ///< a transition asks for fewer

  std::array<std::uint32_t, most> answers_{};
  std::uint64_t answered_ = 0;
  bool waits_ = false;
};

}  // namespace lockstep::spirv
