#pragma once

#include <cstdint>
#include <vector>

#include "shader/ir/ir.hpp"

/// \file
/// What depends on control flow, for conditions that devices may decide differently.

namespace lockstep::spirv {

/// A selection, loop, switch or call.
struct ConstructEffects {
  std::uint32_t parent = no_construct;  ///< the construct around it
  std::vector<Reg> written;             ///< variables, in the construct or one inside it
  std::vector<std::uint32_t> stores;    ///< operations that write memory, likewise
  /// The outermost construct that jumps inside it leave, if that is around it; leaves_all: the entry point.
  std::uint32_t leaves = no_construct;
  bool decides = false;  ///< whether lanes may take different branches in it on other devices
};
inline constexpr std::uint32_t leaves_all = no_construct - 1;

/// The effects of each construct of a shader, by its number.
class ControlEffects {
 public:
  explicit ControlEffects(const Ir& ir);

  const ConstructEffects& of(std::uint32_t construct) const { return list_[construct]; }
  /// Notes that lanes may take different branches at the condition of a construct, and what follows for the constructs
  /// around it. Returns whether that is new.
  bool decide(std::uint32_t construct);
  /// The construct at whose end lanes that diverge at this one's condition have reconverged.
  std::uint32_t reach(std::uint32_t construct) const;
  /// All operations that write memory.
  const std::vector<std::uint32_t>& all_stores() const { return stores_; }

 private:
  void note_store(std::uint32_t op, std::uint32_t innermost);
  void note_write(Reg variable, std::uint32_t innermost);
  void note_jump(std::uint32_t from, std::uint32_t to);
  bool is_around(std::uint32_t outer, std::uint32_t inner) const;

  std::vector<ConstructEffects> list_;
  std::vector<std::uint32_t> stores_;
};

}  // namespace lockstep::spirv
