#pragma once

#include <string>

/// \file
/// The experiments of `lockstep serve`: a shader and what it runs on, as JSON from a browser.

namespace lockstep::cli {

/// What an experiment may take.
namespace serve_limits {
inline constexpr std::size_t request_bytes = std::size_t{256} << 10;
inline constexpr std::size_t answer_bytes = std::size_t{32} << 20;
inline constexpr std::uint64_t buffer_bytes = std::uint64_t{16} << 20;  ///< of all buffers
inline constexpr std::uint64_t events = 200'000;
inline constexpr std::uint64_t loop_iterations = 20'000;
inline constexpr std::uint64_t memory_bytes = std::uint64_t{1} << 30;
inline constexpr unsigned seconds = 10;          ///< of processor time
inline constexpr unsigned waiting_seconds = 30;  ///< until there is an answer
}  // namespace serve_limits

/// Runs an experiment in this process and answers with what the page draws: {"run": ...} with the buffers that were
/// made for the shader in "inputs", images and samplers in "images", or {"error": {"message", "line"}}; the line is 0
/// where the message is not about the shader's text. Reads and writes no file.
///
/// Requires      None: the text may be anything.
/// Active lanes  None.
/// Errors        In the answer.
/// Cost          Bounded by serve_limits, but for compiling, which the process must bound.
/// Spec          None.
/// Example       tests/cli/serve.cpp
std::string answer_to(const std::string& request);

/// What the page's menus offer, as JSON: examples, rules and devices.
std::string serve_choices();

}  // namespace lockstep::cli
