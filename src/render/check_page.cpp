#include "render/check_page.hpp"

#include <string_view>

#include <nlohmann/json.hpp>

#include "render/assets.hpp"

namespace lockstep::render {
namespace {

using Json = nlohmann::ordered_json;

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

}  // namespace

std::string check_page(const Json& checked) {
  std::string data = checked.dump(-1, ' ', false, Json::error_handler_t::replace);
  // Nothing in it may end the element that holds it.
  replace_all(data, "<", "\\u003c");
  std::string html(assets::check_page);
  replace_all(html, "@STYLE@", assets::check_style);
  replace_all(html, "@SCRIPT@", assets::check_script);
  replace_all(html, "@DATA@", data);
  return html;
}

}  // namespace lockstep::render
