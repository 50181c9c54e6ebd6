#include <lockstep/subgroup/ballot.hpp>
#include <lockstep/subgroup/basic.hpp>
#include <lockstep/subgroup/partitioned.hpp>
#include <lockstep/subgroup/quad.hpp>
#include <lockstep/subgroup/rotate.hpp>
#include <lockstep/subgroup/shuffle.hpp>
#include <lockstep/subgroup/shuffle_relative.hpp>
#include <lockstep/subgroup/vote.hpp>

#include "spirv/exec/ops/reduction_list.hpp"

namespace lockstep::spirv {
namespace {

using U32 = std::uint32_t;

template <class T, int P>
LOCKSTEP_INLINE Lanes<T, P> value(const Inst* i, const Context& c) {
  return get_wide<T, P>(c.regs + i->a, i->varying(0));
}
template <int P>
LOCKSTEP_INLINE Lanes<U32, P> second(const Inst* i, const Context& c) {
  return get_wide<U32, P>(c.regs + i->b, i->varying(1));
}

/// The ballot in four registers, operands first to first + 3 of the list.
template <int P>
BallotLanes<P> get_ballots(const Context& c, const ListArgs& list, std::size_t first) {
  const auto word = [&](std::size_t k) {
    const Slot& slot = list.slots[first + k];
    return get_wide<U32, P>(c.regs + slot.at, slot.varying);
  };
  return {word(0), word(1), word(2), word(3)};
}

/// Four words, uniform or per lane; only those that are used.
void give_ballot(const Inst* i, Context& c, const ListArgs& list, Ballot ballot) {
  const U32 words[4] = {ballot.x, ballot.y, ballot.z, ballot.w};
  for (std::size_t k = 0; k < 4; ++k) {
    if (list.result[k].at != nowhere) put_one<U32>(i, c.regs + list.result[k].at, words[k]);
  }
}

template <int P>
Run find_with_bools(Code code) {
  switch (code) {
    case Code::elect:
      return [](const Inst* i, Context& c) {
        return give<P>(i, c, subgroupElect(active_lanes<P>(c)));
      };
    case Code::all:
      return [](const Inst* i, Context& c) {
        return give<P>(i, c, subgroupAll(active_lanes<P>(c), value<bool, P>(i, c)));
      };
    case Code::any:
      return [](const Inst* i, Context& c) {
        return give<P>(i, c, subgroupAny(active_lanes<P>(c), value<bool, P>(i, c)));
      };
    case Code::quad_all:
      return [](const Inst* i, Context& c) {
        return give<P>(i, c, subgroupQuadAll(active_lanes<P>(c), value<bool, P>(i, c)));
      };
    case Code::quad_any:
      return [](const Inst* i, Context& c) {
        return give<P>(i, c, subgroupQuadAny(active_lanes<P>(c), value<bool, P>(i, c)));
      };
    case Code::ballot:
      return [](const Inst* i, Context& c) {
        const auto& list = *static_cast<const ListArgs*>(i->args);
        const auto bits = get_wide<bool, P>(c.regs + list.slots[0].at, list.slots[0].varying);
        give_ballot(i, c, list, subgroupBallot(active_lanes<P>(c), bits));
        return i + 1;
      };
    default:
      return nullptr;
  }
}

/// The words of a uniform ballot.
Ballot uniform_ballot(const Context& c, const ListArgs& list) {
  const auto word = [&](std::size_t k) { return get_first<U32>(c.regs + list.slots[k].at); };
  return {word(0), word(1), word(2), word(3)};
}
bool is_uniform_ballot(const ListArgs& list) {
  return !list.slots[0].varying && !list.slots[1].varying && !list.slots[2].varying &&
         !list.slots[3].varying;
}

/// f(active, ballot) for one ballot, or one per lane.
template <int P, class F>
const Inst* of_ballot(const Inst* i, Context& c, F f) {
  const auto& list = *static_cast<const ListArgs*>(i->args);
  if (is_uniform_ballot(list)) return give<P>(i, c, f(active_lanes<P>(c), uniform_ballot(c, list)));
  return give<P>(i, c, f(active_lanes<P>(c), get_ballots<P>(c, list, 0)));
}

template <int P>
Run find_with_ballot(Code code) {
  switch (code) {
    case Code::inverse_ballot:
      return [](const Inst* i, Context& c) {
        return of_ballot<P>(i, c, [](Mask<P> active, const auto& ballot) {
          return subgroupInverseBallot(active, ballot);
        });
      };
    case Code::ballot_bit_extract:
      return [](const Inst* i, Context& c) {
        const auto& list = *static_cast<const ListArgs*>(i->args);
        const auto index = get_wide<U32, P>(c.regs + list.slots[4].at, list.slots[4].varying);
        return of_ballot<P>(i, c, [&](Mask<P> active, const auto& ballot) {
          return subgroupBallotBitExtract(active, ballot, index);
        });
      };
    case Code::ballot_bit_count:
      return [](const Inst* i, Context& c) {
        return of_ballot<P>(i, c, [&](Mask<P> active, const auto& ballot) {
          return subgroupBallotBitCount(active, ballot, c.size);
        });
      };
    case Code::ballot_inclusive_bit_count:
      return [](const Inst* i, Context& c) {
        return of_ballot<P>(i, c, [](Mask<P> active, const auto& ballot) {
          return subgroupBallotInclusiveBitCount(active, ballot);
        });
      };
    case Code::ballot_exclusive_bit_count:
      return [](const Inst* i, Context& c) {
        return of_ballot<P>(i, c, [](Mask<P> active, const auto& ballot) {
          return subgroupBallotExclusiveBitCount(active, ballot);
        });
      };
    case Code::ballot_find_lsb:
      return [](const Inst* i, Context& c) {
        return of_ballot<P>(i, c, [&](Mask<P> active, const auto& ballot) {
          return subgroupBallotFindLSB(active, ballot, c.size);
        });
      };
    case Code::ballot_find_msb:
      return [](const Inst* i, Context& c) {
        return of_ballot<P>(i, c, [&](Mask<P> active, const auto& ballot) {
          return subgroupBallotFindMSB(active, ballot, c.size);
        });
      };
    default:
      return nullptr;
  }
}

/// f(active, ballot) if the ballot is one uniform number.
template <class F>
LOCKSTEP_INLINE const Inst* of_word(const Inst* i, Context& c, F f) {
  return give<32>(i, c, f(active_lanes<32>(c), Ballot{get_first<U32>(c.regs + i->a), 0, 0, 0}));
}

template <class T, int P>
const Inst* quad_swap(const Inst* i, Context& c) {
  const Mask<P> active = active_lanes<P>(c);
  const auto v = value<T, P>(i, c);
  if (i->imm == 0) return give<P>(i, c, subgroupQuadSwapHorizontal(active, v));
  if (i->imm == 1) return give<P>(i, c, subgroupQuadSwapVertical(active, v));
  return give<P>(i, c, subgroupQuadSwapDiagonal(active, v));
}

/// Operations that move values between lanes depend on bits only.
template <class T, int P>
Run find_move(Code code) {
  switch (code) {
    case Code::broadcast:
      return [](const Inst* i, Context& c) {
        return give<P>(
            i, c,
            subgroupBroadcast(active_lanes<P>(c), value<T, P>(i, c), second<P>(i, c), c.size));
      };
    case Code::broadcast_first:
      return [](const Inst* i, Context& c) {
        return give<P>(i, c, subgroupBroadcastFirst(active_lanes<P>(c), value<T, P>(i, c)));
      };
    case Code::shuffle:
      return [](const Inst* i, Context& c) {
        return give<P>(
            i, c, subgroupShuffle(active_lanes<P>(c), value<T, P>(i, c), second<P>(i, c), c.size));
      };
    case Code::shuffle_xor:
      return [](const Inst* i, Context& c) {
        return give<P>(
            i, c,
            subgroupShuffleXor(active_lanes<P>(c), value<T, P>(i, c), second<P>(i, c), c.size));
      };
    case Code::shuffle_up:
      return [](const Inst* i, Context& c) {
        return give<P>(
            i, c,
            subgroupShuffleUp(active_lanes<P>(c), value<T, P>(i, c), second<P>(i, c), c.size));
      };
    case Code::shuffle_down:
      return [](const Inst* i, Context& c) {
        return give<P>(
            i, c,
            subgroupShuffleDown(active_lanes<P>(c), value<T, P>(i, c), second<P>(i, c), c.size));
      };
    case Code::rotate:
      return [](const Inst* i, Context& c) {
        return give<P>(
            i, c, subgroupRotate(active_lanes<P>(c), value<T, P>(i, c), second<P>(i, c), c.size));
      };
    case Code::clustered_rotate:
      return [](const Inst* i, Context& c) {
        return give<P>(i, c,
                       subgroupClusteredRotate(active_lanes<P>(c), value<T, P>(i, c),
                                               second<P>(i, c), static_cast<U32>(i->imm)));
      };
    case Code::quad_broadcast:
      return [](const Inst* i, Context& c) {
        return give<P>(
            i, c, subgroupQuadBroadcast(active_lanes<P>(c), value<T, P>(i, c), second<P>(i, c)));
      };
    case Code::quad_swap:
      return quad_swap<T, P>;
    default:
      return nullptr;
  }
}

/// Operations that compare values: floats and integers differ.
template <class T, int P>
Run find_comparison(Code code) {
  if (code == Code::all_equal) {
    return [](const Inst* i, Context& c) {
      return give<P>(i, c, subgroupAllEqual(active_lanes<P>(c), value<T, P>(i, c)));
    };
  }
  if (code != Code::partition) return nullptr;
  return [](const Inst* i, Context& c) {
    const auto& list = *static_cast<const ListArgs*>(i->args);
    const auto v = get_wide<T, P>(c.regs + list.slots[0].at, list.slots[0].varying);
    const BallotLanes<P> parts = subgroupPartitionNV(active_lanes<P>(c), v);
    put_wide<U32, P>(c.regs + list.result[0].at, parts.x);
    put_wide<U32, P>(c.regs + list.result[1].at, parts.y);
    put_wide<U32, P>(c.regs + list.result[2].at, parts.z);
    put_wide<U32, P>(c.regs + list.result[3].at, parts.w);
    return i + 1;
  };
}

/// Runs a reduction or scan once for each subset of the active lanes and blends the results.
template <class T, int P>
const Inst* partitioned(const Inst* i, Context& c) {
  const auto& list = *static_cast<const ListArgs*>(i->args);
  const Mask<P> active = active_lanes<P>(c);
  const BallotLanes<P> partition = get_ballots<P>(c, list, 1);
  Inst inner = *i;
  inner.a = list.slots[0].at;
  inner.steps = static_cast<std::uint8_t>(0x80 | (list.slots[0].varying ? 1 : 0));
  const exec::State<128> whole = c.state;
  // The value may only occupy the result's register once all subsets have read it.
  detail::Assignable<Lanes<T, P>> result(get_wide<T, P>(c.regs + inner.a, inner.varying(0)));
  detail::for_each_subset(active, partition, [&](Mask<P> subset) {
    c.state.active = Mask<128>::from_bits(subset.bits());
    list.inner(&inner, c);
    result.set(select(subset, get_wide<T, P>(c.regs + i->dst, true), result.get()));
  });
  c.state = whole;
  put_wide<T, P>(c.regs + i->dst, result.get());
  return i + 1;
}

template <int P>
Run find_of_width(Code code, Scalar type) {
  if (const Run found = find_with_ballot<P>(code)) return found;
  if (code != Code::all_equal && code != Code::partition) {
    if (const Run found = find_with_bools<P>(code)) return found;
    if (type == Scalar::boolean) return find_move<bool, P>(code);
    return for_bits(type, [&]<class T>() { return find_move<T, P>(code); });
  }
  if (type == Scalar::boolean) return find_comparison<bool, P>(code);
  if (is_float(type))
    return for_float(type, [&]<class T>() { return find_comparison<T, P>(code); });
  return for_bits(type, [&]<class T>() { return find_comparison<T, P>(code); });
}

}  // namespace

Run find_subgroup(Code code, Scalar type, Operator, int width) {
  return for_width(width, [&]<int P>() { return find_of_width<P>(code, type); });
}

Run find_enter_elected(int width) {
  return for_width(width, []<int P>() -> Run {
    return [](const Inst* i, Context& c) {
      const Lanes<bool, P> elected = subgroupElect(active_lanes<P>(c));
      exec::Entered<128>& entered = c.frames[i->number].entered;
      entered = exec::enter(c.state, Mask<128>::from_bits(elected.mask().bits()));
      return entered.any ? i + 1 : i->target;
    };
  });
}

Run find_one_word(Code code) {
  using Active = Mask<32>;
  switch (code) {
    case Code::ballot:
      return [](const Inst* i, Context& c) {
        return give<32>(i, c, subgroupBallot(active_lanes<32>(c), value<bool, 32>(i, c)).x);
      };
    case Code::inverse_ballot:
      return [](const Inst* i, Context& c) {
        return of_word(i, c, [](Active active, const Ballot& ballot) {
          return subgroupInverseBallot(active, ballot);
        });
      };
    case Code::ballot_bit_count:
      return [](const Inst* i, Context& c) {
        return of_word(i, c, [&](Active active, const Ballot& ballot) {
          return subgroupBallotBitCount(active, ballot, c.size);
        });
      };
    case Code::ballot_inclusive_bit_count:
      return [](const Inst* i, Context& c) {
        return of_word(i, c, [](Active active, const Ballot& ballot) {
          return subgroupBallotInclusiveBitCount(active, ballot);
        });
      };
    case Code::ballot_exclusive_bit_count:
      return [](const Inst* i, Context& c) {
        return of_word(i, c, [](Active active, const Ballot& ballot) {
          return subgroupBallotExclusiveBitCount(active, ballot);
        });
      };
    case Code::ballot_find_lsb:
      return [](const Inst* i, Context& c) {
        return of_word(i, c, [&](Active active, const Ballot& ballot) {
          return subgroupBallotFindLSB(active, ballot, c.size);
        });
      };
    case Code::ballot_find_msb:
      return [](const Inst* i, Context& c) {
        return of_word(i, c, [&](Active active, const Ballot& ballot) {
          return subgroupBallotFindMSB(active, ballot, c.size);
        });
      };
    default:
      return nullptr;
  }
}

Run find_partitioned(Scalar type, int width) {
  return for_width(width, [&]<int P>() -> Run {
    if (type == Scalar::boolean) return partitioned<bool, P>;
    return for_bits(type, []<class T>() -> Run { return partitioned<T, P>; });
  });
}

Run find_bool_reduction(Code code, Operator op, int width) {
  return for_width(width, [&]<int P>() { return find_bitwise<bool, P>(code, op); });
}

Run find_reduction(Code code, Scalar type, Operator op, int width) {
  if (type == Scalar::boolean) return find_bool_reduction(code, op, width);
  if (is_float(type)) return find_reduction_float(code, type, op, width);
  switch (size_of(type)) {
    case 1:
      return find_reduction_int8(code, is_signed(type), op, width);
    case 2:
      return find_reduction_int16(code, is_signed(type), op, width);
    case 4:
      return find_reduction_int32(code, is_signed(type), op, width);
    default:
      return find_reduction_int64(code, is_signed(type), op, width);
  }
}

}  // namespace lockstep::spirv
