#include "driver/ration.hpp"

#include <fmt/format.h>

namespace lockstep::driver {

bool Ration::wants(const CompiledPipeline& pipeline, Size3 groups) {
  const std::lock_guard lock(choosing_);
  if (!seen_.insert({&pipeline, groups.x, groups.y, groups.z}).second) return false;
  if (used_.count() < double(all_)) return true;
  ++left_out_;
  return false;
}

Ration::Seconds Ration::left() {
  const std::lock_guard lock(choosing_);
  return Seconds(double(all_)) - used_;
}

void Ration::use(Seconds seconds) {
  const std::lock_guard lock(choosing_);
  used_ += seconds;
}

std::string Ration::summary() {
  const std::lock_guard lock(choosing_);
  std::string text = fmt::format("{:.1f} of {} seconds", used_.count(), all_);
  if (left_out_ > 0) text += fmt::format("; no time for {} more", left_out_);
  return text;
}

}  // namespace lockstep::driver
