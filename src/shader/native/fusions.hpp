#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "shader/native/native.hpp"
#include "shader/run/program.hpp"

/// \file
/// Operations on integers that one instruction of some processors computes together.

namespace lockstep::spirv {

/// What an operation computes of other operands than its own, instead of what it says.
struct Fusion {
  enum class Kind : std::uint8_t { rotate, combine };
  struct Operand {
    std::uint32_t at = 0;
    bool varying = true;
  };
  Kind kind = Kind::rotate;
  std::uint8_t number = 0;  ///< rotate: bits to the right; combine: the result of each three bits
  std::vector<Operand> operands;  ///< one, or three
};
/// Constants of 32 and 64 bits by their places.
using Constants = std::map<std::uint32_t, std::uint64_t>;

/// Finds operations whose only use is the one that they are fused with:
///
///     x >> n | x << (bits - n)        a rotation
///     f(g(x, y), z)                   any three bits, where f and g are and, or, exclusive or; also g(x) = not x
class Fusions {
 public:
  /// is_target: the labels.
  Fusions(const Program& program, const std::vector<bool>& is_target, const Constants& constants);

  /// Whether the instruction computes nothing by itself.
  bool is_part(std::size_t k) const { return whole_[k] != 0; }
  /// The instruction that computes it, later.
  std::size_t whole_of(std::size_t k) const { return whole_[k]; }
  /// Null if the instruction computes what it says.
  const Fusion* at(std::size_t k) const { return at_[k] ? &*at_[k] : nullptr; }

 private:
  bool is_plain(std::size_t k) const;
  std::optional<std::size_t> find_part(std::size_t k, int operand) const;
  bool ends(std::size_t k, std::uint32_t at) const;
  const std::uint64_t* count_of(const Inst& shift) const;
  void find_rotation(std::size_t k);
  void find_combination(std::size_t k);

  const Program& program_;
  const std::vector<bool>& is_target_;
  const Constants& constants_;
  std::vector<std::size_t> whole_;  ///< 0: none
  std::vector<std::optional<Fusion>> at_;
};

}  // namespace lockstep::spirv
