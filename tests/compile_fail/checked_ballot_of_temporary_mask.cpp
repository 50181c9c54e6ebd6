// In a checked kernel a ballot refers to its mask, which must therefore outlive it.
// expect-error: use of deleted function
// expect-error: call to deleted constructor
#include <lockstep/checked.hpp>

using lockstep::Mask;

lockstep::Ballot first(const Mask<8>& active, const lockstep::BallotLanes<8>& ballots) {
#ifdef MUST_FAIL
  const lockstep::checked::OneBallot<8> value(ballots, {}, active & Mask<8>::first_n(4), {});
#else
  const Mask<8> some = active & Mask<8>::first_n(4);
  const lockstep::checked::OneBallot<8> value(ballots, {}, some, {});
#endif
  return value;
}
