#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "explain/topics.hpp"
#include "io/xml.hpp"

namespace lockstep::explain {
namespace {

constexpr int columns = 80, line_height = 18, character = 8, margin = 12;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    lines.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return lines;
}

/// Paragraphs and tables as a terminal has them, and sources on a pale ground.
class Page {
 public:
  void add(const Block& block) {
    const std::vector<std::string> lines = lines_of(draw({block}, {.columns = columns}));
    if (!block.source.empty()) ground(static_cast<int>(lines.size()));
    for (const std::string& line : lines) add_line(line);
    y_ += line_height / 2;
  }

  void title(const Topic& topic) {
    add_line(topic.name, " font-weight=\"bold\"");
    add_line(topic.what, " fill=\"#57606a\"");
    y_ += line_height / 2;
  }

  std::string take(const Topic& topic) const {
    return fmt::format(
        R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" width="{0}" height="{1}" )"
        R"(font-family="monospace" font-size="13" role="img" aria-label="{2}: {3}">)"
        R"(<rect width="{0}" height="{1}" fill="#ffffff"/>)"
        "\n{4}</svg>\n",
        width, y_ + margin / 2, io::xml_text(topic.name), io::xml_text(topic.what), out_);
  }

 private:
  static constexpr int width = columns * character + 2 * margin;

  void ground(int lines) {
    out_ += fmt::format(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"4\" fill=\"#f2f4f7\"/>\n",
        margin / 2, y_ - 2, width - margin, lines * line_height + 6);
  }

  void add_line(std::string_view line, std::string_view more = "") {
    out_ += fmt::format("<text x=\"{}\" y=\"{}\" xml:space=\"preserve\"{}>{}</text>\n", margin,
                        y_ + 13, more, io::xml_text(line));
    y_ += line_height;
  }

  std::string out_;
  int y_ = margin;
};

}  // namespace

std::string to_svg(const Topic& topic, const std::vector<Block>& blocks) {
  Page page;
  page.title(topic);
  for (const Block& block : blocks) page.add(block);
  return page.take(topic);
}

}  // namespace lockstep::explain
