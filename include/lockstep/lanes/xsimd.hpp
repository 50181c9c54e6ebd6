#pragma once

#include <type_traits>

#include <xsimd/xsimd.hpp>

#include <lockstep/lanes/lanes.hpp>

/// \file
/// Lanes as batches of xsimd, for its functions. lockstep.hpp does not include this header, and
/// lockstep::lockstep does not need xsimd.

namespace lockstep::inline LOCKSTEP_ABI {

/// f(batch, ...) of the lanes as xsimd's batches of the widest register:
/// `on_batches([](const auto& x) { return xsimd::exp(x); }, value)`.
///
/// Requires      xsimd 8.1; the project links xsimd itself. Numbers that xsimd has batches of, and f returns a
///               batch of the same type. Lanes of one type and width.
/// Active lanes  All lanes are computed, including inactive ones, and above W zeros.
/// Errors        None.
/// Cost          A copy to memory and back, and a call of f for each register.
/// Spec          None.
/// Example       tests/lanes/xsimd.cpp
template <class F, class T, int W, std::same_as<Lanes<T, W>>... More>
requires std::is_arithmetic_v<T> LOCKSTEP_INLINE auto on_batches(F&& f, const Lanes<T, W>& lanes,
                                                                 const More&... more) {
  using Batch = xsimd::batch<T>;
  constexpr int each = static_cast<int>(Batch::size), physical = Lanes<T, W>::physical;
  constexpr int length = physical < each ? each : physical;
  struct InBatches {
    explicit InBatches(const Lanes<T, W>& from) {
      detail::store_packs<T, physical>(lane, from.packs());
    }
    Batch batch(int first) const { return Batch::load_unaligned(lane + first); }
    alignas(64) T lane[length] = {};
  };
  alignas(64) T result[length];
  [&](const auto&... in) {
    for (int first = 0; first < length; first += each)
      f(in.batch(first)...).store_unaligned(result + first);
  }(InBatches(lanes), InBatches(more)...);
  return Lanes<T, W>(detail::load_packs<T, physical>(result));
}

}  // namespace lockstep::inline LOCKSTEP_ABI
