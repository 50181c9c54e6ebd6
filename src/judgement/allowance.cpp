#include "judgement/allowance.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>

#include <lockstep/exec/error.hpp>

#include "judgement/elements.hpp"
#include "judgement/limits.hpp"
#include "oracle/bounds.hpp"

namespace lockstep::judgement {

/// The first run, with what devices may give.
struct Allowance::First {
  explicit First(const Rerun& of) : rerun(of) {}

  void run() {
    contents = rerun.inputs();
    Dispatch how = plain_dispatch();
    how.max_steps = most_steps;
    how.bounds = &bounds;
    try {
      rerun.run(contents, how);
      ended = true;
    } catch (const Error&) {
      ended = false;
    }
  }

  const Rerun& rerun;
  std::once_flag once;
  Contents contents;
  oracle::Bounds bounds;
  bool ended = false;
};

Allowance::Allowance(const Rerun& rerun) : first_(std::make_unique<First>(rerun)) {}
Allowance::~Allowance() = default;

std::optional<std::uint64_t> Allowance::first_difference(std::size_t part,
                                                         std::span<const std::byte> now) const {
  First& first = *first_;
  std::call_once(first.once, [&] { first.run(); });
  const std::vector<std::byte>& before = first.contents[part];
  const Part& description = first.rerun.parts()[part];
  Elements judged;
  if (first.ended) {
    const Compared compared{first.rerun.address(first.contents, part), before, now};
    judged = description.columns.empty() ? judge(description.type, compared, first.bounds)
                                         : judge(description.columns, compared, first.bounds);
  } else {
    judged.runs = {{Verdict::wrong, description.bytes}};
  }
  std::optional<std::uint64_t> found;
  auto verdict = judged.runs.begin();
  std::size_t left = verdict == judged.runs.end() ? 0 : verdict->second;
  for_each_place(first.rerun.parts(), part, [&](const Place& place) {
    while (left == 0) left = (++verdict)->second;
    --left;
    const bool is_same = verdict->first <= Verdict::allowed ||
                         std::memcmp(before.data() + place.byte, now.data() + place.byte,
                                     io::bytes_of(place.type)) == 0;
    if (!is_same && (!found || place.byte < *found)) found = place.byte;
  });
  return found;
}

}  // namespace lockstep::judgement
