#include "render/check_page.hpp"

#include <string_view>

#include <nlohmann/json.hpp>

#include "render/assets.hpp"
#include "render/replace_all.hpp"

namespace lockstep::render {
namespace {

using Json = nlohmann::ordered_json;

std::string page_of(std::string_view page, std::string_view style, std::string_view script,
                    const Json& json) {
  std::string data = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  // Nothing in it may end the element that holds it.
  replace_all(data, "<", "\\u003c");
  std::string html(page);
  replace_all(html, "@STYLE@", style);
  replace_all(html, "@SCRIPT@", script);
  replace_all(html, "@DATA@", data);
  return html;
}

}  // namespace

std::string check_page(const Json& checked) {
  return page_of(assets::check_page, assets::check_style, assets::check_script, checked);
}

std::string verify_page(const Json& verified) {
  return page_of(assets::verify_page, assets::verify_style, assets::verify_script, verified);
}

}  // namespace lockstep::render
