#include <lockstep/subgroup/rotate.hpp>

#include "baseline/scalar_subgroup.hpp"

namespace lockstep::bench {
namespace {

using scalar::move;

// As in shaders, the cluster size is a constant.
constexpr std::uint32_t cluster = 8;

const bool added = at_all_sizes<std::uint32_t, float>([]<class In>(const char* type) {
  compare<In>("subgroupRotate", {type},
              LOCKSTEP_CALL(subgroupRotate(in.active(), in.value(), in.id(), in.size())),
              move([](const In& in, std::size_t i) { return (i + in.id()) % In::width; }));
  compare<In>("subgroupClusteredRotate", {type},
              LOCKSTEP_CALL(subgroupClusteredRotate(in.active(), in.value(), in.id(), cluster)),
              move([](const In& in, std::size_t i) {
                return i / cluster * cluster + (i + in.id()) % cluster;
              }));
});

}  // namespace
}  // namespace lockstep::bench
