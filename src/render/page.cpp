#include "render/page.hpp"

#include <string_view>

#include "render/assets.hpp"
#include "render/data.hpp"

namespace lockstep::render {
namespace {

using Json = nlohmann::ordered_json;

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

std::string escaped(std::string text) {
  replace_all(text, "&", "&amp;");
  replace_all(text, "<", "&lt;");
  return text;
}

}  // namespace

std::string to_html(const trace::Trace& trace, std::span<const Finding> findings,
                    std::span<const Buffer> buffers) {
  std::string data =
      data_of(trace, findings, buffers).dump(-1, ' ', false, Json::error_handler_t::replace);
  // Nothing in it may end the element that holds it.
  replace_all(data, "<", "\\u003c");
  std::string html(assets::page);
  replace_all(html, "@TITLE@", escaped(trace.title(trace.subgroups().front())));
  replace_all(html, "@STYLE@", assets::style);
  replace_all(html, "@SCRIPT@", assets::script);
  replace_all(html, "@DATA@", data);
  return html;
}

}  // namespace lockstep::render
