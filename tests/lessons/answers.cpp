#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

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

/// The answers to a lesson that are right, or wrong: "07.right.comp", "07.right2.comp".
std::vector<std::string> answers_to(const Lesson& lesson, const char* which) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().filename().string().starts_with(fmt::format("{:02}.{}", lesson.number, which)))
      names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

Verdict verdict_of(const Lesson& lesson, const std::string& name) {
  return check(lesson, text_of(folder / name), name);
}

std::string all(const Verdict& verdict) {
  std::string text;
  for (const std::string& line : verdict.lines) text += line + "\n";
  return text;
}

TEST_CASE("each lesson has a right answer, and some several") {
  std::size_t others = 0;
  for (const Lesson& lesson : all_lessons()) {
    const std::vector<std::string> names = answers_to(lesson, "right");
    CHECK(!names.empty());
    others += names.size() - 1;
    for (const std::string& name : names) {
      const Verdict verdict = verdict_of(lesson, name);
      INFO(name << "\n" << all(verdict));
      CHECK(verdict.right);
    }
  }
  CHECK(others >= 12);
}

TEST_CASE("plausible answers that are wrong are found out, with a hint") {
  for (const Lesson& lesson : all_lessons()) {
    const std::vector<std::string> names = answers_to(lesson, "wrong");
    CHECK(names.size() >= 2);
    for (const std::string& name : names) {
      const Verdict verdict = verdict_of(lesson, name);
      INFO(name << "\n" << all(verdict));
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

TEST_CASE("an atomic of each lane is not one of each subgroup") {
  const Lesson& lesson = all_lessons()[9];
  CHECK_THAT(all(verdict_of(lesson, "10.wrong3.comp")),
             Catch::Contains("lanes do an atomic on count; ") &&
                 Catch::Contains(" subgroups need one each"));
}

TEST_CASE("lessons on reconvergence take the promise that the answer asks for") {
  // What would be right with a stronger promise than the lesson has is refused, and says why.
  std::string text = std::string(all_lessons()[9].start);
  text.insert(text.find('\n', text.find("#version")) + 1,
              "#extension GL_EXT_maximal_reconvergence : require\n");
  text.insert(text.find("void main()") + 11, " [[maximally_reconverges]]");
  const Verdict verdict = check(all_lessons()[9], text, "answer.comp");
  CHECK_FALSE(verdict.right);
  CHECK_THAT(all(verdict), Catch::Contains("the shader asks for maximal reconvergence"));
  // Without the attribute nothing is promised beyond Vulkan: 11.wrong3.comp is 11.right.comp without it.
  CHECK_FALSE(verdict_of(all_lessons()[10], "11.wrong3.comp").right);
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
