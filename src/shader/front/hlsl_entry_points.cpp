#include "shader/front/hlsl_entry_points.hpp"

#include <cstddef>
#include <string_view>

#include "shader/front/hlsl_text.hpp"
#include "shader/front/without_comments.hpp"

namespace lockstep::spirv {

std::vector<std::string> hlsl_entry_points(const std::string& text) {
  const std::string code = without_comments(text);
  std::vector<std::string> names;
  for_each_word(code, "numthreads", [&](std::size_t end) {
    HlslCursor cursor(code, end);
    if (!cursor.take("(") || !cursor.take_up_to(")") || !cursor.take("]")) return;
    while (cursor.take("[")) {
      if (!cursor.take_up_to("]")) return;
    }
    // The function's type and name, perhaps with words before them.
    std::string_view name;
    for (std::string_view word = cursor.take_word(); !word.empty(); word = cursor.take_word())
      name = word;
    if (!name.empty() && cursor.take("(")) names.emplace_back(name);
  });
  return names;
}

std::string hlsl_entry_point(const std::string& text, const std::string& wanted) {
  if (wanted != "main") return wanted;
  const std::vector<std::string> names = hlsl_entry_points(text);
  return names.size() == 1 ? names.front() : wanted;
}

}  // namespace lockstep::spirv
