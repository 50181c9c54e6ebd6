#include <lockstep/exec/intern.hpp>

#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>

using lockstep::intern;

TEST_CASE("equal texts are one, and stay where they are") {
  std::string text = "kernel.comp";
  const char* const first = intern(text);
  CHECK(first != text.c_str());
  text = "other";
  CHECK(std::string(first) == "kernel.comp");
  std::vector<const char*> more;
  for (int k = 0; k < 5000; ++k) more.push_back(intern("name " + std::to_string(k)));
  CHECK(intern(std::string("kernel.") + "comp") == first);
  CHECK(intern("kernel.com") != first);
  int wrong = 0;
  for (int k = 0; k < 5000; ++k)
    wrong += more[static_cast<std::size_t>(k)] != "name " + std::to_string(k);
  CHECK(wrong == 0);
  CHECK(*intern("") == '\0');
}

TEST_CASE("threads that intern the same text get the same address") {
  constexpr std::size_t threads = 4, texts = 200;
  std::vector<std::vector<const char*>> got(threads);
  std::vector<std::thread> running;
  for (std::size_t t = 0; t < threads; ++t)
    running.emplace_back([&, t] {
      for (std::size_t k = 0; k < texts; ++k)
        got[t].push_back(intern("shared text " + std::to_string(k)));
    });
  for (std::thread& thread : running) thread.join();
  for (std::size_t t = 1; t < threads; ++t) CHECK(got[t] == got[0]);
}
