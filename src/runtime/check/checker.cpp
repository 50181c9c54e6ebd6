#include <lockstep/check/checker.hpp>

#include <memory>
#include <utility>

#include "runtime/check/operands.hpp"
#include "runtime/check/races.hpp"

namespace lockstep {

using namespace detectors;

struct Checker::Member {
  std::unique_ptr<Detector> detector;
  EventKinds kinds;
};

Checker::Checker(Checks checks, int subgroup_size) {
  const auto add = [this](std::unique_ptr<Detector> detector) {
    const Interest interest = detector->interest();
    interest_ = interest_ | interest;
    detectors_.push_back({std::move(detector), interest.kinds});
  };
  if (checks.any_of(Operands::rules)) add(std::make_unique<Operands>(checks, subgroup_size));
  if (checks.any_of(Races::rules)) add(std::make_unique<Races>(checks, subgroup_size));
}
Checker::~Checker() = default;

Checks Checker::rules() { return Operands::rules | Races::rules; }

void Checker::on(const Event& event) {
  for (const auto& [detector, kinds] : detectors_)
    if (kinds.has(event.kind)) detector->on(event);
}

FaultLog Checker::take() {
  FaultLog findings;
  for (const auto& [detector, kinds] : detectors_) detector->end(findings);
  return findings;
}

CheckedConvergence::CheckedConvergence(Checks checks, int subgroup_size, const Convergence* given)
    : given_(given) {
  if (!Checker::needed_for(checks)) return;
  checker_.emplace(checks, subgroup_size);
  if (given != nullptr) convergence_ = *given;
  convergence_.observers.push_back(&*checker_);
}

void CheckedConvergence::add_to(FaultLog& findings) {
  if (checker_) findings.merge(checker_->take());
}

void CheckedConvergence::add_to(FindingError& error) {
  if (checker_) error.add_earlier(checker_->take());
}

}  // namespace lockstep
