#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/exec/lane_set.hpp>

#include "explain/rows.hpp"

/// \file
/// A built-in, run once by the shader engine to see what each lane gets.

namespace lockstep {
class Shader;
}

namespace lockstep::explain {

/// What a value of a lane is, and how it is written.
enum class Kind : std::uint8_t { none, boolean, integer, natural, real, ballot };

/// One lane's value: a number in the first word, or a ballot in all four.
using Words = std::array<std::uint32_t, 4>;
/// As people write it; a ballot as the list of its lanes.
std::string to_text(Kind kind, const Words& value);
LaneSet to_lanes(const Words& ballot);
Words to_words(LaneSet lanes);

/// A value for each lane of the subgroup.
struct Column {
  std::string name;
  Kind kind = Kind::none;
  std::vector<Words> lanes;
};

/// Why results are undefined: a rule of docs/reference/rules.md.
struct Reason {
  std::string rule;
  std::string message;
  LaneSet lanes;
};

/// How each lane came to its result.
enum class Origin : std::uint8_t {
  none,
  combined,  ///< of values of several lanes
  moved,     ///< the value of one lane
  bits,      ///< of bits of its own ballot
};

/// What a run showed.
struct Answer {
  const Row* row = nullptr;
  int size = 0;
  LaneSet active;
  std::vector<Column> arguments;
  std::uint32_t cluster = 0;  ///< 0: takes none
  Column result;
  LaneSet undefined;  ///< active lanes whose result is
  std::vector<Reason> reasons;
  Origin origin = Origin::none;
  /// [lane]: the lanes whose values, or the bits of the ballot that, make its result. Found by running the same
  /// built-in on lane numbers, or its counterpart with Or on one bit for each lane.
  std::vector<LaneSet> sources;
  std::string shader;  ///< that ran
};

/// The arguments as words of a command line; those left out get values that show something.
struct Arguments {
  std::vector<std::string> values;  ///< the first argument: one for each lane, repeated
  std::vector<std::string> second;  ///< the index, mask, delta or ballot
  std::optional<std::uint32_t> cluster;
};

/// The lanes that a text names: all, even, odd, first:N, 0-3,6 or a mask 0x4f or 0b1001111.
///
/// Requires      A size from 1 to 128.
/// Active lanes  None.
/// Errors        Throws Error for something else, and for a lane at or beyond the size.
/// Cost          None.
/// Spec          None.
/// Example       tests/explain/experiment.cpp
LaneSet parse_lanes(std::string_view text, int size);

/// Where nothing else is asked for: all but lanes 2 and 5 of every 8, so that there is something to see.
LaneSet usual_lanes(int size);

/// A built-in function or variable, with arguments of one kind, ready to run.
///
/// Requires      The row of a function or variable; a size from 1 to 128.
/// Active lanes  run takes them: all others skip the call.
/// Errors        The constructor and run throw Error for arguments that the built-in does not take.
/// Cost          Compiles a shader; each run is a dispatch of one subgroup.
/// Spec          None.
/// Example       tests/explain/values.cpp
class Experiment {
 public:
  Experiment(const Row& row, int size, const Arguments& arguments = {});
  Experiment(Experiment&&) noexcept;
  ~Experiment();

  Answer run(LaneSet active);

 private:
  const Row& row_;
  int size_;
  std::vector<Column> arguments_;
  std::uint32_t cluster_ = 0;
  Kind result_ = Kind::none;
  Origin origin_ = Origin::none;
  std::string text_;
  int line_of_result_ = 0;
  std::unique_ptr<Shader> shader_;
};

}  // namespace lockstep::explain
