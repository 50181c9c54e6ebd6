#pragma once

#include <deque>
#include <vector>

#include "spirv/native/registers.hpp"

/// \file
/// Machine code for a program, instruction by instruction.

namespace lockstep::spirv {

/// Writes the code. It is entered as f(Context*, where to begin); what it returns is a Context that goes
/// on where only Context::next says, or null once nobody is left.
class Writer : private Registers {
 public:
  Writer(const Program& program, std::size_t bytes, std::uint8_t* to);

  void write();
  /// Where each instruction begins, for who enters there.
  std::vector<const std::uint8_t*> starts() const;

 private:
  /// Code out of the way: what an instruction does where its short form does not do.
  struct Cold {
    Xbyak::Label begin, back;
    std::size_t inst = 0;
    bool is_label = false;  ///< whether others who go to the instruction come here
    Contents before, after;
  };
  /// A loop without calls, labels or other loops in it.
  struct Loop {
    std::size_t head = 0, back = 0;
    std::vector<Held> pins;
    Xbyak::Label pinned_head;
  };

  std::size_t number(const Inst* i) const;
  bool is_short(std::size_t k) const;
  bool is_end_of_trip(std::size_t k) const;
  void find_targets();
  void find_loops();
  bool is_simple(std::size_t head, std::size_t back) const;
  std::vector<Held> find_pins(std::size_t head, std::size_t back) const;
  bool is_indexed(std::uint32_t at) const;

  void begin(std::size_t k);
  void instruction(std::size_t k);
  void end_of_life(std::size_t k);
  void call_function(std::size_t k);
  void go_if(const Inst* target);
  void jump_unless(const Inst& i, const Recipe& recipe, const Xbyak::Label& label);
  void write_next();
  Cold& cold(std::size_t k);
  void come_back(Cold& code);
  void write_cold(Cold& code);

  void write_test(std::size_t k);
  void write_rejoin(std::size_t k);
  void end_trip(std::size_t k, Cold& code);
  void write_trip_end(std::size_t k);
  void write_trip_back(std::size_t k);
  void back_by_call(std::size_t k);
  void write_run(std::size_t k);
  void write_indexed(std::size_t k);

  void arithmetic(const Inst& i, const Recipe& recipe);
  void whole_bool(const Inst& i, const Recipe& recipe);
  void compare(const Inst& i, const Recipe& recipe);
  void compare_chunks(const Inst& i, const Recipe& recipe);
  void operation(const Inst& i, const Recipe& recipe, std::uint32_t k, const Zmm& result,
                 const Zmm& to);
  void place(const Inst& i, const Zmm& to, const Zmm& index);
  void negate(const Zmm& to, const Zmm& a, bool real);
  void shift(const Zmm& to, const Zmm& a, const Zmm& count, const Recipe& recipe);
  Zmm broadcast(std::uint32_t value);

  const Program& program_;
  std::vector<Xbyak::Label> labels_;
  std::vector<bool> is_target_;
  std::deque<Loop> loops_;
  Loop* loop_ = nullptr;  ///< that code is being written for
  std::deque<Cold> cold_;
  std::size_t deaths_ = 0;  ///< of Program::deaths, those that are past
  Xbyak::Label exit_;
};

}  // namespace lockstep::spirv
