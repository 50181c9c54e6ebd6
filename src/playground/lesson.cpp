#include <nlohmann/json.hpp>
#include <string>

#include "lessons/lesson.hpp"
#include "playground/answers.hpp"
#include "playground/message.hpp"

namespace lockstep::playground {
namespace {

const lessons::Lesson& lesson_numbered(int number) {
  const auto all = lessons::all_lessons();
  if (number < 1 || static_cast<std::size_t>(number) > all.size())
    throw UsageError(fmt::format("lesson {} does not exist: choose 1 to {}", number, all.size()));
  return all[static_cast<std::size_t>(number - 1)];
}

}  // namespace

Json answer_lesson(const Json& message) {
  constexpr std::string_view known[] = {"ask", "number", "answer"};
  check_fields(message, known);
  if (!message.contains("number")) {
    Json all = Json::array();
    for (const lessons::Lesson& lesson : lessons::all_lessons())
      all.push_back({{"number", lesson.number}, {"title", lesson.title}});
    return {{"lessons", std::move(all)}};
  }
  const lessons::Lesson& lesson = lesson_numbered(field(message, "number", 0));
  if (!message.contains("answer"))
    return {{"number", lesson.number},
            {"title", lesson.title},
            {"chapter", lesson.chapter},
            {"exercise", lesson.start}};
  const lessons::Verdict verdict = lessons::check(lesson, field<std::string>(message, "answer", ""),
                                                  "answer.comp", lessons::Compiling::here);
  return {{"right", verdict.right}, {"lines", verdict.lines}, {"hint", lesson.hint}};
}

}  // namespace lockstep::playground
