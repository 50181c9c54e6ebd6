#pragma once

#include <string_view>

#include <lockstep/exec/event.hpp>
#include <lockstep/trace/timeline.hpp>

/// \file
/// What constructs and outcomes are called in drawings, pages and messages.

namespace lockstep::trace {

inline std::string_view name_of(Level::Kind kind) {
  switch (kind) {
    case Level::Kind::selection:
      return "selection";
    case Level::Kind::loop:
      return "loop";
    case Level::Kind::switch_statement:
      return "switch";
    case Level::Kind::call:
      break;
  }
  return "function";
}

/// Why lanes have rejoined or not.
inline std::string_view name_of(Event::Reason reason) {
  switch (reason) {
    case Event::Reason::together:
      return "together";
    case Event::Reason::promised:
      return "promised";
    case Event::Reason::chosen:
      break;
  }
  return "chosen";
}

}  // namespace lockstep::trace
