#include "io/npy.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

static_assert(std::endian::native == std::endian::little,
              "values are copied as they lie in memory");

namespace lockstep::npy {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t alignment = 64;  // values start at a multiple of this, as the format asks

// A header for any array of numbers is far shorter. The limit is NumPy's own, and it bounds the
// time and the memory that a malformed file can take.
constexpr std::size_t max_header_bytes = 10'000;

constexpr std::string_view save_again = "save it again with numpy.save";
constexpr std::string_view copy_again = "save or copy it again";
constexpr std::string_view check_directory =
    "check the directory, its permissions and its free space";

struct DtypeEntry {
  std::string_view descr;  // without the byte order
  std::string_view name;   // NumPy's
  std::size_t bytes;
};

constexpr std::array<DtypeEntry, 12> dtypes{{
    {"b1", "bool", 1},
    {"i1", "int8", 1},
    {"i2", "int16", 2},
    {"i4", "int32", 4},
    {"i8", "int64", 8},
    {"u1", "uint8", 1},
    {"u2", "uint16", 2},
    {"u4", "uint32", 4},
    {"u8", "uint64", 8},
    {"f2", "float16", 2},
    {"f4", "float32", 4},
    {"f8", "float64", 8},
}};

const DtypeEntry& entry(Dtype dtype) { return dtypes.at(static_cast<std::size_t>(dtype)); }

std::optional<Dtype> find_dtype(std::string_view descr) {
  for (std::size_t i = 0; i < dtypes.size(); ++i) {
    if (dtypes[i].descr == descr) return static_cast<Dtype>(i);
  }
  return std::nullopt;
}

[[noreturn]] void fail(const fs::path& path, std::string_view wrong, std::string_view remedy) {
  throw Error(fmt::format("{}: {}; {}", path.string(), wrong, remedy));
}

std::string why(int error_number) { return std::generic_category().message(error_number); }

// As Python prints a tuple.
std::string tuple(std::span<const std::size_t> shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

// A piece of the header for a message: one line, not too long, whatever the file holds.
std::string quoted(const json& value) {
  constexpr std::size_t longest = 40;
  std::string text = value.dump(-1, ' ', true);
  if (text.size() > longest) text = text.substr(0, longest) + "...";
  return text;
}

// The number of bytes in an array of this shape; nothing on overflow.
std::optional<std::size_t> array_bytes(std::size_t element, std::span<const std::size_t> shape) {
  if (std::ranges::find(shape, std::size_t{0}) != shape.end()) return 0;
  std::size_t bytes = element;
  for (const std::size_t size : shape) {
    if (__builtin_mul_overflow(bytes, size, &bytes)) return std::nullopt;
  }
  return bytes;
}

// ---- Reading ----

struct Header {
  Dtype dtype;
  std::vector<std::size_t> shape;
  std::string record;
  std::size_t element_bytes;
};

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    text.replace(at, from.size(), to);
    at += to.size();
  }
}

// Rewrites the header's Python dictionary as JSON for a JSON parser: other quotes, brackets for
// tuples, no comma before a closing bracket.
std::string python_to_json(std::string_view python) {
  std::string text;
  for (const char c : python) {
    if (c == ')' || c == ']' || c == '}') {
      const std::size_t last = text.find_last_not_of(" \n");
      if (last != std::string::npos && text[last] == ',') text.erase(last);
    }
    switch (c) {
      case '\'':
        text += '"';
        break;
      case '(':
        text += '[';
        break;
      case ')':
        text += ']';
        break;
      default:
        text += c;
    }
  }
  replace_all(text, "True", "true");
  replace_all(text, "False", "false");
  return text;
}

Dtype parse_dtype(const fs::path& path, const json& value) {
  constexpr std::string_view known = "save an array of bool, (u)int8 to 64 or float16 to 64";
  if (!value.is_string()) fail(path, "has a 'descr' that is not a string", save_again);
  const auto descr = value.get<std::string>();
  const char order = descr.empty() ? '\0' : descr.front();
  const auto dtype = find_dtype(std::string_view(descr).substr(descr.empty() ? 0 : 1));
  if (order == '|' && descr.starts_with("|O")) fail(path, "holds Python objects", known);
  if (dtype && order == '>' && entry(*dtype).bytes > 1) {
    fail(path, "holds big-endian values",
         fmt::format("convert it in numpy with a.astype('<{}')", entry(*dtype).descr));
  }
  const bool order_fits = order == '<' || (order == '|' && dtype && entry(*dtype).bytes == 1);
  if (!dtype || !order_fits) {
    fail(path, fmt::format("holds values of the unsupported type {}", quoted(value)), known);
  }
  return *dtype;
}

