#include <arpa/inet.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "cli/run_program.hpp"

namespace {

using ServeJson = nlohmann::json;

struct Reply {
  int status = 0;
  std::string head, body;
};

/// The text of a chunked body: each chunk has a line with its size.
std::string without_chunks(const std::string& body) {
  std::string text;
  for (std::size_t at = 0; at < body.size();) {
    const std::size_t size = std::stoul(body.substr(at), nullptr, 16);
    if (size == 0) break;
    at = body.find("\r\n", at) + 2;
    text += body.substr(at, size);
    at += size + 2;
  }
  return text;
}

/// A connection that ends without waiting for an answer.
class Connection {
 public:
  Connection() : socket_(socket(AF_INET, SOCK_STREAM, 0)) {}
  ~Connection() { close(socket_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Connects and sends the text.
  bool to(int port, const std::string& text) const {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
           ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL) ==
               static_cast<ssize_t>(text.size());
  }

 private:
  int socket_;
};

/// A running `lockstep serve` on a free port.
class Served {
 public:
  Served() {
    std::array<int, 2> ends{};
    REQUIRE(pipe(ends.data()) == 0);
    pid_ = fork();
    REQUIRE(pid_ >= 0);
    if (pid_ == 0) {
      dup2(ends[1], STDOUT_FILENO);
      close(ends[0]);
      close(ends[1]);
      execl(LOCKSTEP_PROGRAM, "lockstep", "serve", "--port", "0", nullptr);
      _exit(127);
    }
    close(ends[1]);
    out_ = ends[0];
    const std::string line = read_until("\n");
    constexpr std::string_view start = "http://127.0.0.1:";
    REQUIRE(line.starts_with(start));
    port_ = std::stoi(line.substr(start.size()));
  }
  ~Served() {
    if (pid_ > 0) kill(pid_, SIGKILL), waitpid(pid_, nullptr, 0);
    close(out_);
  }
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;

  std::string host() const { return "127.0.0.1:" + std::to_string(port_); }
  int port() const { return port_; }
  /// The runs that are going on.
  std::size_t workers() const {
    std::size_t count = 0;
    for (const auto& thread :
         std::filesystem::directory_iterator("/proc/" + std::to_string(pid_) + "/task")) {
      std::ifstream list(thread.path() / "children");
      for (int child = 0; list >> child;) ++count;
    }
    return count;
  }

  /// Sends the text of a request as it is.
  Reply send(const std::string& text) const {
    const int s = socket(AF_INET, SOCK_STREAM, 0);
    REQUIRE(s >= 0);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<std::uint16_t>(port_));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    REQUIRE(connect(s, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0);
    for (std::size_t at = 0; at < text.size();) {
      const ssize_t count = ::send(s, text.data() + at, text.size() - at, MSG_NOSIGNAL);
      if (count <= 0) break;  // an answer may come before all is sent
      at += static_cast<std::size_t>(count);
    }
    std::string all;
    std::array<char, 1 << 16> part;
    for (ssize_t count = 0; (count = recv(s, part.data(), part.size(), 0)) > 0;)
      all.append(part.data(), static_cast<std::size_t>(count));
    close(s);
    const std::size_t end = all.find("\r\n\r\n");
    if (end == std::string::npos) return {};
    Reply reply{std::stoi(all.substr(9, 3)), all.substr(0, end), all.substr(end + 4)};
    if (contains(reply.head, "Transfer-Encoding: chunked")) reply.body = without_chunks(reply.body);
    return reply;
  }
  Reply get(const std::string& path, const std::string& headers = "") const {
    return send("GET " + path + " HTTP/1.1\r\nHost: " + host() + "\r\n" + headers +
                "Connection: close\r\n\r\n");
  }
  Reply post(const std::string& body, const std::string& headers) const {
    return send("POST /ask HTTP/1.1\r\n" + headers + "Connection: close\r\nContent-Length: " +
                std::to_string(body.size()) + "\r\n\r\n" + body);
  }
  /// What the page asks.
  ServeJson ask(const ServeJson& message) const {
    const Reply reply = post(message.dump(), "Host: " + host() + "\r\nOrigin: http://" + host() +
                                                 "\r\nContent-Type: application/json\r\n");
    REQUIRE(reply.status == 200);
    return ServeJson::parse(reply.body);
  }
  ServeJson choices() const { return ask({{"ask", "choices"}}); }
  /// What the page asks for an experiment.
  ServeJson run(const ServeJson& experiment) const {
    ServeJson message = experiment;
    if (message.is_object()) message["ask"] = "trace";
    return ask(message);
  }
  /// The message of an experiment that cannot run, and its line.
  std::pair<std::string, int> problem(const ServeJson& experiment) const {
    const ServeJson answer = run(experiment);
    INFO(answer.dump().substr(0, 300));
    REQUIRE(answer.contains("error"));
    return {answer.at("error").at("message"), answer.at("error").at("line")};
  }
  /// Ctrl-C; its exit status, and what it has printed last.
  std::pair<int, std::string> interrupt() {
    kill(pid_, SIGINT);
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = -1;
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_until("")};
  }

