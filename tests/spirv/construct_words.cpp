#include <cstdint>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "shader/front/construct_words.hpp"

namespace {

using lockstep::spirv::construct_words;
using lockstep::spirv::ConstructWord;
using Kind = ConstructWord::Kind;

/// A letter for each word, its line and, if its condition ends further down, that line: "i3-4 f5".
std::string words_of(const std::string& text) {
  std::string all;
  for (const ConstructWord& word : construct_words(text)) {
    if (!all.empty()) all += ' ';
    all += "ilesc"[static_cast<int>(word.kind)] + std::to_string(word.line);
    if (word.last != word.line) all += '-' + std::to_string(word.last);
  }
  return all;
}

}  // namespace

TEST_CASE("construct words: lines, and where conditions end") {
  CHECK(words_of("") == "");
  CHECK(words_of("if (a) {\n} else if (b &&\n (c)) d();\nswitch (f(\n)) {}") == "i1 i2-3 s4-5");
  CHECK(words_of("for (;\n;\n) x = y ? 1\n : 2;\nwhile (x) {}") == "l1-3 c3 l5");
  CHECK(words_of("if x > 1 {\n loop {\n}}\nswitch x\n {") == "i1 l2 s4-5");
}

TEST_CASE("construct words: the while of a do ends a loop") {
  CHECK(words_of("do {\n while (a) {\n do b(); while (c);\n }\n} while (d);\nwhile (e);") ==
        "l1 l2 l3 e3 e5 l6");
}

TEST_CASE("construct words: only code counts") {
  CHECK(words_of("// if\n/* for\n while */ if (a) \"switch\";") == "i3");
  CHECK(words_of("iffy endif_ do_it(forty); xif = 1;") == "");
  CHECK(
      words_of("#if 0\nif (a) {}\n#if 1\nfor (;;);\n#endif\n#else\nwhile (b);\n#endif\nif (c);") ==
      "l7 i9");
  CHECK(words_of("#define TWICE(x) \\\n  if (x) {} \\\n  if (x) {}\nif (a) {}") == "i4");
}

TEST_CASE("construct words: lines are as #line counts") {
  CHECK(words_of("// made\n#line 1\nif (a) {}\n#line 30\nif (b) {}\nif (c) {}") == "i1 i30 i31");
  CHECK(words_of("if (a);\n#line 7 \"other.glsl\"\nif (b);\n#line 3\nif (c);") == "i1 i3");
}
