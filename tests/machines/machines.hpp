#pragma once

#include <cstdint>
#include <functional>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/dispatch/device.hpp>
#include <lockstep/exec/error.hpp>
#include <lockstep/glsl/kernel.hpp>
#include <lockstep/spirv/shader.hpp>

#include "support/with_native.hpp"

/// \file
/// Runs a kernel in C++ and its port in GLSL on every machine. Both have one number that says which case of
/// the table to run, and one buffer.

namespace lockstep::test {

/// Sizes with whole and partial subgroups, one lane and one subgroup in a workgroup.
inline constexpr int machine_sizes[] = {1, 4, 8, 24, 32, 128};

/// How a run of a case ended.
struct Outcome {
  std::string error;  ///< empty if there was none
  std::vector<std::uint32_t> out;
  LenientNotes notes;
  FaultLog faults;
};

/// What a run of a case is given.
struct CaseRun {
  std::uint32_t which = 0;
  int size = 32;
  std::size_t words = 0;  ///< of the buffer
  Lenient lenient = {};
  std::uint64_t max_trips = 1000;
  std::uint32_t groups = 2;       ///< of a shader
  std::uint32_t invocations = 0;  ///< of each, which the shader knows as INVOCATIONS
};

struct Machine {
  std::string name;
  bool shader = false;
  bool tangled = false;
  std::function<Outcome(const CaseRun&)> run;
};

template <class F>
Outcome outcome_of(const CaseRun& given, F&& run) {
  Outcome outcome;
  outcome.out.assign(given.words, 0);
  try {
    outcome.faults = run(outcome.out);
    outcome.notes = outcome.faults.notes();
  } catch (const Error& error) {
    outcome.error = error.what();
  }
  return outcome;
}

inline constexpr Rule all_rules[] = {Rule::maximal, Rule::subgroup_uniform, Rule::core};

template <template <class> class K>
Outcome run_fast(const CaseRun& given, int threads) {
  return outcome_of(given, [&](std::vector<std::uint32_t>& out) {
    const Device device{.subgroup_size = given.size,
                        .threads = threads,
                        .max_trips = given.max_trips,
                        .lenient = given.lenient};
    return device.dispatch<K, 128>({2}, given.which, out);
  });
}
template <template <class> class K>
Outcome run_tangled(const CaseRun& given, Rule rule) {
  return outcome_of(given, [&](std::vector<std::uint32_t>& out) {
    Chooser chooser = Chooser::rejoin_all();
    const Convergence convergence{.rule = rule, .chooser = &chooser, .max_trips = given.max_trips};
    const Device device{.subgroup_size = given.size, .lenient = given.lenient};
    return device.dispatch<K, 128>(convergence, {2}, given.which, out);
  });
}

inline Outcome run_shader(const std::string& glsl, const CaseRun& given, bool native,
                          const Rule* rule) {
  const WithNative choice(native ? nullptr : "off");
  return outcome_of(given, [&](std::vector<std::uint32_t>& out) {
    Chooser chooser = Chooser::rejoin_all();
    Convergence convergence{.chooser = &chooser, .max_trips = given.max_trips};
    if (rule != nullptr) convergence.rule = *rule;
    ShaderOptions options;
    options.defines = {{"CASE", std::to_string(given.which)},
                       {"INVOCATIONS", std::to_string(given.invocations)}};
    Shader shader = Shader::from_glsl(glsl, options, "cases.comp");
    return shader.bind(0, out)
        .dispatch({given.groups}, {.subgroup_size = given.size,
                                   .threads = 1,
                                   .max_steps = given.max_trips,
                                   .convergence = rule != nullptr ? &convergence : nullptr,
                                   .lenient = given.lenient})
        .findings;
  });
}

/// A shader on each machine that runs shaders.
inline void add_shaders(std::vector<Machine>& all, const std::string& glsl) {
  for (const bool native : {true, false}) {
    all.push_back({native ? "shader, machine code" : "shader, fast", true, false,
                   [=](const CaseRun& run) { return run_shader(glsl, run, native, nullptr); }});
  }
  for (const Rule& rule : all_rules) {
    all.push_back({"shader, " + std::string(to_string(rule)), true, true,
                   [=, &rule](const CaseRun& run) { return run_shader(glsl, run, true, &rule); }});
  }
}

/// All machines, for kernel K and its port.
template <template <class> class K>
std::vector<Machine> machines(const std::string& glsl) {
  std::vector<Machine> all{
      {"C++, fast", false, false, [](const CaseRun& run) { return run_fast<K>(run, 1); }},
      {"C++, fast, on threads", false, false,
       [](const CaseRun& run) { return run_fast<K>(run, 2); }},
  };
  for (const Rule& rule : all_rules) {
    all.push_back({"C++, " + std::string(to_string(rule)), false, true,
                   [&](const CaseRun& run) { return run_tangled<K>(run, rule); }});
  }
  add_shaders(all, glsl);
  return all;
}

/// Lanes as errors list them: 0-3,5.
inline std::string ranges(const std::vector<std::uint32_t>& lanes) {
  std::string text;
  for (std::size_t k = 0; k < lanes.size();) {
    std::size_t last = k;
    while (last + 1 < lanes.size() && lanes[last + 1] == lanes[last] + 1) ++last;
    text += (text.empty() ? "" : ",") + std::to_string(lanes[k]);
    if (last > k) text += "-" + std::to_string(lanes[last]);
    k = last + 1;
  }
  return text;
}

/// The clause of an error on subgroups that wait: "; subgroups 0-1, 3 wait for " and what.
inline std::string waiting(const std::vector<std::uint32_t>& subgroups, const std::string& what) {
  if (subgroups.empty()) return "";
  const bool one = subgroups.size() == 1;
  const std::string list = std::regex_replace(ranges(subgroups), std::regex(","), ", ");
  return "; subgroup" + std::string(one ? " " : "s ") + list + (one ? " waits" : " wait") +
         " for " +
         (what != "turn" ? what
          : one          ? "its turn"
                         : "their turn");
}

/// The text with # for each place in a source.
inline std::string without_places(const std::string& text) {
  static const std::regex place("[^ ;]+:[0-9]+");
  return std::regex_replace(text, place, "#");
}

}  // namespace lockstep::test
