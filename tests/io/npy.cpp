#include "io/npy.hpp"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <lockstep/lanes/float16.hpp>

#include "support/directory.hpp"

namespace npy = lockstep::npy;
using lockstep::test::Directory;
namespace fs = std::filesystem;
using namespace std::string_literals;

namespace {

int count_files(const Directory& directory) {
  int count = 0;
  for ([[maybe_unused]] const auto& file : fs::directory_iterator(directory.path())) ++count;
  return count;
}

void put(const fs::path& path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  REQUIRE(file.good());
}

std::string get(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  REQUIRE(file.good());
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A file as NumPy would write it, but with any header text.
std::string npy_file(std::string_view header, std::string_view values, int version = 1) {
  std::string bytes = "\x93NUMPY"s;
  bytes += static_cast<char>(version);
  bytes += '\0';
  for (int byte = 0; byte < (version == 1 ? 2 : 4); ++byte) {
    bytes += static_cast<char>(header.size() >> (8 * byte) & 0xff);
  }
  bytes += header;
  bytes += values;
  return bytes;
}

template <class F>
std::string error_of(F action) {
  try {
    action();
  } catch (const npy::Error& error) {
    return error.what();
  }
  return "no error";
}

/// Values that a careless conversion would change: ends of the range, signs of zero, NaN payloads.
template <class T>
std::vector<std::byte> telling_bytes(std::size_t count) {
  std::vector<std::byte> bytes(count * sizeof(T));
  std::mt19937 random(7);
  for (std::byte& byte : bytes) {
    byte = static_cast<std::byte>(std::is_same_v<T, bool> ? random() % 2 : random() % 256);
  }
  return bytes;
}

template <class T>
constexpr std::string_view descr = "";
template <>
constexpr std::string_view descr<bool> = "|b1";
template <>
constexpr std::string_view descr<std::int8_t> = "|i1";
template <>
constexpr std::string_view descr<std::int16_t> = "<i2";
template <>
constexpr std::string_view descr<std::int32_t> = "<i4";
template <>
constexpr std::string_view descr<std::int64_t> = "<i8";
template <>
constexpr std::string_view descr<std::uint8_t> = "|u1";
template <>
constexpr std::string_view descr<std::uint16_t> = "<u2";
template <>
constexpr std::string_view descr<std::uint32_t> = "<u4";
template <>
constexpr std::string_view descr<std::uint64_t> = "<u8";
template <>
constexpr std::string_view descr<lockstep::float16_t> = "<f2";
template <>
constexpr std::string_view descr<float> = "<f4";
template <>
constexpr std::string_view descr<double> = "<f8";

const std::string five_header = "{'descr': '<u4', 'fortran_order': False, 'shape': (5,), }\n";
const std::string five_values = "\1\0\0\0\2\0\0\0\3\0\0\0\4\0\0\0\xff\xff\xff\xff"s;
const std::vector<std::uint32_t> five{1, 2, 3, 4, 0xffffffffu};

}  // namespace

#define EVERY_TYPE                                                                          \
  bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t, \
      std::uint32_t, std::uint64_t, lockstep::float16_t, float, double

TEMPLATE_TEST_CASE("npy: a vector of any type survives writing and reading", "", EVERY_TYPE) {
  const Directory directory;
  const fs::path path = directory / "a.npy";
  for (const std::size_t count : {0u, 1u, 2u, 7u, 1000u}) {
    const std::vector<std::byte> bytes = telling_bytes<TestType>(count);
    const auto values = std::make_unique<TestType[]>(count);
    if (count > 0) std::memcpy(static_cast<void*>(values.get()), bytes.data(), bytes.size());
    npy::write(path, std::span<const TestType>(values.get(), count));

    // The file is what NumPy writes.
    const std::string file = get(path);
    const std::string header = "{'descr': '" + std::string(descr<TestType>) +
                               "', 'fortran_order': False, 'shape': (" + std::to_string(count) +
                               ",), }";
    REQUIRE(file.substr(10, header.size()) == header);
    REQUIRE(file == npy_file(header + std::string(117 - header.size(), ' ') + "\n",
                             {reinterpret_cast<const char*>(bytes.data()), bytes.size()}));

    const std::vector<TestType> read = npy::read<TestType>(path);
    REQUIRE(read.size() == count);
    for (std::size_t i = 0; i < count; ++i) {
      const TestType got = read[i];
      REQUIRE(std::memcmp(&got, &values[i], sizeof(TestType)) == 0);
    }

    const npy::Array array = npy::read(path);
    REQUIRE(array.dtype == npy::DtypeOf<TestType>::value);
    REQUIRE(array.shape == std::vector<std::size_t>{count});
    REQUIRE(array.bytes == bytes);
    REQUIRE(array.template values<TestType>().size() == count);
    for (std::size_t i = 0; i < count; ++i) {
      REQUIRE(std::memcmp(&array.template values<TestType>()[i], &values[i], sizeof(TestType)) ==
              0);
    }
  }
}

TEST_CASE("npy: an array of any rank survives writing and reading") {
  const Directory directory;
  const fs::path path = directory / "a.npy";
  const std::vector<std::vector<std::size_t>> shapes{
      {},
      {1},
      {0},
      {2, 3},
      {2, 0, 3},
      {4, 1, 3, 2},
      {0, std::size_t{1} << 40, std::size_t{1} << 40},
      std::vector<std::size_t>(32, 1),
      std::vector<std::size_t>(300, 1)};
  for (const auto& shape : shapes) {
    std::size_t count = 1;
    for (const std::size_t size : shape) count *= size;
    std::vector<std::int16_t> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<std::int16_t>(i * 1000);
    npy::write<std::int16_t>(path, values, shape);
    CHECK((get(path).size() - values.size() * 2) % 64 == 0);

    npy::Array array = npy::read(path);
    CHECK(array.dtype == npy::Dtype::int16);
    CHECK(array.shape == shape);
    REQUIRE(array.bytes.size() == count * 2);
    for (std::size_t i = 0; i < count; ++i) CHECK(array.values<std::int16_t>()[i] == values[i]);

    const std::string first = get(path);
    npy::write(path, array);
    CHECK(get(path) == first);
  }
}

TEST_CASE("npy: the elements of an array are given out as their own type only") {
  const npy::Array array{npy::Dtype::int32, {1}, std::vector<std::byte>(4)};
  CHECK(array.values<std::int32_t>().size() == 1);
  CHECK_THROWS_AS(array.values<std::uint32_t>(), std::invalid_argument);
  CHECK_THROWS_AS(array.values<float>(), std::invalid_argument);
}

TEST_CASE("npy: 16 Mi elements survive writing and reading") {
  const Directory directory;
  const fs::path path = directory / "big.npy";
  std::vector<std::uint32_t> values(std::size_t{1} << 24);
  std::mt19937 random(1);
  for (auto& value : values) value = static_cast<std::uint32_t>(random());
  npy::write<std::uint32_t>(path, values);
  CHECK(fs::file_size(path) == 128 + 4 * values.size());
  CHECK(npy::read<std::uint32_t>(path) == values);
}

TEST_CASE("npy: every way to write a sound header is read") {
  const Directory directory;
  const fs::path path = directory / "a.npy";
  const auto reads = [&](const std::string& bytes) {
    put(path, bytes);
    CHECK(npy::read<std::uint32_t>(path) == five);
  };
  for (const int version : {1, 2, 3}) {
    reads(npy_file(five_header, five_values, version));
    // Lengths whose low byte has its highest bit set.
    for (const std::size_t length : {118u, 128u, 182u, 200u, 255u, 256u, 400u, 10'000u}) {
      std::string padded = five_header;
      padded.insert(padded.size() - 1, length - padded.size(), ' ');
      reads(npy_file(padded, five_values, version));
    }
  }
  reads(npy_file("{'descr':'<u4','fortran_order':False,'shape':(5,)}", five_values));
  reads(npy_file("{'shape': (5,), 'fortran_order': False, 'descr': '<u4'}\n", five_values));
  reads(npy_file("{ \"descr\" : \"<u4\" , 'fortran_order' : False , 'shape' : ( 5 , ) , }\n",
                 five_values));
  // With one dimension both orders are the same.
  reads(npy_file("{'descr': '<u4', 'fortran_order': True, 'shape': (5,), }\n", five_values));
}

TEST_CASE("npy: each malformed file has its own message") {
  const Directory directory;
  const fs::path path = directory / "bad.npy";
  const auto message = [&](const std::string& bytes) {
    put(path, bytes);
    const std::string error = error_of([&] { (void)npy::read(path); });
    const std::string prefix = path.string() + ": ";
    CHECK(error.find('\n') == std::string::npos);
    return error.starts_with(prefix) ? error.substr(prefix.size()) : error;
  };
  const auto of_header = [&](const std::string& header) {
    return message(npy_file(header, five_values));
  };
  const auto of_descr = [&](const std::string& text) {
    return of_header("{'descr': " + text + ", 'fortran_order': False, 'shape': (5,), }\n");
  };
  const auto of_shape = [&](const std::string& text) {
    return of_header("{'descr': '<u4', 'fortran_order': False, 'shape': " + text + ", }\n");
  };
  const std::string cut_header = "is cut short inside its header; save or copy it again";
  const std::string no_npy = "is not a .npy file; save the array with numpy.save";
  const std::string no_dictionary =
      "has a header that is not a Python dictionary; save it again with numpy.save";
  const std::string save_numbers = "; save an array of bool, (u)int8 to 64 or float16 to 64";

  SECTION("magic, version and length") {
    CHECK(message("") == cut_header);
    CHECK(message("\x93NUM") == cut_header);
    CHECK(message("hello, world") == no_npy);
    CHECK(message("\x93NUMPX") == no_npy);
    CHECK(message("PK\3\4") == no_npy);
    CHECK(message("\x93NUMPY\1"s) == cut_header);
    for (const auto& [version, name] : {std::pair{"\0\0"s, "0.0"s},
                                        {"\4\0"s, "4.0"s},
                                        {"\1\1"s, "1.1"s},
                                        {"\xff\xff"s, "255.255"s}}) {
      CHECK(message("\x93NUMPY" + version + "\0\0"s) ==
            "has the unknown .npy version " + name + "; save it again with numpy.save");
    }
    CHECK(message("\x93NUMPY\1\0\x76"s) == cut_header);
    CHECK(message("\x93NUMPY\1\0\x76\0{'descr'"s) == cut_header);
    CHECK(message("\x93NUMPY\1\0\xff\xff{}\n"s) ==
          "promises a header of 65535 bytes, but at most 10000 are accepted; save it again with "
          "numpy.save");
    CHECK(
        message("\x93NUMPY\2\0\xff\xff\xff\xff{}\n"s) ==
        "promises a header of 4294967295 bytes, but at most 10000 are accepted; save it again with "
        "numpy.save");
  }
  SECTION("dictionary") {
    for (const auto& header : {""s,
                               " "s,
                               "\n"s,
                               "{"s,
                               "}"s,
                               "'"s,
                               "[]\n"s,
                               "()\n"s,
                               "True\n"s,
                               "3\n"s,
                               "{'descr'}\n"s,
                               "{'descr': '<u4', 'fortran_order': False, 'shape'}\n"s,
                               "{'descr': '<u4', 'fortran_order': False, 'shape': (5,)\n"s,
                               "{'descr': '<u4' 'fortran_order': False 'shape': (5,)}\n"s,
                               "{'descr': '<u4', 'fortran_order': False, 'shape': (5,), } {}\n"s,
                               "{'descr': '<u4\n', 'fortran_order': False, 'shape': (5,), }\n"s,
                               "{'descr': '<u4', 'fortran_order': False, 'shape': (5L,), }\n"s,
                               "{'descr': '<u4', 'fortran_order': False, 'shape': (1O,), }\n"s,
                               "{'descr': '<u4', 'fortran_order': False, 'shape': (,5), }\n"s,
                               "{'descr': '<u4', 'fortran_order': None, 'shape': (5,), }\n"s,
                               "{'descr': '\xff\xfe', 'fortran_order': False, 'shape': (5,), }\n"s,
                               std::string(10'000, '('),
                               std::string(10'000, '{'),
                               std::string(10'000, '9'),
                               std::string(10'000, '\0')}) {
      CAPTURE(header);
      CHECK(of_header(header) == no_dictionary);
    }
    const auto no_key = [](const std::string& key) {
      return "has no '" + key + "' in its header; save it again with numpy.save";
    };
    CHECK(of_header("{}\n") == no_key("descr"));
    CHECK(of_header("{'fortran_order': False, 'shape': (5,)}\n") == no_key("descr"));
    CHECK(of_header("{'descr': '<u4', 'shape': (5,)}\n") == no_key("fortran_order"));
    CHECK(of_header("{'descr': '<u4', 'fortran_order': False}\n") == no_key("shape"));
    CHECK(of_header("{'descr': '<u4', 'fortran_order': False, 'shape': (5,), 'x': 1}\n") ==
          "has unknown keys in its header; save it again with numpy.save");
  }
  SECTION("order and type") {
    CHECK(of_header("{'descr': '<u4', 'fortran_order': 0, 'shape': (5,)}\n") ==
          "has a 'fortran_order' that is neither True nor False; save it again with numpy.save");
    CHECK(of_header("{'descr': '<u4', 'fortran_order': True, 'shape': (1, 5)}\n") ==
          "holds its array in Fortran order; convert it in numpy with numpy.ascontiguousarray(a)");
    CHECK(of_descr("'>u4'") == "holds big-endian values; convert it in numpy with a.astype('<u4')");
    CHECK(of_descr("'|O'") == "holds Python objects" + save_numbers);
    CHECK(of_descr("[('a', '<u4'), ('b', '<f4')]") ==
          "holds records of several fields; save each field by itself");
    CHECK(of_descr("4") == "has a 'descr' that is not a string; save it again with numpy.save");
    for (const auto& type : {"<c8"s, "<U3"s, "|S4"s, "<M8[s]"s, "<u3"s, "|u4"s, "=u4"s, "u4"s, "<"s,
                             "<f16"s, ""s, "<u4 "s, ">i1"s}) {
      CHECK(of_descr("'" + type + "'") ==
            "holds values of the unsupported type \"" + type + "\"" + save_numbers);
    }
    CHECK(of_descr("'<\\n\\u00e9'") ==
          "holds values of the unsupported type \"<\\n\\u00e9\"" + save_numbers);
    CHECK(of_descr("'" + std::string(5000, 'x') + "'") ==
          "holds values of the unsupported type \"" + std::string(39, 'x') + "..." + save_numbers);
  }
  SECTION("shape") {
    const auto no_tuple = [](const std::string& shape) {
      return "has the shape " + shape +
             ", which is not a tuple of sizes; save it again with "
             "numpy.save";
    };
    CHECK(of_shape("5") == no_tuple("5"));
    CHECK(of_shape("'five'") == no_tuple("\"five\""));
    CHECK(of_shape("('five',)") == no_tuple("[\"five\"]"));
    CHECK(of_shape("(-5,)") == no_tuple("[-5]"));
    CHECK(of_shape("(5.0,)") == no_tuple("[5.0]"));
    CHECK(of_shape("(True,)") == no_tuple("[true]"));
    CHECK(of_shape("((5,),)") == no_tuple("[[5]]"));
    CHECK(of_shape("(99999999999999999999,)") == no_tuple("[1e+20]"));
  }
  SECTION("size") {
    const auto cut = [](const std::string& promised) {
      return "is cut short: its header promises " + promised +
             " bytes of values, 20 follow; save or copy it again";
    };
    CHECK(of_shape("(6,)") == cut("24"));
    CHECK(of_shape("(1, 2, 3)") == cut("24"));
    CHECK(of_shape("(1099511627776,)") == cut("4398046511104"));
    CHECK(of_shape("(18446744073709551615,)") == cut("more than 2^64"));
    CHECK(of_shape("(4294967296, 4294967296)") == cut("more than 2^64"));
    CHECK(of_shape("(4294967296, 4294967296, 0)") ==
          "has 20 bytes after the 0 its header promises; save one array per file");
    CHECK(of_shape("(4,)") ==
          "has 4 bytes after the 16 its header promises; save one array per file");
    CHECK(of_shape("()") ==
          "has 16 bytes after the 4 its header promises; save one array per file");
  }
  SECTION("values") {
    CHECK(message(
              npy_file("{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }\n", "\0\1\2"s)) ==
          "holds a bool that is neither 0 nor 1; save it again with numpy.save");
  }
}

TEST_CASE("npy: a file cut short at any byte is refused") {
  const Directory directory;
  const fs::path path = directory / "cut.npy";
  for (const int version : {1, 2}) {
    const std::string whole = npy_file(five_header, five_values, version);
    const std::size_t header_end = whole.size() - five_values.size();
    for (std::size_t size = 0; size < whole.size(); ++size) {
      put(path, whole.substr(0, size));
      const std::string wrong = size < header_end
                                    ? "is cut short inside its header"
                                    : "is cut short: its header promises 20 bytes of values, " +
                                          std::to_string(size - header_end) + " follow";
      CHECK(error_of([&] { (void)npy::read(path); }) ==
            path.string() + ": " + wrong + "; save or copy it again");
    }
  }
}

TEST_CASE("npy: a file with damaged bytes is read or refused, and nothing else") {
  const Directory directory;
  const fs::path path = directory / "damaged.npy";
  std::mt19937 random(3);
  int refused = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string bytes = npy_file(five_header, five_values, 1 + round % 3);
    const std::size_t header_end = bytes.size() - five_values.size();
    for (auto left = random() % 3 + 1; left > 0; --left) {
      // Half of the damage comes from the header's own alphabet, to get past the parser.
      const std::string_view alphabet = "{}()[]',: 0123456789<>|ufTrue\\\"";
      bytes[random() % header_end] = random() % 2 == 0 ? alphabet[random() % alphabet.size()]
                                                       : static_cast<char>(random() % 256);
    }
    put(path, bytes);
    try {
      const npy::Array array = npy::read(path);
      CHECK(array.bytes.size() == five_values.size());
    } catch (const npy::Error&) {
      ++refused;
    }
  }
  CHECK(refused > 1000);
  CHECK(refused < 3000);
}

TEST_CASE("npy: a file that cannot be opened is named") {
  const Directory directory;
  const auto message = [](const fs::path& path) {
    return error_of([&] { (void)npy::read<float>(path); });
  };
  const fs::path missing = directory / "missing.npy";
  CHECK(message(missing) == missing.string() + ": does not exist; give the path of a .npy file");
  CHECK(message(directory.path()) ==
        directory.path().string() + ": is not a regular file; give the path of a .npy file");
  CHECK(message("/dev/null") == "/dev/null: is not a regular file; give the path of a .npy file");
  const std::string long_name(300, 'x');
  CHECK(message(directory / long_name) ==
        (directory / long_name) +
            ": cannot be opened: File name too long; check the path and its permissions");
}

TEST_CASE("npy: an array that the caller cannot use is refused") {
  const Directory directory;
  const fs::path path = directory / "a.npy";
  npy::write<float>(path, std::vector<float>(6));
  CHECK(error_of([&] { (void)npy::read<std::uint32_t>(path); }) ==
        path.string() +
            ": holds float32 values where uint32 is needed; convert it in numpy with "
            "a.astype('uint32')");
  CHECK(error_of([&] { (void)npy::read<bool>(path); }) ==
        path.string() +
            ": holds float32 values where bool is needed; convert it in numpy with "
            "a.astype('bool')");
  for (const auto& [shape, text] :
       {std::pair{std::vector<std::size_t>{2, 3}, "(2, 3)"s}, {{1, 6, 1}, "(1, 6, 1)"s}}) {
    npy::write<float>(path, std::vector<float>(6), shape);
    CHECK(error_of([&] { (void)npy::read<float>(path); }) ==
          path.string() + ": has the shape " + text +
              " where one dimension is needed; flatten it in numpy with a.ravel()");
  }
  npy::write<float>(path, std::vector<float>(1), std::vector<std::size_t>{});
  CHECK(error_of([&] { (void)npy::read<float>(path); }) ==
        path.string() +
            ": has the shape () where one dimension is needed; flatten it in numpy with a.ravel()");
}

namespace {

void write_five(const fs::path& path) { npy::write<std::uint32_t>(path, five); }

std::string cannot_be_written(const fs::path& path, const std::string& reason) {
  return path.string() + ": cannot be written: " + reason +
         "; check the directory, its permissions and its free space";
}

/// Limits files to `bytes` while it lives: simulates a full disk at a chosen place.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : old_handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    REQUIRE(getrlimit(RLIMIT_FSIZE, &old_limit_) == 0);
    const rlimit limit{bytes, old_limit_.rlim_max};
    REQUIRE(setrlimit(RLIMIT_FSIZE, &limit) == 0);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &old_limit_);
    std::signal(SIGXFSZ, old_handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit old_limit_{};
  void (*old_handler_)(int);
};

/// Root may write anywhere, so a root process acts as another user while this lives.
class OrdinaryUser {
 public:
  OrdinaryUser() : was_root_(geteuid() == 0) {
    if (was_root_) REQUIRE(seteuid(65534) == 0);
  }
  ~OrdinaryUser() {
    if (was_root_ && seteuid(0) != 0) std::abort();
  }
  OrdinaryUser(const OrdinaryUser&) = delete;
  OrdinaryUser& operator=(const OrdinaryUser&) = delete;

 private:
  bool was_root_;
};

}  // namespace

TEST_CASE("npy: a write that fails leaves the old file and nothing else") {
  const Directory directory;
  const fs::path path = directory / "a.npy";
  const std::string old = "an older file";
  put(path, old);

  SECTION("the disk is full at any point") {
    const std::vector<double> values(100'000, 1.5);  // a file of 800'128 bytes
    for (const rlim_t limit : {0u, 1u, 100u, 128u, 129u, 4096u, 8192u, 500'000u, 800'127u}) {
      std::string error;
      {
        const FileSizeLimit full(limit);
        error = error_of([&] { npy::write<double>(path, values); });
      }
      CHECK(error == cannot_be_written(path, "File too large"));
      CHECK(get(path) == old);
      CHECK(count_files(directory) == 1);
    }
  }
  SECTION("the shape does not fit the values") {
    const std::vector<std::size_t> shape{2, 2};
    CHECK(error_of([&] { npy::write<std::uint32_t>(path, five, shape); }) ==
          path.string() +
              ": cannot be written: 20 bytes of uint32 do not fill the shape (2, 2); "
              "give a shape that fits the values");
    const std::vector<std::size_t> dimensions(5000, 1);
    CHECK(error_of([&] { npy::write<bool>(path, std::array{true}, dimensions); }) ==
          path.string() +
              ": cannot be written: 5000 dimensions are too many; give the array fewer dimensions");
  }
  SECTION("the directory may not be changed") {
    fs::permissions(directory.path(), fs::perms{0555});
    fs::permissions(path, fs::perms{0666});
    const OrdinaryUser user;
    CHECK(error_of([&] { write_five(path); }) == cannot_be_written(path, "Permission denied"));
    CHECK(error_of([&] { npy::check_writable(path); }) ==
          cannot_be_written(path, "Permission denied"));
  }
  SECTION("the file may not be changed") {
    fs::permissions(directory.path(), fs::perms{0777});
    fs::permissions(path, fs::perms{0444});  // anyone may still rename onto it
    const OrdinaryUser user;
    CHECK(error_of([&] { write_five(path); }) == cannot_be_written(path, "Permission denied"));
  }
  CHECK(get(path) == old);
  CHECK(count_files(directory) == 1);
}

TEST_CASE("npy: a disk with just enough room takes the whole file") {
  const Directory directory;
  const fs::path path = directory / "a.npy";
  const std::vector<double> values(100'000, 1.5);
  {
    const FileSizeLimit just_enough(800'128);
    npy::write<double>(path, values);
  }
  CHECK(npy::read<double>(path) == values);
}

TEST_CASE("npy: a place where no file can be is refused") {
  const Directory directory;
  const fs::path nowhere = directory / "no/such/directory/a.npy";
  CHECK(error_of([&] { write_five(nowhere); }) ==
        cannot_be_written(nowhere, "No such file or directory"));
  CHECK(error_of([&] { npy::check_writable(nowhere); }) ==
        cannot_be_written(nowhere, "No such file or directory"));
  const fs::path below_file = directory / "file/a.npy";
  put(directory / "file", "x");
  CHECK(error_of([&] { write_five(below_file); }) ==
        cannot_be_written(below_file, "Not a directory"));
  CHECK(error_of([&] { write_five(directory.path()); }) ==
        directory.path().string() + ": is not a regular file; give the path of a file");
  CHECK(error_of([&] { write_five("/dev/null"); }) ==
        "/dev/null: is not a regular file; give the path of a file");
  CHECK(fs::is_character_file("/dev/null"));
  CHECK(count_files(directory) == 1);
}

TEST_CASE("npy: writing keeps links and permissions") {
  const Directory directory;
  const fs::path file = directory / "a.npy";
  const fs::path link = directory / "link.npy";
  put(file, "old");
  fs::permissions(file, fs::perms{0640});
  fs::create_symlink("a.npy", link);
  write_five(link);
  CHECK(fs::is_symlink(link));
  CHECK(npy::read<std::uint32_t>(file) == five);
  CHECK(fs::status(file).permissions() == fs::perms{0640});
  CHECK(count_files(directory) == 2);
}

TEST_CASE("npy: a new file has the permissions that the user's mask asks for") {
  const Directory directory;
  const mode_t old_mask = umask(027);
  write_five(directory / "a.npy");
  umask(old_mask);
  CHECK(fs::status(directory / "a.npy").permissions() == fs::perms{0640});
}

TEST_CASE("npy: a relative path and left-over temporaries do not stop a write") {
  const Directory directory;
  const fs::path before = fs::current_path();
  fs::current_path(directory.path());
  // The names that this process would take next; all tests together write fewer files.
  constexpr int left_over = 2000;
  for (int i = 0; i < left_over; ++i) {
    put(".lockstep-" + std::to_string(getpid()) + "-" + std::to_string(i) + ".tmp", "");
  }
  npy::write<std::uint32_t>("a.npy", five);
  fs::current_path(before);
  CHECK(npy::read<std::uint32_t>(directory / "a.npy") == five);
  CHECK(count_files(directory) == left_over + 1);
}

TEST_CASE("records keep their type and their bytes") {
  const Directory directory;
  const fs::path path = directory / "records.npy";
  // As NumPy writes it; a record has 4 + 2 * 12 + 4 + (2 + 2) * 3 bytes.
  const std::string record =
      "[('n', '<u4'), ('v', '<f4', (2, 3)), ('', '|V4'), ('s', [('a', '|i1'), ('', '|V1'), ('b', "
      "'<f2')], (3,))]";
  const std::string values(2 * 44, '\7');
  put(path,
      npy_file("{'descr': " + record + ", 'fortran_order': False, 'shape': (2,), }\n", values));
  const npy::Array array = npy::read(path, npy::Records::accepted);
  CHECK(array.record == record);
  CHECK(array.shape == std::vector<std::size_t>{2});
  CHECK(array.bytes == std::vector<std::byte>(88, std::byte{7}));
  const fs::path copy = directory / "copy.npy";
  npy::write(copy, array);
  CHECK(npy::read(copy, npy::Records::accepted).record == record);
  CHECK(get(copy).substr(128).size() >= 88);

  CHECK(error_of([&] { (void)npy::read(path); }) ==
        path.string() + ": holds records of several fields; save each field by itself");
  const auto of_descr = [&](const std::string& descr) {
    put(path,
        npy_file("{'descr': " + descr + ", 'fortran_order': False, 'shape': (2,), }\n", values));
    return error_of([&] { (void)npy::read(path, npy::Records::accepted); })
        .substr(path.string().size());
  };
  for (const std::string bad :
       {"[1]", "[('a',)]", "[('a', '<u4', (1,), 2)]", "[(('t', 'a'), '<u4')]"})
    CHECK(of_descr(bad) ==
          ": has a 'descr' whose fields are not names with types; save it again with numpy.save");
  CHECK(of_descr("[('a', '>u4')]") ==
        ": holds big-endian values; convert it in numpy with a.astype('<u4')");
  CHECK(of_descr("[('a', '<u4', (4294967296, 4294967296))]") ==
        ": has a field of more than 2^64 bytes; save it again with numpy.save");
  CHECK(
      of_descr("[('a', '<u8', (9,))]") ==
      ": is cut short: its header promises 144 bytes of values, 88 follow; save or copy it again");
  CHECK(of_descr("[('a', '<u4')]") ==
        ": has 80 bytes after the 8 its header promises; save one array per file");
}
