#pragma once

#include <stdlib.h>
#include <sys/wait.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "support/directory.hpp"

using lockstep::test::Directory;

/// The result of one run of the program.
struct Outcome {
  int exit_code;
  std::string out;
  std::string err;
};

inline std::string contents_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Runs the built program; `arguments` are words for the shell, `before` those before the program.
inline Outcome run_program(const std::string& arguments, const std::string& before = "") {
  const Directory directory;
  const std::string out = directory / "out";
  const std::string err = directory / "err";
  const std::string command =
      before + " '" LOCKSTEP_PROGRAM "' " + arguments + " >'" + out + "' 2>'" + err + "'";
  const int status = std::system(command.c_str());
  REQUIRE(WIFEXITED(status));
  return {WEXITSTATUS(status), contents_of(out), contents_of(err)};
}

/// Runs the program, which must print only one line on stderr and end with this exit code.
inline void check_error(const std::string& arguments, int exit_code, const std::string& line) {
  CAPTURE(arguments);
  const Outcome outcome = run_program(arguments);
  CHECK(outcome.exit_code == exit_code);
  CHECK(outcome.err == "lockstep: " + line + "\n");
  CHECK(outcome.out.empty());
}
