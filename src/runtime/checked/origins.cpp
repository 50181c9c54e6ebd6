#include <lockstep/checked/detail/origins.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <lockstep/exec/why_undefined.hpp>

namespace lockstep::origins {
namespace {

struct Origin {
  Check rule;
  SourceLocation where;
  const char* function;
  int bits;

  auto key() const { return std::tuple(rule, where.file, where.line, function, bits); }
};

/// Of more combinations only the first origin is known.
constexpr std::size_t most_combinations = 1u << 14;

thread_local RunScope::Tables* current = nullptr;

/// Operators in our own headers are at no place of the kernel.
bool is_of_kernel(SourceLocation where) {
  return std::string_view(where.file).find("include/lockstep/") == std::string_view::npos;
}

}  // namespace

struct RunScope::Tables {
  Checks checks;
  int subgroup_size;
  FaultLog& findings;
  const Size3& workgroup;
  const std::uint32_t& subgroup;

  std::vector<Origin> origins = {};
  std::map<decltype(std::declval<Origin>().key()), Number> known = {};
  std::vector<OfLane> combinations = {};
  std::map<OfLane, Number> known_combinations = {};

  Number add(const Origin& origin) {
    // Loops break a rule in one place again and again.
    if (!origins.empty() && origins.back().key() == origin.key())
      return static_cast<Number>(origins.size());
    const auto [found, added] = known.try_emplace(origin.key(), 0);
    if (added) {
      origins.push_back(origin);
      found->second = static_cast<Number>(origins.size());
    }
    return found->second;
  }
  Number add(const OfLane& each) {
    if (const auto found = known_combinations.find(each); found != known_combinations.end())
      return found->second;
    if (combinations.size() == most_combinations)
      return *std::ranges::find_if(each, [](Number o) { return o != 0; });
    combinations.push_back(each);
    return known_combinations[each] = combined | static_cast<Number>(combinations.size() - 1);
  }
  Number in_lane(Number number, int lane) const {
    if (number < combined) return number;
    return combinations[number & ~combined][static_cast<std::size_t>(lane)];
  }
};

RunScope::RunScope(Checks checks, int subgroup_size, FaultLog& findings, const Size3& workgroup,
                   const std::uint32_t& subgroup)
    : tables_(new Tables{checks, subgroup_size, findings, workgroup, subgroup}), before_(current) {
  current = tables_.get();
}
RunScope::~RunScope() { current = before_; }

int subgroup_size() { return current->subgroup_size; }
bool is_checked_for(Check rule) { return current != nullptr && current->checks.has(rule); }

Number begun(Check rule, SourceLocation where, const char* function, int bits) {
  if (!is_checked_for(rule)) return 0;
  return current->add({rule, where, function, bits});
}

Number of_lanes(const OfLane& each) {
  Number only = 0;
  for (const Number o : each) {
    if (o == 0 || o == only) continue;
    if (only != 0) return current->add(each);
    only = o;
  }
  return only;
}

Number in_lane(Number origins, int lane) { return current->in_lane(origins, lane); }

Number joined(Number a, LaneSet lanes, Number b, LaneSet lanes_of_b) {
  OfLane each{};
  for_each_lane(lanes_of_b, [&](int i) { each[static_cast<std::size_t>(i)] = in_lane(b, i); });
  for_each_lane(lanes, [&](int i) { each[static_cast<std::size_t>(i)] = in_lane(a, i); });
  return of_lanes(each);
}

void report(UseKind use, SourceLocation where, LaneSet lanes, Number origins,
            const MemoryObject& object) {
  for_each_lane(lanes, [&](int lane) {
    const Origin& origin = current->origins[in_lane(origins, lane) - 1];
    const SourceLocation begin = is_of_kernel(origin.where) ? origin.where : SourceLocation();
    Finding finding = finding_of(origin.rule);
    describe_undefined(finding, use, object, begin,
                       why_undefined(origin.rule, origin.function, origin.bits));
    finding.where = where;
    finding.workgroup = current->workgroup;
    finding.subgroup = current->subgroup;
    finding.lanes = LaneSet::lane(lane);
    current->findings.record(finding);
  });
}

}  // namespace lockstep::origins
