#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/exec/reconvergence_stack.hpp>

/// \file
/// The chapters of docs/lessons, and their exercises.

namespace lockstep::lessons {

/// One run of an exercise, for those who compute what it must give.
struct Input {
  std::vector<std::uint32_t> values;  ///< binding 0
  std::size_t local = 0;              ///< invocations of a workgroup
  std::size_t size = 0;               ///< lanes of a subgroup
};

/// What an element of `result` holds where nothing was stored.
inline constexpr std::uint32_t untouched = 0xffffffffu;

/// A shader to write: from `values` at binding 0 to `result` at binding 1, an element for each invocation.
struct Exercise {
  std::uint32_t workgroups = 2;
  /// By plain loops.
  std::vector<std::uint32_t> (*expected)(const Input&) = nullptr;
  /// The results are in slots, the first of `result`, in any order; their number is added to `count` at binding 2.
  bool slots = false;
  /// The results have one atomic on `count` for each subgroup at most. Only with `adversary`.
  bool one_atomic = false;
  /// Runs also where lanes do not rejoin unless the rule that the shader declares promises it.
  bool adversary = false;
  Rule rule = Rule::core;  ///< the strongest that it may declare
  bool mappings =
      false;  ///< runs also with invocations in other lanes, and workgroups in other orders
  std::vector<int> sizes = {1, 2, 4, 8, 16, 32, 64, 128};
};

struct Lesson {
  int number = 0;
  std::string_view folder;  ///< in docs/lessons
  std::string_view title;
  std::string_view hint;  ///< for those whose answer is wrong
  Exercise exercise;
  std::string_view chapter;  ///< its README.md
  std::string_view start;    ///< its exercise.comp
};

/// All of them, in order.
std::span<const Lesson> all_lessons();

/// What became of an answer.
struct Verdict {
  bool right = false;
  std::vector<std::string> lines;  ///< what was tried, or what is wrong
};

/// Where an answer is compiled: in a child process with limits, as untrusted text needs, or in this process.
enum class Compiling { in_child, here };

/// Runs an answer, the text of a shader, at all sizes and in all ways that its exercise asks for.
///
/// Requires      None.
/// Active lanes  As in the shader.
/// Errors        None: what does not compile or run is a wrong answer.
/// Cost          Some dozens of small dispatches, most of them checked.
/// Spec          None.
/// Example       tests/lessons/answers.cpp
Verdict check(const Lesson& lesson, const std::string& text, const std::string& name,
              Compiling compiling = Compiling::in_child);

}  // namespace lockstep::lessons
