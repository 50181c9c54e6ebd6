#include "amber/reader.hpp"

#include <catch2/catch.hpp>
#include <vector>

using lockstep::amber::Reader;
using lockstep::amber::Token;

namespace {

/// The words with their lines as "word@line", ends of lines as "|".
std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> result;
  Reader reader(text);
  for (Token token = reader.next(); token.kind != Token::Kind::end_of_text; token = reader.next())
    result.push_back(token.is_word() ? token.text + "@" + std::to_string(token.line) : "|");
  return result;
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("blanks separate words, comments run to the end of the line") {
  CHECK(words("RUN p 1\n EXPECT\tb # IDX\n#x\nc") ==
        Words{"RUN@1", "p@1", "1@1", "|", "EXPECT@2", "b@2", "|", "|", "c@4"});
  CHECK(words("a#b\r\nc") == Words{"a#b@1", "|", "c@2"});
  CHECK(words("(1,2)") == Words{"(@1", "1@1", ",@1", "2@1", ")@1"});
  CHECK(words("").empty());
}

TEST_CASE("a backslash joins lines, quotes keep blanks") {
  CHECK(words("a \\\n b\\c \\ \r\nd") == Words{"a@1", "b\\c@2", "d@3"});
  CHECK(words("a \\ b") == Words{"a@1", "\\@1", "b@1"});
  CHECK(words("\"a b\" c") == Words{"a b@1", "c@1"});
  CHECK(words("\"a b\nc") == Words{"a b@1", "|", "c@2"});
}

TEST_CASE("a block ends at a line that starts with END") {
  Reader reader("one # no comment\n ENDING\nLEGEND\n\tEND # shader\nnext");
  std::string block;
  REQUIRE(reader.read_block(block));
  CHECK(block == "one # no comment\n ENDING\nLEGEND\n");
  CHECK(reader.next().kind == Token::Kind::end_of_line);
  CHECK(reader.peek().line == 5);
  CHECK(reader.next().is("next"));
  CHECK_FALSE(reader.read_block(block));
}
