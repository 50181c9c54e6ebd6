#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "judgement/judge.hpp"
#include "report/last_writers.hpp"

/// \file
/// Judgements as text and JSON.

namespace lockstep::cli {

/// "workgroup (0, 0, 1), subgroup 2, lane 3, a.comp:7".
std::string text_of(const lockstep::report::Writer& writer);
/// The writer of an element in JSON; null if no invocation wrote it.
nlohmann::ordered_json json_of(const std::optional<lockstep::report::Writer>& writer);

/// "  [3] is 2 in the file, 1 here", and for others than wrong ones why that may be.
std::string text_of(const judgement::Element& judged);
nlohmann::ordered_json json_of(const judgement::Element& judged);

/// Where an element is: "[3]", or its path in a block.
std::string place_of(const judgement::Element& judged);
/// Verdicts and their numbers, by name.
nlohmann::ordered_json counts_of(const judgement::Elements& result);
/// Verdicts in the order of the elements, as run lengths.
nlohmann::ordered_json runs_of(const judgement::Elements& result);
/// The element that is wrong or closest to its bounds; null where all are equal.
nlohmann::ordered_json worst_of(const judgement::Elements& result);
/// "  200 equal, 56 allowed; the furthest is [3]: 1.5 ULP, 30 % of what is allowed"; nothing if all are equal.
std::string text_of_counts(const judgement::Elements& result);

/// "  a behaviour that Vulkan allows gives this: --subgroup-size 16", a line; nothing without one.
std::string text_of(const std::optional<judgement::Explanation>& explanation);
nlohmann::ordered_json json_of(const std::optional<judgement::Explanation>& explanation);
nlohmann::ordered_json json_of(const std::optional<judgement::TriedChoices>& tried);

}  // namespace lockstep::cli
