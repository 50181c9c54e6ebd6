#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// \file
/// The engine behind the playground's page, for whatever carries its messages: a server, or a worker in the browser.

namespace lockstep::playground {

/// What a message may take. The engine enforces the first group, and whatever carries the messages the second.
namespace limits {
inline constexpr std::uint64_t buffer_bytes = std::uint64_t{16} << 20;  ///< of all buffers
inline constexpr std::uint64_t invocations = std::uint64_t{1} << 16;
inline constexpr std::uint64_t events = 200'000;
inline constexpr std::uint64_t loop_iterations = 20'000;
inline constexpr std::uint64_t explored_runs = 2'000;
inline constexpr double explored_seconds = 4;

inline constexpr std::size_t message_bytes = std::size_t{256} << 10;
inline constexpr std::size_t answer_bytes = std::size_t{32} << 20;
inline constexpr std::uint64_t memory_bytes = std::uint64_t{1} << 30;
inline constexpr unsigned seconds = 10;          ///< of processor time
inline constexpr unsigned waiting_seconds = 30;  ///< until there is an answer
}  // namespace limits

/// Answers a message of the page: JSON in, JSON out, as docs/reference/playground-protocol.md describes. Its member "ask" is trace,
/// page, check, explore, inspect, explain, lesson or choices; what cannot be answered gives {"error": {"message", "line"}}, whose
/// line is 0 where the message is not about the shader's text. Reads and writes no file, and starts neither threads nor
/// processes.
///
/// Requires      None: the text may be anything.
/// Active lanes  None.
/// Errors        In the answer.
/// Cost          Bounded by the limits, but for compiling, which the process must bound.
/// Spec          None.
/// Example       tests/playground/playground.cpp
std::string answer(std::string_view message);

/// The answer that says what is wrong, with the line of the shader that the message names.
std::string failure(const std::string& message);

}  // namespace lockstep::playground