 private:
  /// All up to the end if it is empty.
  std::string read_until(const std::string& end) const {
    std::string text;
    for (char c = 0; read(out_, &c, 1) == 1;) {
      text += c;
      if (!end.empty() && text.ends_with(end)) break;
    }
    return text;
  }

  pid_t pid_ = -1;
  int out_ = -1, port_ = 0;
};

std::string shader(const std::string& body) {
  return "#version 450\nlayout(local_size_x = 8) in;\nlayout(binding = 0) buffer B { uint data[]; "
         "};\n"
         "void main() {\n  uint i = gl_LocalInvocationIndex;\n" +
         body + "\n}\n";
}

}  // namespace

TEST_CASE("serve gives its page and all that it loads, with a policy that lets nothing else in") {
  const Served server;
  const Reply page = server.get("/");
  CHECK(page.status == 200);
  CHECK(contains(page.head, "text/html"));
  for (const std::string part :
       {"default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"})
    CHECK(contains(page.head, part));
  CHECK(!contains(page.body, "@"));
  // What it refers to is there, and there is nothing else.
  std::size_t referred = 0;
  for (const std::string name : {" src=\"", " href=\""}) {
    for (std::size_t at = page.body.find(name); at != std::string::npos;
         at = page.body.find(name, at + 1)) {
      const std::size_t start = at + name.size();
      const std::string path = page.body.substr(start, page.body.find('"', start) - start);
      INFO(path);
      if (path == "data:,") continue;  // no icon
      // The same page is also files in a folder.
      CHECK_FALSE(contains(path, "/"));
      const Reply one = server.get("/" + path);
      CHECK(one.status == 200);
      CHECK(one.body.size() > 100);
      ++referred;
    }
  }
  CHECK(referred >= 2);
  for (const std::string path : {"/etc/passwd", "/../etc/passwd", "/%2e%2e/etc/passwd", "/ask"})
    CHECK(server.get(path).status == 404);
}

TEST_CASE("serve runs what the page asks for, and compares two runs") {
  const Served server;
  const ServeJson choices = server.choices();
  CHECK(choices.at("rules") == ServeJson({"maximal", "subgroup-uniform", "core"}));
  CHECK(choices.at("devices").size() > 5);
  REQUIRE(choices.at("examples").at(0).at("name") == "allocate_broken");
  const ServeJson answer = server.run(choices.at("examples").at(0).at("experiment"));
  REQUIRE(answer.contains("run"));
  const ServeJson& run = answer.at("run");
  CHECK(run.at("size") == 8);
  CHECK(run.at("error") == "");
  CHECK(run.at("files").at(0).at("name") == "shader.comp");
  CHECK(run.at("files").at(0).at("lines").size() > 20);
  // Under the rule core lane 2 is not told where the elected lane's elements start.
  const ServeJson& value = run.at("comparisons").at(0).at("value");
  CHECK(value.at("lane") == 2);
  CHECK(value.at("what") == "subgroupBroadcastFirst");
  CHECK(value.at("second") == "0");
  // All 64 even numbers below 128 would be stored; the input has 32.
  CHECK(run.at("buffers").at(0).at("after") == ServeJson({"40"}));
}

