#include "cli/lesson.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <regex>
#include <sstream>
#include <string>

#include "cli/trace/trace.hpp"
#include "explain/picture.hpp"
#include "io/error.hpp"
#include "io/files.hpp"
#include "io/npy.hpp"
#include "lessons/lesson.hpp"

namespace lockstep::cli {
namespace {

struct LessonOptions {
  int number = 0;
  std::string check, start;
};

/// Pictures of commands are written to the current folder, wherever that is.
std::string with_own_picture(const std::string& line) {
  static const std::regex picture(R"(docs/lessons/[^/ ]*/(picture\.svg))");
  return std::regex_replace(line, picture, "$1");
}

/// The chapter for a terminal: paragraphs as wide as that is, without pictures and addresses of links.
std::string for_terminal(std::string_view chapter, int columns) {
  static const std::regex link(R"(\[([^\]]*)\]\([^)]*\))");
  std::istringstream lines{std::string(chapter)};
  std::string text, paragraph;
  bool verbatim = false;
  const auto end_paragraph = [&] {
    if (paragraph.empty()) return;
    text += explain::wrapped(std::regex_replace(paragraph, link, "$1"), columns, "");
    paragraph.clear();
  };
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      end_paragraph();
      verbatim = !verbatim;
    } else if (verbatim) {
      text += "  " + with_own_picture(line) + "\n";
    } else if (line.empty() || line.starts_with("![") || line.starts_with("<!--") ||
               line.ends_with("[all lessons](../README.md)")) {
      end_paragraph();
      if (!text.ends_with("\n\n")) text += "\n";
    } else {
      paragraph += (paragraph.empty() ? "" : " ") + line;
    }
  }
  end_paragraph();
  return text;
}

ExitCode list() {
  for (const lessons::Lesson& lesson : lessons::all_lessons())
    fmt::print("{:>2}  {}\n", lesson.number, lesson.title);
  fmt::print(
      "\nlockstep lesson N                  prints a lesson\n"
      "lockstep lesson N --start FILE     writes its exercise to a file\n"
      "lockstep lesson N --check FILE     checks your answer\n");
  return exit_fine;
}

ExitCode start(const lessons::Lesson& lesson, const std::string& path) {
  if (std::filesystem::exists(path))
    throw UsageError(fmt::format("--start {}: the file already exists; name another one", path));
  npy::check_writable(path);
  lockstep::io::write_text(path, lesson.start);
  fmt::print("wrote {}; edit it, then run lockstep lesson {} --check {}\n", path, lesson.number,
             path);
  return exit_fine;
}

ExitCode check(const lessons::Lesson& lesson, const std::string& path) {
  const std::string text = lockstep::io::read_text(path);
  const lessons::Verdict verdict = lessons::check(lesson, text, path);
  for (const std::string& line : verdict.lines) fmt::print("{}\n", line);
  return verdict.right ? exit_fine : exit_failed;
}

ExitCode run(const LessonOptions& options) {
  if (options.number == 0) {
    if (!options.check.empty() || !options.start.empty())
      throw UsageError(
          "--start and --check need the number of a lesson; lockstep lesson lists them");
    return list();
  }
  const lessons::Lesson& lesson =
      lessons::all_lessons()[static_cast<std::size_t>(options.number - 1)];
  try {
    if (!options.start.empty()) return start(lesson, options.start);
    if (!options.check.empty()) return check(lesson, options.check);
  } catch (const lockstep::io::InputError& error) {
    throw UsageError(error.what());
  }
  const int columns = std::min(look_of_output(0, "auto").columns, 100);
  fmt::print("{}", for_terminal(lesson.chapter, columns));
  return exit_fine;
}

}  // namespace

Command lesson_command(CLI::App& program) {
  auto options = std::make_shared<LessonOptions>();
  CLI::App* app =
      program.add_subcommand("lesson", "Lessons on subgroups, with exercises that are checked");
  app->add_option("N", options->number, "The number of the lesson (default: list all)")
      ->option_text(" ")
      ->check(CLI::Range(1, static_cast<int>(lessons::all_lessons().size())).description(""));
  CLI::Option* to_check =
      app->add_option("--check", options->check, "Check this shader, an answer to the exercise")
          ->option_text("FILE");
  app->add_option("--start", options->start, "Write the exercise to a new file")
      ->option_text("FILE")
      ->excludes(to_check);
  app->footer(
      "Exit status: 0 success, 1 the answer is wrong, 2 wrong usage.\n"
      "\n"
      "Examples:\n"
      "  lockstep lesson 1\n"
      "  lockstep lesson 1 --start answer.comp\n"
      "  lockstep lesson 1 --check answer.comp");
  return {app, [options] { return run(*options); }};
}

}  // namespace lockstep::cli
