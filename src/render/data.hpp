#pragma once

#include <nlohmann/json.hpp>

#include "render/page.hpp"

namespace lockstep::render {

/// What the script of the page draws: subgroups with their steps, and tables of masks, states, stacks, texts and
/// values, to which the steps refer by number. A second run has its own, and rows that align the two.
nlohmann::ordered_json data_of(const Shown& run, const Shown* beside = nullptr);

}  // namespace lockstep::render