TEST_CASE("serve has memory for a subgroup of each invocation, under every rule") {
  const Served server;
  const std::string source =
      "#version 450\nlayout(local_size_x = 1024) in;\nlayout(binding = 0) buffer B { uint data[]; "
      "};\n"
      "void main() {\n  uint i = gl_LocalInvocationIndex;\n"
      "  if (i % 2u == 0u) data[i] = i;\n  barrier();\n  data[i] += 1u;\n}\n";
  for (const char* rule : {"maximal", "core"}) {
    CAPTURE(rule);
    const ServeJson answer =
        server.run({{"source", source}, {"size", 1}, {"rule", rule}, {"choose", "rejoin-none"}});
    INFO(answer.dump().substr(0, 300));
    REQUIRE(answer.contains("run"));
    const ServeJson& after = answer.at("run").at("buffers").at(0).at("after");
    REQUIRE(after.size() == 256);  // as many as the page shows
    for (std::size_t k = 0; k < after.size(); ++k)
      CHECK(after.at(k) == std::to_string(k % 2 == 0 ? k + 1 : 1));
  }
}

TEST_CASE("serve makes contents for buffers that the experiment leaves out") {
  const Served server;
  const ServeJson answer = server.run({{"source", shader("  data[i] = i * i;")}, {"size", 4}});
  CHECK(answer.at("inputs") == ServeJson({"0=zeros:u32:8"}));
  std::vector<std::string> squares;
  for (int i = 0; i < 8; ++i) squares.push_back(std::to_string(i * i));
  CHECK(answer.at("run").at("buffers").at(0).at("after") == ServeJson(squares));
  // Those of the shader before it do no harm.
  const ServeJson left = server.run({{"source", shader("  data[i] = i * i;")},
                                     {"buffers", {"7=iota:u32:8", "0=fill:u32:16:3"}},
                                     {"push", "u32:1"}});
  CHECK(left.at("inputs") == ServeJson({"0=fill:u32:16:3"}));
  const ServeJson in =
      server.run({{"source",
                   "#version 450\nlayout(local_size_x = 4) in;\n"
                   "layout(binding = 2) readonly buffer A { float a[]; };\n"
                   "layout(set = 1, binding = 3) buffer B { float b[2]; };\n"
                   "void main() { b[gl_LocalInvocationIndex % 2u] = a[gl_LocalInvocationIndex]; }"},
                  {"groups", "3"}});
  CHECK(in.at("inputs") == ServeJson({"2=iota:f32:12", "1:3=zeros:f32:2"}));
}

TEST_CASE("serve takes images and samplers, and makes those that the experiment leaves out") {
  const Served server;
  const std::string source =
      "#version 450\nlayout(local_size_x = 4, local_size_y = 4) in;\n"
      "layout(binding = 0, r32f) uniform readonly image2D source;\n"
      "layout(binding = 1, r32f) uniform image2D target;\n"
      "layout(binding = 2) uniform sampler2D ramp;\n"
      "void main() {\n  ivec2 p = ivec2(gl_LocalInvocationID.xy);\n"
      "  float x = textureLod(ramp, vec2(float(p.x) / 4.0 + 0.25, 0.5), 0.0).x;\n"
      "  imageStore(target, p, 2.0 * imageLoad(source, p) + x);\n}\n";
  const ServeJson answer =
      server.run({{"source", source},
                  {"size", 4},
                  {"images",
                   {"0=r32f:4x4:iota:f32:16", "target=r32f:4x4:zeros", "2=r32f:2x1:iota:f32:2",
                    "2=linear,clamp_to_edge", "9=r32f:1x1:zeros"}}});
  INFO(answer.dump().substr(0, 300));
  const float ramp[] = {0, 0.5, 1, 1};
  const ServeJson& after = answer.at("run").at("buffers").at(0).at("after");
  REQUIRE(after.size() == 16);
  for (std::size_t k = 0; k < 16; ++k)
    CHECK(std::stof(after.at(k).get<std::string>()) == 2 * static_cast<float>(k) + ramp[k % 4]);
  CHECK(answer.at("images").size() == 4);

  const ServeJson made = server.run({{"source", source}, {"size", 4}});
  CHECK(made.at("images") == ServeJson({"0=r32f:16x16:random:f32:256:1", "1=r32f:16x16:zeros",
                                        "2=rgba8:16x16:random:u8:1024:1", "2=linear,repeat"}));
  CHECK(made.at("run").at("error") == "");

  const auto problem = [&](const char* image) {
    return server.problem({{"source", source}, {"images", {image}}}).first;
  };
  CHECK(contains(problem("0=r32f:/etc/passwd.png"), "files cannot be read here"));
  CHECK(contains(problem("0=r32f:4x4:x.png"), "files cannot be read here"));
  CHECK(contains(problem("0=r32f:4x4:x.npy"), "files cannot be read here"));
  CHECK(contains(problem("0=r33f:4x4:zeros"), "'r33f' is not an image format"));
  CHECK(contains(problem("2=soft"), "'soft' is not a property of samplers"));
  CHECK_FALSE(contains(problem("2=soft"), "--"));
}