std::vector<std::size_t> parse_shape(const fs::path& path, const json& value);

// A record's type as NumPy writes it, and its bytes.
struct Record {
  std::string text;
  std::size_t bytes = 0;
};

// The bytes of "|V12", which belong to no field.
std::optional<std::size_t> padding_bytes(const json& descr) {
  if (!descr.is_string()) return std::nullopt;
  const auto text = descr.get<std::string>();
  std::size_t bytes = 0;
  if (!text.starts_with("|V") || text.size() < 3 || text.size() > 12) return std::nullopt;
  for (const char c : text.substr(2)) {
    if (c < '0' || c > '9') return std::nullopt;
    bytes = bytes * 10 + static_cast<std::size_t>(c - '0');
  }
  return bytes;
}

Record parse_record(const fs::path& path, const json& fields) {
  Record record{"[", 0};
  for (const json& field : fields) {
    const bool is_field =
        field.is_array() && (field.size() == 2 || field.size() == 3) && field[0].is_string();
    if (!is_field) fail(path, "has a 'descr' whose fields are not names with types", save_again);
    Record element;
    if (const auto padding = padding_bytes(field[1])) {
      element = {fmt::format("'|V{}'", *padding), *padding};
    } else if (field[1].is_array()) {
      element = parse_record(path, field[1]);
    } else {
      const Dtype dtype = parse_dtype(path, field[1]);
      element = {fmt::format("'{}'", field[1].get<std::string>()), entry(dtype).bytes};
    }
    std::string shape;
    if (field.size() == 3) {
      const std::vector<std::size_t> sizes = parse_shape(path, field[2]);
      const auto bytes = array_bytes(element.bytes, sizes);
      if (!bytes) fail(path, "has a field of more than 2^64 bytes", save_again);
      element.bytes = *bytes;
      shape = ", " + tuple(sizes);
    }
    if (__builtin_add_overflow(record.bytes, element.bytes, &record.bytes))
      fail(path, "has records of more than 2^64 bytes", save_again);
    record.text += fmt::format("{}('{}', {}{})", record.text.size() > 1 ? ", " : "",
                               field[0].get<std::string>(), element.text, shape);
  }
  record.text += "]";
  return record;
}

std::vector<std::size_t> parse_shape(const fs::path& path, const json& value) {
  const auto is_size = [](const json& size) { return size.is_number_unsigned(); };
  if (!value.is_array() || !std::ranges::all_of(value, is_size)) {
    fail(path, fmt::format("has the shape {}, which is not a tuple of sizes", quoted(value)),
         save_again);
  }
  return value.get<std::vector<std::size_t>>();
}

Header parse_header(const fs::path& path, std::string_view text, Records records) {
  const json header = json::parse(python_to_json(text), nullptr, false);
  if (!header.is_object()) fail(path, "has a header that is not a Python dictionary", save_again);
  for (const std::string key : {"descr", "fortran_order", "shape"}) {
    if (!header.contains(key))
      fail(path, fmt::format("has no '{}' in its header", key), save_again);
  }
  if (header.size() != 3) fail(path, "has unknown keys in its header", save_again);
  const json& fortran_order = header.at("fortran_order");
  if (!fortran_order.is_boolean()) {
    fail(path, "has a 'fortran_order' that is neither True nor False", save_again);
  }
  const json& descr = header.at("descr");
  Header result{Dtype::uint8, parse_shape(path, header.at("shape")), "", 1};
  if (descr.is_array()) {
    if (records == Records::refused)
      fail(path, "holds records of several fields", "save each field by itself");
    Record record = parse_record(path, descr);
    result.record = std::move(record.text);
    result.element_bytes = record.bytes;
  } else {
    result.dtype = parse_dtype(path, descr);
    result.element_bytes = entry(result.dtype).bytes;
  }
  // With fewer than two dimensions both orders are the same.
  if (fortran_order.get<bool>() && result.shape.size() > 1) {
    fail(path, "holds its array in Fortran order",
         "convert it in numpy with numpy.ascontiguousarray(a)");
  }
  return result;
}

detail::File open_for_reading(const fs::path& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (status.type() == fs::file_type::not_found) {
    fail(path, "does not exist", "give the path of a .npy file");
  }
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    fail(path, "is not a regular file", "give the path of a .npy file");
  }
  detail::File file(std::fopen(path.c_str(), "rb"));
  if (!file) {
    fail(path, fmt::format("cannot be opened: {}", why(errno)),
         "check the path and its permissions");
  }
  return file;
}

