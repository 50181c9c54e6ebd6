#include <lockstep/exec/lenient.hpp>

#include <fmt/format.h>

namespace lockstep {

std::string to_string(const LenientNotes& notes) {
  if (notes.count < 2) return notes.first;
  return fmt::format("{} (and {} more times)", notes.first, notes.count - 1);
}

}  // namespace lockstep
