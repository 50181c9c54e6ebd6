#include <lockstep/exec/lenient.hpp>

#include <fmt/format.h>

namespace lockstep {

std::string to_string(const LenientNotes& notes) {
  if (notes.count < 2) return notes.first;
  const auto more = notes.count - 1;
  return fmt::format("{} (and {} more {})", notes.first, more, more == 1 ? "time" : "times");
}

}  // namespace lockstep
