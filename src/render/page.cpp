#include "render/page.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "io/xml.hpp"
#include "render/assets.hpp"
#include "render/data.hpp"
#include "render/replace_all.hpp"

namespace lockstep::render {
namespace {

using Json = nlohmann::ordered_json;

std::string assembled(std::string_view title, std::string_view head, std::string_view experiment,
                      std::string_view tail) {
  std::string html(assets::page);
  replace_all(html, "@TITLE@", title);
  replace_all(html, "@HEAD@", head);
  replace_all(html, "@EXPERIMENT@", experiment);
  replace_all(html, "@TAIL@", tail);
  return html;
}

/// The first elements of a buffer.
std::vector<std::string> elements_of(io::Dtype type, std::span<const std::byte> bytes,
                                     std::size_t count) {
  std::vector<std::string> elements;
  for (std::size_t k = 0; k < count; ++k)
    elements.push_back(io::to_text(type, bytes.data() + k * io::bytes_of(type)));
  return elements;
}

}  // namespace

Buffer shown_buffer(std::string title, io::Dtype type, std::span<const std::byte> before,
                    std::span<const std::byte> after) {
  constexpr std::size_t most_elements = 256;
  const std::size_t all = after.size() / io::bytes_of(type);
  const std::size_t shown = std::min(all, most_elements);
  return {std::move(title), elements_of(type, before, shown), elements_of(type, after, shown),
          all - shown, io::bytes_of(type)};
}

bool is_at(const Finding& finding, const SourceLocation& where) {
  return finding.where.line == where.line &&
         std::string_view(finding.where.file) == std::string_view(where.file);
}

std::string to_html(const Shown& run, const Shown* beside) {
  std::string data = data_of(run, beside).dump(-1, ' ', false, Json::error_handler_t::replace);
  // Nothing in it may end the element that holds it.
  replace_all(data, "<", "\\u003c");
  std::string tail = "<script type=\"application/json\" id=\"data\">";
  tail.append(data).append("</script>\n<script>\n").append(assets::script).append("\n</script>");
  return assembled(io::xml_text(run.trace.title(run.trace.subgroups().front())),
                   "<style>\n" + std::string(assets::style) + "</style>", "", tail);
}

std::string server_page(std::string_view head) {
  return assembled(
      "Lockstep",
      std::string(head) +
          "<link rel=\"icon\" href=\"data:,\">\n<link rel=\"stylesheet\" href=\"page.css\">",
      assets::experiment, "<script src=\"page.js\"></script>");
}

}  // namespace lockstep::render
