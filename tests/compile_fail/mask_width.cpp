// A subgroup has 1 to 128 lanes.
// expect-error: a subgroup has 1 to 128 lanes
#include <lockstep/lanes/mask.hpp>

#ifdef MUST_FAIL
int count(lockstep::Mask<129> lanes) { return lanes.count(); }
#else
int count(lockstep::Mask<128> lanes) { return lanes.count(); }
#endif