// Reads the file's bytes in order, and knows how many are left.
class Source {
 public:
  Source(const fs::path& path, std::FILE* file) : path_(path), file_(file) {
    std::error_code error;
    left_ = fs::file_size(path, error);
    if (error) fail(path, fmt::format("cannot be read: {}", error.message()), copy_again);
  }

  [[nodiscard]] std::uintmax_t left() const { return left_; }

  std::string take(std::size_t count) {
    if (count > left_) fail(path_, "is cut short inside its header", copy_again);
    std::string bytes(count, '\0');
    if (std::fread(bytes.data(), 1, count, file_) != count) {
      fail(path_, "cannot be read to the end of its header", copy_again);
    }
    left_ -= count;
    return bytes;
  }

 private:
  const fs::path& path_;
  std::FILE* file_;
  std::uintmax_t left_ = 0;
};

std::size_t little_endian(std::string_view bytes) {
  std::size_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) {
    value = value << 8 | static_cast<unsigned char>(bytes[i]);
  }
  return value;
}

std::string read_header_text(const fs::path& path, Source& source) {
  const std::uintmax_t size = source.left();
  const auto magic_there = static_cast<std::size_t>(std::min<std::uintmax_t>(magic.size(), size));
  if (source.take(magic_there) != magic.substr(0, magic_there)) {
    fail(path, "is not a .npy file", "save the array with numpy.save");
  }
  if (magic_there < magic.size()) fail(path, "is cut short inside its header", copy_again);
  const std::string version = source.take(2);
  const int major = static_cast<unsigned char>(version[0]);
  const int minor = static_cast<unsigned char>(version[1]);
  if (major < 1 || major > 3 || minor != 0) {
    fail(path, fmt::format("has the unknown .npy version {}.{}", major, minor), save_again);
  }
  const std::size_t length = little_endian(source.take(major == 1 ? 2 : 4));
  if (length > max_header_bytes) {
    fail(path,
         fmt::format("promises a header of {} bytes, but at most {} are accepted", length,
                     max_header_bytes),
         save_again);
  }
  return source.take(length);
}

// ---- Writing ----

std::string descr_of(Dtype dtype) {
  const DtypeEntry& element = entry(dtype);
  return fmt::format("'{}{}'", element.bytes == 1 ? '|' : '<', element.descr);
}

std::string header_text(std::string_view descr, std::span<const std::size_t> shape) {
  const std::string dictionary =
      fmt::format("{{'descr': {}, 'fortran_order': False, 'shape': {}, }}", descr, tuple(shape));
  const std::size_t prefix = magic.size() + 4;  // the version and the length, two bytes each
  const std::size_t unpadded = prefix + dictionary.size() + 1;
  const std::size_t total = (unpadded + alignment - 1) / alignment * alignment;
  const std::size_t length = total - prefix;
  std::string text(magic);
  text += '\x01';
  text += '\x00';
  text += static_cast<char>(length & 0xff);
  text += static_cast<char>(length >> 8 & 0xff);
  text += dictionary;
  text.append(total - unpadded, ' ');
  text += '\n';
  return text;
}

[[noreturn]] void fail_writing(const fs::path& path, int error_number) {
  fail(path, fmt::format("cannot be written: {}", why(error_number)), check_directory);
}

// The file that a link leads to, so that renaming replaces the file and not the link.
fs::path resolve_link(const fs::path& path) {
  std::error_code error;
  const fs::path target = fs::canonical(path, error);
  return error ? path : target;
}

fs::path directory_of(const fs::path& path) {
  const fs::path parent = path.parent_path();
  return parent.empty() ? fs::path(".") : parent;
}

// A new file next to the target that gets the target's name when it is complete, and otherwise
// disappears.
class TemporaryFile {
 public:
  TemporaryFile(const fs::path& shown, fs::path target)
      : shown_(shown), target_(std::move(target)) {
    static std::atomic<unsigned> next = 0;
    do {  // a left-over of a killed process may have the name already
      name_ = directory_of(target_) / fmt::format(".lockstep-{}-{}.tmp", getpid(), next++);
      file_.reset(std::fopen(name_.c_str(), "wbx"));
    } while (!file_ && errno == EEXIST);
    if (!file_) fail_writing(shown_, errno);
  }

  ~TemporaryFile() {
    if (renamed_) return;
    std::error_code ignored;
    fs::remove(name_, ignored);
  }

  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  void append(std::span<const std::byte> bytes) {
    if (bytes.empty()) return;  // the pointer may be null, which fwrite does not take
    if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) {
      fail_writing(shown_, errno);
    }
  }

  void rename_to_target() {
    // A full disk may only show here, when the buffer is flushed.
    if (std::fclose(file_.release()) != 0) fail_writing(shown_, errno);
    std::error_code error;
    const fs::file_status old = fs::status(target_, error);
    if (fs::exists(old)) fs::permissions(name_, old.permissions(), error);
    fs::rename(name_, target_, error);
    if (error) fail_writing(shown_, error.value());
    renamed_ = true;
  }

 private:
  const fs::path& shown_;
  fs::path target_;
  fs::path name_;
  detail::File file_;
  bool renamed_ = false;
};

