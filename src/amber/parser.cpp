#include "amber/parser.hpp"

#include <fmt/format.h>

#include "amber/features.hpp"

namespace lockstep::amber {

void Parser::fail(const std::string& what) const { throw ScriptError(line_, what); }

std::string Parser::word(std::string_view what) {
  const Token token = reader_.peek();
  if (!token.is_word()) fail(fmt::format("{} is missing at the end of the line; add it", what));
  line_ = token.line;
  return reader_.next().text;
}

void Parser::expect(std::string_view keyword, std::string_view where) {
  const Token token = reader_.peek();
  if (token.is_word()) line_ = token.line;
  if (!token.is(keyword))
    fail(fmt::format("'{}' where {} expects {}; write {}",
                     token.is_word() ? token.text : "end of line", where, keyword, keyword));
  reader_.next();
}

std::uint32_t Parser::number(std::string_view what) {
  const std::string text = word(what);
  const auto value = parse_literal(text);
  if (!value || value->fractional || value->negative || value->magnitude > 0xffffffff)
    fail(fmt::format("'{}' is not a valid {}; write an integer from 0 to 4294967295", text, what));
  return static_cast<std::uint32_t>(value->magnitude);
}

Literal Parser::literal(std::string_view what) {
  const std::string text = word(what);
  const auto value = parse_literal(text);
  if (!value) fail(fmt::format("'{}' is not a valid {}; write a number", text, what));
  return *value;
}

void Parser::end_statement(std::string_view statement) {
  const Token token = reader_.next();
  if (!token.is_word()) return;
  line_ = token.line;
  fail(fmt::format("'{}' after the end of {}; remove it", token.text, statement));
}

// The next word of a block, up to its END; false at END.
bool Parser::next_in_block(Token& token, std::string_view block) {
  for (;;) {
    token = reader_.next();
    if (token.kind == Token::Kind::end_of_text) fail(fmt::format("{} has no END; add one", block));
    if (!token.is_word()) continue;
    line_ = token.line;
    return token.text != "END";
  }
}

bool Parser::accept(std::string_view keyword) {
  if (!reader_.peek().is(keyword)) return false;
  line_ = reader_.next().line;
  return true;
}

// Scripts with graphics pipelines are skipped as a whole; without one this is an error.
void Parser::reject_later(const std::string& what) {
  if (!rejected_) rejected_.emplace(line_, what);
}

Script Parser::parse() {
  while (script_.skip.empty()) {
    const Token token = reader_.next();
    if (token.kind == Token::Kind::end_of_text) break;
    if (!token.is_word()) continue;
    line_ = token.line;
    if (!parse_statement(token))
      fail(fmt::format("'{}' is not a command; see the AmberScript documentation", token.text));
  }
  if (script_.skip.empty() && rejected_) throw ScriptError(*rejected_);
  return std::move(script_);
}

bool Parser::parse_statement(const Token& token) {
  const std::string& name = token.text;
  Command command{.line = token.line, .times = 1, .actions = {}};
  if (parse_repeatable(token, command)) {
    script_.commands.push_back(std::move(command));
    return true;
  }
  if (name == "REPEAT")
    parse_repeat();
  else if (name == "BUFFER")
    parse_buffer();
  else if (name == "IMAGE")
    parse_image();
  else if (name == "STRUCT")
    parse_struct();
  else if (name == "SHADER")
    parse_shader();
  else if (name == "VIRTUAL_FILE")
    parse_virtual_file();
  else if (name == "PIPELINE")
    parse_pipeline();
  else if (name == "DERIVE_PIPELINE")
    parse_derived_pipeline();
  else if (name == "DEVICE_FEATURE")
    parse_requirement(Requirement::Kind::feature, name);
  else if (name == "DEVICE_PROPERTY")
    parse_requirement(Requirement::Kind::property, name);
  else if (name == "DEVICE_EXTENSION")
    parse_requirement(Requirement::Kind::device_extension, name);
  else if (name == "INSTANCE_EXTENSION")
    parse_requirement(Requirement::Kind::instance_extension, name);
  else if (name == "SET")
    parse_set();
  else if (name == "SAMPLER")
    parse_sampler();
  else if (name == "ACCELERATION_STRUCTURE")
    script_.skip = "it uses acceleration structures, which only ray tracing has";
  else
    return false;
  return true;
}

void Parser::parse_requirement(Requirement::Kind kind, std::string_view keyword) {
  Requirement requirement{kind, word(fmt::format("the name of {}", keyword)), line_};
  if (kind == Requirement::Kind::feature && !is_known_feature(requirement.name))
    fail(fmt::format("DEVICE_FEATURE {} is not a feature of AmberScript; check its spelling",
                     requirement.name));
  end_statement(keyword);
  script_.requirements.push_back(std::move(requirement));
}

void Parser::parse_set() {
  expect("ENGINE_DATA", "SET");
  const std::string variable = word("the variable of SET ENGINE_DATA");
  if (variable != "fence_timeout_ms")
    fail(fmt::format("SET ENGINE_DATA has no variable {}; the only one is fence_timeout_ms",
                     variable));
  // A step limit ends runs, not a time limit.
  number("time in milliseconds");
  end_statement("SET ENGINE_DATA");
}

void Parser::parse_virtual_file() {
  const std::string path = word("the path of VIRTUAL_FILE");
  if (virtual_files_.contains(path))
    fail(fmt::format("VIRTUAL_FILE {} already exists; choose another path", path));
  end_statement("VIRTUAL_FILE");
  virtual_file_lines_[path] = reader_.line();
  if (!reader_.read_block(virtual_files_[path]))
    fail(fmt::format("VIRTUAL_FILE {} has no END; add one", path));
  end_statement("VIRTUAL_FILE");
}

Script parse(std::string_view text) {
  const std::string_view first = text.substr(0, text.find_first_of("\r\n"));
  if (!first.starts_with("#!amber"))
    throw ScriptError(1, "the first line is not #!amber, which starts every Amber script; add it");
  return Parser(text).parse();
}

}  // namespace lockstep::amber