TEST_CASE("serve runs all its examples") {
  const Served server;
  const ServeJson choices = server.choices();
  CHECK(choices.at("examples").size() >= 25);
  for (const ServeJson& example : choices.at("examples")) {
    const ServeJson answer = server.run(example.at("experiment"));
    INFO(example.at("name"));
    INFO(answer.value("error", ServeJson()).dump());
    REQUIRE(answer.contains("run"));
    CHECK(answer.at("run").at("error") == "");
    CHECK(!answer.at("run").at("subgroups").at(0).at("steps").empty());
  }
}

TEST_CASE("serve runs a shader as on each device, at its own size") {
  const Served server;
  const ServeJson choices = server.choices();
  for (const ServeJson& device : choices.at("devices")) {
    const ServeJson answer = server.run(
        {{"source", shader("  data[i] = i;")}, {"size", 8}, {"beside", {{"device", device}}}});
    INFO(device);
    REQUIRE(answer.contains("run"));
    CHECK(answer.at("run").at("size") == 8);
    const int size = answer.at("run").at("beside").at("size");
    CHECK((size == 4 || size == 8 || size == 16 || size == 32 || size == 64 || size == 128));
    if (device == "arm_16") CHECK(size == 16);
    if (device == "qualcomm_128") CHECK(size == 128);
  }
}

TEST_CASE("serve says what is wrong with a shader, and where") {
  const Served server;
  const auto [message, line] =
      server.problem({{"source", shader("  uint x = 1;\n  data[i] = y;")}});
  CHECK(line == 7);
  CHECK(contains(message, "shader.comp:7: "));
  CHECK(contains(message, "'y' : undeclared identifier"));
  CHECK(contains(server.problem({{"source", ""}}).first, "shader.comp"));
  CHECK(contains(server.problem({{"source", shader("")}, {"size", 129}}).first, "1 to 128"));
  CHECK(contains(server.problem({{"source", shader("")}, {"size", "8"}}).first, "another type"));
  CHECK(contains(server.problem({{"sauce", ""}}).first, "unknown field 'sauce'"));
  CHECK(contains(server.problem(ServeJson::array()).first, "not a JSON object"));
  CHECK(contains(server.problem({{"source", shader("")}, {"rule", "none"}}).first,
                 "Rule none: write maximal"));
  CHECK(contains(server.problem({{"source", shader("")}, {"choose", "never"}}).first, "Chooser: "));
  CHECK(contains(server.problem({{"source", shader("")}, {"groups", "99999"}}).first, "too many"));
  CHECK(contains(server.problem({{"source", shader("")}, {"device", "pocket"}}).first, "pocket"));
  CHECK(contains(server.problem({{"source", shader("")}, {"size", 2.5}}).first, "another type"));
  CHECK(server.problem({{"source", shader("")}, {"groups", "0"}}).first.starts_with("Workgroups"));
}

TEST_CASE("serve ends runs without an end, and runs that are too large") {
  const Served server;
  const auto start = std::chrono::steady_clock::now();
  // An endless loop still shows what it did.
  const ServeJson endless =
      server.run({{"source", shader("  while (data[0] == 0u) data[i] = 0u;")}});
  REQUIRE(endless.contains("run"));
  CHECK(contains(endless.at("run").at("error"), "shader.comp:6"));
  CHECK(!endless.at("run").at("subgroups").at(0).at("steps").empty());
  const ServeJson many = server.run({{"source", shader("  for (uint n = 0u; n < 9000u; ++n)\n"
                                                       "    for (uint m = 0u; m < 9000u; ++m)\n"
                                                       "      data[i] += m;")}});
  REQUIRE(many.contains("run"));
  CHECK(contains(many.at("run").at("error"), "events"));
  std::string deep = "data[i]";
  for (int k = 0; k < 40000; ++k) deep = "(" + deep + ")";
  CHECK(!server.problem({{"source", shader("  data[i] = " + deep + ";")}}).first.empty());
  CHECK(contains(
      server
          .problem({{"source", shader("  data[i] = 1u;")}, {"buffers", {"0=zeros:u32:900000000"}}})
          .first,
      "more than 16 MiB"));
  // After all that it still answers.
  CHECK(server.run({{"source", shader("  data[i] = i;")}}).contains("run"));
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(120));
  const Reply large =
      server.post(std::string(std::size_t{1} << 20, ' '),
                  "Host: " + server.host() + "\r\nContent-Type: application/json\r\n");
  CHECK(large.status == 413);
}

