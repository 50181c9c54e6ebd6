#include "oracle/provenance.hpp"

#include <utility>

namespace lockstep::oracle {
namespace {

/// About a gigabyte.
constexpr std::size_t most_steps = std::size_t{1} << 22;

}  // namespace

std::uint32_t Provenance::add(Step step) {
  if (steps_.size() >= most_steps) return 0;
  steps_.push_back(std::move(step));
  return static_cast<std::uint32_t>(steps_.size());
}

const Step* Provenance::find(std::uint32_t number) const {
  return number == 0 || number > steps_.size() ? nullptr : &steps_[number - 1];
}

}  // namespace lockstep::oracle
