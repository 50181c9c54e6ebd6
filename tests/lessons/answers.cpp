#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <fmt/format.h>

#include "lessons/lesson.hpp"

namespace {

using namespace lockstep::lessons;

const std::filesystem::path folder =
    std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "tests/lessons/answers";

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  REQUIRE(file.good());
  return {std::istreambuf_iterator<char>(file), {}};
}

Verdict verdict_of(const Lesson& lesson, const char* which) {
  const std::string name = fmt::format("{:02}.{}.comp", lesson.number, which);
  return check(lesson, text_of(folder / name), name);
}

std::string all(const Verdict& verdict) {
  std::string text;
  for (const std::string& line : verdict.lines) text += line + "\n";
  return text;
}

TEST_CASE("each lesson has a right answer") {
  for (const Lesson& lesson : all_lessons()) {
    INFO(lesson.folder);
    const Verdict verdict = verdict_of(lesson, "right");
    INFO(all(verdict));
    CHECK(verdict.right);
  }
}

TEST_CASE("plausible answers that are wrong are found out, with a hint") {
  for (const Lesson& lesson : all_lessons()) {
    for (const char* which : {"wrong1", "wrong2"}) {
      INFO(lesson.folder << " " << which);
      const Verdict verdict = verdict_of(lesson, which);
      INFO(all(verdict));
      CHECK_FALSE(verdict.right);
      CHECK(verdict.lines.size() >= 3);
      CHECK(verdict.lines.front().starts_with("wrong at subgroup size "));
      CHECK(verdict.lines.back() == fmt::format("hint: {}", lesson.hint));
    }
  }
}

TEST_CASE("what an exercise starts with is no answer yet") {
  for (const Lesson& lesson : all_lessons()) {
    INFO(lesson.folder);
    const Verdict verdict = check(lesson, std::string(lesson.start), "exercise.comp");
    INFO(all(verdict));
    CHECK_FALSE(verdict.right);
    CHECK(verdict.lines.front().starts_with("wrong at subgroup size "));
  }
}

TEST_CASE("lessons are numbered, and have their chapter") {
  int number = 0;
  for (const Lesson& lesson : all_lessons()) {
    INFO(lesson.folder);
    CHECK(lesson.number == ++number);
    CHECK(lesson.folder.starts_with(fmt::format("{:02}-", number)));
    CHECK(lesson.chapter.starts_with(fmt::format("# {}. {}\n", number, lesson.title)));
    const auto path = std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "docs/lessons" / lesson.folder;
    CHECK(lesson.start == text_of(path / "exercise.comp"));
  }
  CHECK(number == 16);
}

TEST_CASE("answers may have workgroups of another size") {
  for (const Lesson& lesson : all_lessons()) {
    INFO(lesson.folder);
    std::string text = text_of(folder / fmt::format("{:02}.right.comp", lesson.number));
    const auto at = text.find("local_size_x = ") + 15;
    text.replace(at, text.find(')', at) - at, "7");
    const Verdict verdict = check(lesson, text, "answer.comp");
    INFO(all(verdict));
    // Seven lanes leave the last quad incomplete; all else is as right as before.
    CHECK(verdict.right);
  }
}

TEST_CASE("an answer that does not run says why") {
  const Lesson& lesson = all_lessons()[0];
  const auto said = [&](const std::string& text) {
    return all(check(lesson, text, "answer.comp"));
  };
  CHECK_THAT(said("void main() { int x = y; }"),
             Catch::Contains("does not run: ") && Catch::Contains("'y'"));
  CHECK_THAT(said("#version 460\nlayout(local_size_x = 64) in;\nlayout(binding = 5) buffer B { "
                  "uint b[]; };\n"
                  "void main() { b[0] = 1u; }"),
             Catch::Contains("does not run: "));
  CHECK_THAT(said("#version 460\nlayout(local_size_x = 64) in;\nlayout(binding = 1) buffer B { "
                  "uint b[]; };\n"
                  "void main() { while (b[0] != 0u) {} }"),
             Catch::Contains("no-progress"));
}

}  // namespace