TEST_CASE("serve reads no files for an experiment") {
  const Served server;
  const std::string secret = "root:";  // /etc/passwd starts with it
  for (const std::string file : {"/etc/passwd.bin", "x.npy", "/dev/stdin.bin"}) {
    const auto problem =
        server.problem({{"source", shader("  data[i] = i;")}, {"buffers", {"0=" + file}}});
    CHECK(contains(problem.first, "files cannot be read here"));
  }
  for (const std::string name :
       {"\"/etc/passwd\"", "</etc/passwd>", "\"../../../../etc/passwd\""}) {
    const ServeJson answer = server.run(
        {{"source", "#version 450\n#extension GL_GOOGLE_include_directive : enable\n#include " +
                        name + "\nvoid main() {}\n"}});
    CHECK(answer.contains("error"));
    CHECK(!contains(answer.dump(), secret));
  }
  // A line directive names a file as the source of a line.
  const ServeJson answer = server.run(
      {{"source",
        "#version 450\n#extension GL_GOOGLE_cpp_style_line_directive : enable\n"
        "layout(local_size_x = 8) in;\nlayout(binding = 0) buffer B { uint data[]; };\n"
        "void main() {\n#line 1 \"/etc/passwd\"\n  data[gl_LocalInvocationIndex] = 1u;\n}\n"}});
  REQUIRE(answer.contains("run"));
  CHECK(!contains(answer.dump(), secret));
}

TEST_CASE("serve refuses foreign hosts and origins, and forms") {
  const Served server;
  const std::string own = "Host: " + server.host() + "\r\n",
                    json = "Content-Type: application/json\r\n";
  const std::string body = ServeJson{{"ask", "trace"}, {"source", shader("  data[i] = i;")}}.dump();
  const std::string port = ":" + std::to_string(server.port());
  for (const std::string& host : std::vector<std::string>{
           "example.com", "example.com" + port, "127.0.0.1", "127.0.0.1.example.com" + port, ""}) {
    INFO(host);
    CHECK(server.send("GET / HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n").status ==
          403);
    CHECK(server.post(body, "Host: " + host + "\r\n" + json).status == 403);
  }
  CHECK(server.send("GET / HTTP/1.0\r\n\r\n").status == 403);
  for (const std::string& origin :
       std::vector<std::string>{"http://example.com", "null", "https://" + server.host(),
                                "http://localhost:1", "http://" + server.host() + ".example.com"}) {
    INFO(origin);
    CHECK(server.post(body, own + json + "Origin: " + origin + "\r\n").status == 403);
  }
  CHECK(server.post(body, own + json + "Origin: http://" + server.host() + "\r\n").status == 200);
  CHECK(server
            .post(body, "Host: localhost" + port + "\r\n" + json + "Origin: http://localhost" +
                            port + "\r\n")
            .status == 200);
  for (const std::string type :
       {"", "Content-Type: text/plain\r\n", "Content-Type: application/x-www-form-urlencoded\r\n"})
    CHECK(server.post(body, own + type).status == 415);
}

