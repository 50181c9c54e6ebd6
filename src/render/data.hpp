#pragma once

#include <span>

#include <nlohmann/json.hpp>

#include "render/page.hpp"

namespace lockstep::render {

/// What the script of the page draws: subgroups with their steps, and tables of masks, states, stacks, texts and
/// values, to which the steps refer by number.
nlohmann::ordered_json data_of(const trace::Trace& trace, std::span<const Finding> findings,
                               std::span<const Buffer> buffers);

}  // namespace lockstep::render
