#pragma once

#include <nlohmann/json.hpp>

/// \file
/// The answer to each kind of message. All throw UsageError, InputError and Error for what cannot be answered.

namespace lockstep::playground {

/// A subgroup's run step by step, for the page to draw, and a second one beside it.
nlohmann::ordered_json answer_trace(const nlohmann::ordered_json& message);
/// The same as a page that needs no server, as `lockstep trace -o` writes it.
nlohmann::ordered_json answer_page(const nlohmann::ordered_json& message);
/// What the rules of docs/reference/rules.md find in the whole dispatch.
nlohmann::ordered_json answer_check(const nlohmann::ordered_json& message);
/// What the shader's result depends on, and the smallest choice that changes it.
nlohmann::ordered_json answer_explore(const nlohmann::ordered_json& message);
/// What the shader declares and needs.
nlohmann::ordered_json answer_inspect(const nlohmann::ordered_json& message);
/// A built-in that runs, or a topic; without a name, the list.
nlohmann::ordered_json answer_explain(const nlohmann::ordered_json& message);
/// A lesson, whether an answer to its exercise is right, or without a number the list.
nlohmann::ordered_json answer_lesson(const nlohmann::ordered_json& message);
/// What the page's menus offer.
nlohmann::ordered_json answer_choices(const nlohmann::ordered_json& message);

}  // namespace lockstep::playground
