#include <lockstep/exec/frames.hpp>

namespace lockstep {

void Frames::push(const Frame& frame) { push(frame.kind, frame.where) = frame; }

void Frames::grow() { kept_.emplace_back(); }

}  // namespace lockstep
