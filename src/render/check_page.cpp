#include "render/check_page.hpp"

#include <string_view>

#include <nlohmann/json.hpp>

#include "render/assets.hpp"
#include "render/replace_all.hpp"

namespace lockstep::render {
namespace {

using Json = nlohmann::ordered_json;

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
