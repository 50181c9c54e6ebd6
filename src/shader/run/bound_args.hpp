#pragma once

#include <cstring>
#include <vector>

#include "oracle/allowed.hpp"
#include "shader/run/program.hpp"

/// \file
/// Operands and results of the operations that keep allowed values.

namespace lockstep::spirv {

/// Bytes of a lane in a register of oracle::Allowed, so that registers stay aligned.
inline constexpr std::uint32_t allowed_bytes = (sizeof(oracle::Allowed) + 7) / 8 * 8;

struct BoundArgs {
  Bound bound;
  std::vector<Slot> slots;    ///< operands; nowhere: there is none
  std::vector<Scalar> types;  ///< of the operands
  std::vector<Slot> results;
  const IndexedArgs* variable = nullptr;  ///< load_indexed, store_indexed
  const SampleArgs* sample = nullptr;     ///< sample_texels: the operation's
};

/// What is allowed for a lane's operand: exact if there is no such register.
inline oracle::Allowed get_allowed(const Context& c, const Slot& slot, int lane) {
  oracle::Allowed allowed;
  if (slot.at != nowhere)
    std::memcpy(&allowed, c.regs + slot.at + static_cast<std::size_t>(lane) * allowed_bytes,
                sizeof allowed);
  return allowed;
}
inline void put_allowed(Context& c, const Slot& slot, int lane, const oracle::Allowed& allowed) {
  std::memcpy(c.regs + slot.at + static_cast<std::size_t>(lane) * allowed_bytes, &allowed,
              sizeof allowed);
}

/// The bits of a lane's number in a register, in the low bits.
inline std::uint64_t get_bits(const Context& c, const Slot& slot, Scalar type, int lane) {
  const auto number = static_cast<std::size_t>(slot.varying ? lane : 0);
  if (type == Scalar::boolean)
    return static_cast<std::uint64_t>(c.regs[slot.at + number / 8]) >> (number % 8) & 1;
  std::uint64_t bits = 0;
  std::memcpy(&bits, c.regs + slot.at + number * size_of(type), size_of(type));
  return bits;
}

constexpr const oracle::Format& format_of(Scalar type) {
  return type == Scalar::f16   ? oracle::float16
         : type == Scalar::f32 ? oracle::float32
                               : oracle::float64;
}

/// What component k of the texel at an address may be when it is read; `value` is the reference's.
oracle::Allowed allowed_component(const Context& c, const Memory& image, std::byte* at,
                                  std::size_t k, double value, std::uint32_t origin);

Run find_bound(Bound::Kind kind);
// The families, each in its file.
Run find_bound_compute();
Run find_bound_memory(Bound::Kind kind);
Run find_bound_lanes(Bound::Kind kind);
Run find_bound_texel(Bound::Kind kind);
Run find_bound_sample();

}  // namespace lockstep::spirv
