#include <lockstep/subgroup/basic.hpp>

#include "baseline/scalar_subgroup.hpp"

namespace lockstep::bench {
namespace {

const bool added = at_all_sizes<std::uint32_t>([]<class In>(const char*) {
  compare<In>("subgroupElect", {"none"}, LOCKSTEP_CALL(subgroupElect(in.active())),
              scalar::Elect{});
});

}  // namespace
}  // namespace lockstep::bench
