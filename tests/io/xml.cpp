#include "io/xml.hpp"

#include <string>

#include <catch2/catch.hpp>

using lockstep::io::xml_text;

TEST_CASE("text in XML has entities for what tags and attributes are made of") {
  CHECK(xml_text("a < b && c > \"d\"") == "a &lt; b &amp;&amp; c &gt; &quot;d&quot;");
  CHECK(xml_text("&amp; ]]>") == "&amp;amp; ]]&gt;");
  CHECK(xml_text("two\nlines, µs") == "two&#10;lines, µs");
  CHECK(xml_text("").empty());
}

TEST_CASE("characters that XML cannot have are left out") {
  CHECK(xml_text(std::string("a\0b\x1b[31m\tc", 10)) == "ab[31m\tc");
}