void write_file(const fs::path& path, const std::string& header, std::span<const std::byte> bytes) {
  check_writable(path);
  TemporaryFile file(path, resolve_link(path));
  file.append(std::as_bytes(std::span(header)));
  file.append(bytes);
  file.rename_to_target();
}

}  // namespace

namespace detail {

Reader::Reader(fs::path path, Records records)
    : path_(std::move(path)), file_(open_for_reading(path_)) {
  Source source(path_, file_.get());
  Header header = parse_header(path_, read_header_text(path_, source), records);
  const auto promised = array_bytes(header.element_bytes, header.shape);
  if (!promised || *promised > source.left()) {
    const std::string bytes = promised ? fmt::format("{}", *promised) : "more than 2^64";
    fail(path_,
         fmt::format("is cut short: its header promises {} bytes of values, {} follow", bytes,
                     source.left()),
         copy_again);
  }
  if (*promised < source.left()) {
    fail(path_,
         fmt::format("has {} bytes after the {} its header promises", source.left() - *promised,
                     *promised),
         "save one array per file");
  }
  dtype_ = header.dtype;
  record_ = std::move(header.record);
  shape_ = std::move(header.shape);
  byte_count_ = *promised;
}

void Reader::require_vector_of(Dtype wanted) const {
  if (dtype_ != wanted) {
    fail(path_,
         fmt::format("holds {} values where {} is needed", entry(dtype_).name, entry(wanted).name),
         fmt::format("convert it in numpy with a.astype('{}')", entry(wanted).name));
  }
  if (shape_.size() != 1) {
    fail(path_, fmt::format("has the shape {} where one dimension is needed", tuple(shape_)),
         "flatten it in numpy with a.ravel()");
  }
}

void Reader::read(std::span<std::byte> bytes) {
  if (bytes.empty()) return;  // the pointer may be null, which fread does not take
  if (std::fread(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) {
    fail(path_, "cannot be read to its end", copy_again);
  }
  const auto is_bool = [](std::byte byte) { return byte <= std::byte{1}; };
  if (dtype_ == Dtype::boolean && !std::ranges::all_of(bytes, is_bool)) {
    fail(path_, "holds a bool that is neither 0 nor 1", save_again);
  }
}

void write_bytes(const fs::path& path, Dtype dtype, std::span<const std::size_t> shape,
                 std::span<const std::byte> bytes) {
  if (array_bytes(entry(dtype).bytes, shape) != bytes.size()) {
    fail(path,
         fmt::format("cannot be written: {} bytes of {} do not fill the shape {}", bytes.size(),
                     entry(dtype).name, tuple(shape)),
         "give a shape that fits the values");
  }
  const std::string header = header_text(descr_of(dtype), shape);
  if (header.size() > max_header_bytes) {
    fail(path, fmt::format("cannot be written: {} dimensions are too many", shape.size()),
         "give the array fewer dimensions");
  }
  write_file(path, header, bytes);
}

}  // namespace detail

Array read(const fs::path& path, Records records) {
  detail::Reader reader(path, records);
  Array array{reader.dtype(), reader.shape(), std::vector<std::byte>(reader.byte_count()),
              reader.record()};
  reader.read(array.bytes);
  return array;
}

void write(const fs::path& path, const Array& array) {
  if (!array.record.empty()) {
    const std::string header = header_text(array.record, array.shape);
    // The length of a header has two bytes.
    if (header.size() > max_header_bytes)
      fail(path, "cannot be written: its records have too many fields", "write fewer");
    return write_file(path, header, array.bytes);
  }
  detail::write_bytes(path, array.dtype, array.shape, array.bytes);
}

void check_writable(const fs::path& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  // Renaming onto a device such as /dev/null would replace the device.
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    fail(path, "is not a regular file", "give the path of a file");
  }
  const auto may = [](const fs::path& which, int mode) {
    return faccessat(AT_FDCWD, which.c_str(), mode, AT_EACCESS) == 0;
  };
  if (fs::exists(status) && !may(path, W_OK)) fail_writing(path, errno);
  if (!may(directory_of(resolve_link(path)) / ".", W_OK | X_OK)) fail_writing(path, errno);
}

}  // namespace lockstep::npy
