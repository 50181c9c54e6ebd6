#include <lockstep/exec/lenient.hpp>

#include <tuple>

#include <fmt/format.h>

namespace lockstep {
namespace {

auto order_of(Size3 workgroup) { return std::tuple(workgroup.z, workgroup.y, workgroup.x); }

}  // namespace

void LenientNotes::merge_by_workgroup(const LenientNotes& other) {
  if (other.count == 0) return;
  if (count == 0 || order_of(other.workgroup) < order_of(workgroup)) take_first(other);
  count += other.count;
}

std::string to_string(const LenientNotes& notes) {
  if (notes.count < 2) return notes.first;
  const auto more = notes.count - 1;
  return fmt::format("{} (and {} more {})", notes.first, more, more == 1 ? "time" : "times");
}

}  // namespace lockstep
