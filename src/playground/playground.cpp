#include "playground/playground.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <exception>
#include <new>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "playground/answers.hpp"
#include "playground/message.hpp"

namespace lockstep::playground {
namespace {

using Answer = Json (*)(const Json&);
constexpr std::array<std::pair<std::string_view, Answer>, 8> answers{{{"trace", answer_trace},
                                                                      {"page", answer_page},
                                                                      {"check", answer_check},
                                                                      {"explore", answer_explore},
                                                                      {"inspect", answer_inspect},
                                                                      {"explain", answer_explain},
                                                                      {"lesson", answer_lesson},
                                                                      {"choices", answer_choices}}};

Json parsed(std::string_view message) {
  try {
    return Json::parse(message);
  } catch (const nlohmann::json::exception&) {
    throw UsageError("the message is not JSON");
  }
}

Json answer_to(const Json& message) {
  if (!message.is_object()) throw UsageError("the message is not a JSON object");
  const auto ask = field<std::string>(message, "ask", "");
  const auto found = std::ranges::find(answers, ask, [](const auto& a) { return a.first; });
  if (found == answers.end())
    throw UsageError(
        fmt::format("'{}' cannot be asked: it is trace, page, check, explore, inspect, explain, "
                    "lesson or choices",
                    ask));
  return found->second(message);
}

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// ---- Errors ----

/// Messages of the command line, in words of the page.
std::string in_words_of_page(std::string message) {
  using Words = std::pair<std::string_view, std::string_view>;
  for (const auto& [option, name] :
       {Words{"--groups", "Workgroups"}, Words{"--choose", "Chooser"}, Words{"--device", "Device"},
        Words{"--convergence", "Rule"}, Words{"--mapping", "Mapping"},
        Words{"--partial-subgroups", "Partial subgroups"},
        Words{"--workgroup-order", "Workgroup order"}, Words{"--push", "Push constants"},
        Words{"--buffer", "Buffers"}, Words{"--spec", "Constants"}, Words{"--image", "Images"},
        Words{"--sampler", "Images"}, Words{"images", "Images"},
        Words{"--subgroup", "Watch subgroup"}}) {
    if (message.starts_with(option)) return message.replace(0, option.size(), name);
  }
  for (const std::string_view option : {"--image ", "--sampler ", "--buffer "}) {
    if (const std::size_t at = message.find(option); at != std::string::npos)
      return message.erase(at, option.size());
  }
  return message;
}

/// A compiler's message has the place: "shader.comp:7: ...".
int line_in(const std::string& message) {
  int line = 0;
  for (const std::string_view name : {"shader.comp:", "shader.hlsl:", "shader.wgsl:"}) {
    const std::size_t at = message.find(name);
    if (at == std::string::npos) continue;
    std::from_chars(message.data() + at + name.size(), message.data() + message.size(), line);
  }
  return line;
}

}  // namespace

std::string failure(const std::string& message) {
  return text_of({{"error", {{"message", message}, {"line", line_in(message)}}}});
}

std::string answer(std::string_view message) {
  try {
    return text_of(answer_to(parsed(message)));
  } catch (const std::bad_alloc&) {
    return failure(fmt::format("the run needs more than {} MiB of memory; make it smaller",
                               limits::memory_bytes >> 20));
  } catch (const std::exception& error) {
    return failure(in_words_of_page(error.what()));
  }
}

}  // namespace lockstep::playground
