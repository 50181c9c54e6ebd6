#include "runtime/trace/open_source.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <string>

#include "support/directory.hpp"

namespace {

std::string first_line(const std::string& name) {
  const auto source = lockstep::trace::open_source(name);
  std::string line;
  if (source) std::getline(*source, line);
  return line;
}

}  // namespace

TEST_CASE("a source with a relative name is looked for in the folder of sources, too") {
  const lockstep::test::Directory folder;
  std::ofstream(folder / "lockstep_source.hpp") << "found\n";
  CHECK_FALSE(lockstep::trace::open_source("lockstep_source.hpp"));
  lockstep::trace::set_source_folder(folder / "");
  CHECK(first_line("lockstep_source.hpp") == "found");
  CHECK(first_line(folder / "lockstep_source.hpp") == "found");
  CHECK_FALSE(lockstep::trace::open_source("lockstep_other.hpp"));
  CHECK_FALSE(lockstep::trace::open_source("/lockstep_source.hpp"));
  // Texts that are given win.
  lockstep::trace::set_source_texts({{"lockstep_source.hpp", "given\n"}});
  CHECK(first_line("lockstep_source.hpp") == "given");
  CHECK(first_line(folder / "lockstep_source.hpp") == "found");
  lockstep::trace::set_source_texts({});
  lockstep::trace::set_source_folder("");
}
