#pragma once

#include <span>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include <lockstep/trace/terminal.hpp>

#include "explain/experiment.hpp"

/// \file
/// An answer, and what is known of a built-in, as text, as a figure and as JSON.

namespace lockstep::explain {

/// Lanes as columns: arguments, where results come from, results. With many lanes the rows wrap.
///
/// Requires      look.columns of at least 40.
/// Active lanes  Dots for lanes that are not active, question marks for undefined results.
/// Errors        None.
/// Cost          One cell for each lane and row.
/// Spec          None.
/// Example       tests/explain/picture.cpp
std::string draw(const Answer& answer, const trace::Look& look);

/// Signature, meaning, the picture if there is one, SPIR-V, other languages, undefined results and mistakes.
std::string describe(const Row& row, const Answer* answer, const trace::Look& look);

/// The picture, and which results are undefined, if any are.
std::string describe_run(const Row& row, const Answer& answer, const trace::Look& look);

/// The picture for slides and documents.
std::string to_svg(const Answer& answer);

nlohmann::ordered_json to_json(const Row& row, const Answer* answer);

/// All built-ins by category, and the topics.
std::string draw_index(const trace::Look& look,
                       std::span<const std::pair<std::string, std::string>> topics);

/// Words in lines of at most that many columns, each after an indent.
std::string wrapped(std::string_view text, int columns, std::string_view indent);
/// The same; the further lines of an item, "- ...", are indented as far as its text.
std::string wrapped_item(std::string_view text, int columns, std::string_view indent);

}  // namespace lockstep::explain
