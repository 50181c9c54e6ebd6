#include "io/files.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <iterator>

#include "io/error.hpp"
#include "io/npy.hpp"
#include "support/directory.hpp"

using namespace lockstep::io;
using lockstep::test::Directory;

TEST_CASE("a text is read as it was written, and nothing else is left behind") {
  const Directory directory;
  const std::string path = directory / "a.txt";
  const std::string text("one\0two\n", 8);
  write_text(path, "something longer than that");
  write_text(path, text);
  CHECK(read_text(path) == text);
  CHECK(read_bytes(path).size() == 8);
  const std::filesystem::directory_iterator files(directory.path());
  CHECK(std::distance(begin(files), end(files)) == 1);
}

TEST_CASE("files that cannot be read or written are named") {
  const Directory directory;
  CHECK_THROWS_WITH(read_text(directory / "gone"),
                    (directory / "gone") + ": does not exist; give the path of a file");
  CHECK_THROWS_WITH(read_text(directory.path().string()),
                    directory.path().string() + ": is not a regular file; give the path of a file");
  CHECK_THROWS_AS(write_text(directory / "gone/a.txt", ""), lockstep::npy::Error);
  CHECK_THROWS_AS(write_text(directory.path().string(), ""), lockstep::npy::Error);
}
