#pragma once

#include <array>
#include <cstdint>

/// \file
/// The keys of a suite's entries that stand for options of `lockstep run`.

namespace lockstep::cli {

struct SuiteKey {
  enum class Form : std::uint8_t {
    text,   ///< "4,2"; also a number, or an array of numbers
    flag,   ///< true
    list,   ///< ["N=4"]: the option once for each element
    table,  ///< {"0": "iota:u32:64"}: the option once for each member, as 0=iota:u32:64
  };
  const char* key;
  const char* option;
  Form form;
  bool names_files = false;  ///< its values may be files, relative to the suite's folder
  bool is_choice = false;    ///< how the shader runs, as opposed to what it is and runs on
};

inline constexpr std::array suite_keys{
    SuiteKey{"groups", "--groups", SuiteKey::Form::text},
    SuiteKey{"invocations", "--invocations", SuiteKey::Form::text},
    SuiteKey{"buffers", "--buffer", SuiteKey::Form::table, true},
    SuiteKey{"images", "--image", SuiteKey::Form::table, true},
    SuiteKey{"samplers", "--sampler", SuiteKey::Form::table},
    SuiteKey{"addresses", "--address", SuiteKey::Form::table},
    SuiteKey{"uniforms", "--uniform", SuiteKey::Form::table},
    SuiteKey{"push", "--push", SuiteKey::Form::text, true},
    SuiteKey{"bits", "--bits", SuiteKey::Form::flag},
    SuiteKey{"spec", "--spec", SuiteKey::Form::table},
    SuiteKey{"define", "-D", SuiteKey::Form::list},
    SuiteKey{"include", "-I", SuiteKey::Form::list, true},
    SuiteKey{"entry", "--entry", SuiteKey::Form::text},
    SuiteKey{"target-env", "--target-env", SuiteKey::Form::text},
    SuiteKey{"compiler", "--compiler", SuiteKey::Form::text},
    SuiteKey{"shift", "--shift", SuiteKey::Form::text},
    SuiteKey{"no-validate", "--no-validate", SuiteKey::Form::flag},
    SuiteKey{"robust", "--robust", SuiteKey::Form::flag},
    SuiteKey{"device", "--device", SuiteKey::Form::text, false, true},
    SuiteKey{"convergence", "--convergence", SuiteKey::Form::text, false, true},
    SuiteKey{"lenient", "--lenient", SuiteKey::Form::text, false, true},
    SuiteKey{"max-steps", "--max-steps", SuiteKey::Form::text, false, true},
};

}  // namespace lockstep::cli