TEST_CASE("Ctrl-C ends serve cleanly, also while a shader runs") {
  Served server;
  std::thread asks([&] {
    server.post(ServeJson{{"ask", "trace"},
                          {"source", shader("  for (uint n = 0u; n < 9000u; ++n)\n"
                                            "    for (uint m = 0u; m < 9000u; ++m) data[i] += m;")}}
                    .dump(),
                "Host: " + server.host() + "\r\nContent-Type: application/json\r\n");
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  const auto [status, text] = server.interrupt();
  asks.join();
  CHECK(status == 0);
  CHECK(text.ends_with("stopped\n"));  // before it a note, where there is no CodeMirror
}

TEST_CASE("serve ends a run whose page has gone, and has time for others meanwhile") {
  const Served server;
  const std::string endless =
      ServeJson{{"ask", "trace"},
                {"source", shader("  for (uint n = 0u; n < 9000u; ++n)\n"
                                  "    for (uint m = 0u; m < 9000u; ++m) data[i] += m;")}}
          .dump();
  const std::string request =
      "POST /ask HTTP/1.1\r\nHost: " + server.host() +
      "\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(endless.size()) +
      "\r\n\r\n" + endless;
  {
    std::vector<Connection> pages(6);
    for (const Connection& page : pages) REQUIRE(page.to(server.port(), request));
    const auto most = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (server.workers() < 4 && std::chrono::steady_clock::now() < most)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    CHECK(server.workers() == 4);
  }
  const auto most = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  while (server.workers() > 1 && std::chrono::steady_clock::now() < most)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  CHECK(server.workers() == 1);  // it waits for the next run
  // Connections that say nothing keep no other page waiting.
  std::vector<Connection> silent(12);
  for (const Connection& one : silent) REQUIRE(one.to(server.port(), "GET / HT"));
  const auto start = std::chrono::steady_clock::now();
  CHECK(server.get("/").status == 200);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(4));
}

TEST_CASE("serve refuses a port that is taken, and what is no port") {
  const Served server;
  check_error("serve --port " + std::to_string(server.port()), 2,
              "port " + std::to_string(server.port()) +
                  " of 127.0.0.1 cannot be used; give another one with --port");
  CHECK(run_program("serve --port 70000").exit_code == 2);
}

TEST_CASE("serve compiles WGSL by what PATH has, and leaves nothing of it behind") {
  const Directory directory;
  const std::string path = std::getenv("PATH");
  const auto make_naga = [&](const std::string& lines) {
    namespace fs = std::filesystem;
    fs::permissions(directory.write("path/naga", "#!/bin/sh\n" + lines), fs::perms::owner_all);
  };
  // It writes where it works, and makes the module of a shader in GLSL.
  directory.write("made.comp", shader("  data[i] = i * i;"));
  make_naga("cp \"$2\" '" + (directory / "source") + "'\ncp \"$2\" \"$2.more\"\npwd > '" +
            (directory / "where") +
            "'\nexec glslangValidator -V --target-env vulkan1.1 -o \"$3\" '" +
            (directory / "made.comp") + "'\n");
  const ServeJson experiment{{"source", "// WGSL\n"}, {"language", "wgsl"}, {"size", 4}};
  const auto set_path = [](const std::string& value) { setenv("PATH", value.c_str(), 1); };
  {
    set_path(directory / "nothing");
    const Served server;
    set_path(path);
    CHECK(server.choices().at("languages") == ServeJson({"glsl", "hlsl"}));
    CHECK(
        contains(server.problem(experiment).first, "lockstep serve takes naga or tint from PATH"));
  }
  set_path((directory / "path") + ":" + path);
  Served server;
  set_path(path);
  CHECK(server.choices().at("languages") == ServeJson({"glsl", "hlsl", "wgsl"}));
  const ServeJson run = server.run(experiment).at("run");
  std::vector<std::string> squares;
  for (int i = 0; i < 8; ++i) squares.push_back(std::to_string(i * i));
  CHECK(run.at("buffers").at(0).at("after") == ServeJson(squares));
  const auto text_of = [&](const std::string& name) {
    std::ifstream file(directory / name);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  CHECK(text_of("source") == "// WGSL\n");
  const std::filesystem::path where(text_of("where").substr(0, text_of("where").size() - 1));
  CHECK_FALSE(std::filesystem::exists(where));
  const std::filesystem::path folder = where.parent_path();
  CHECK(std::filesystem::is_empty(folder));

  make_naga("echo 'error: what is that'\necho '  ┌─ shader.wgsl:3:5'\nexit 1\n");
  CHECK(server.problem(experiment) ==
        std::pair<std::string, int>("shader.wgsl:3:5: what is that", 3));
  CHECK(std::filesystem::is_empty(folder));
  // What killed ones have left goes with the server.
  make_naga("echo > left\nkill -KILL $PPID\n");
  CHECK(contains(server.problem(experiment).first, "the run takes more than"));
  CHECK_FALSE(std::filesystem::is_empty(folder));
  CHECK(server.interrupt().first == 0);
  CHECK_FALSE(std::filesystem::exists(folder));
}
