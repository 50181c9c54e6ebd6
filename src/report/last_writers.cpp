#include "report/last_writers.hpp"

#include <functional>

namespace lockstep::report {
namespace {

bool overlap(const std::byte* a, std::size_t a_bytes, const std::byte* b, std::size_t b_bytes) {
  const std::less<> before;
  return before(a, b + b_bytes) && before(b, a + a_bytes);
}

}  // namespace

void LastWriters::on(const Event& event) {
  constexpr std::uint64_t events_between_looks = 4096;
  if (++events_ % events_between_looks == 0 && std::chrono::steady_clock::now() > end_)
    throw TooLong("finding who wrote takes too long");
  if (event.kind != Event::Kind::write && event.kind != Event::Kind::atomic) return;
  const Access& access = event.access;
  if (access.data == nullptr) return;
  for_each_lane(event.others, [&](int lane) {
    const std::uint64_t first = access.byte[static_cast<std::size_t>(lane)];
    if (first == Access::outside || !changes_memory(event, lane)) return;
    for (std::uint32_t k = 0; k < access.count; ++k) {
      const std::byte* at = access.data + first + std::uint64_t{k} * access.step;
      for (Range& range : ranges_) {
        if (overlap(at, access.bytes, range.data, range.bytes))
          range.writer = Writer{{event.workgroup[0], event.workgroup[1], event.workgroup[2]},
                                event.subgroup,
                                static_cast<std::uint32_t>(lane),
                                event.where};
      }
    }
  });
}

}  // namespace lockstep::report
