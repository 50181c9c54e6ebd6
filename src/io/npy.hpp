#pragma once

/// \file
/// Reads and writes arrays in NumPy's .npy format.
///
/// Every function here reports a bad file as one `Error` whose text is a single line,
/// `file: what is wrong; what to do`. A malformed file never costs more memory than its own size.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <lockstep/config.hpp>

namespace lockstep::inline LOCKSTEP_ABI {
struct float16_t;  // only uses of float16 values need the complete type
}

namespace lockstep::npy {

/// A file that cannot be read or written, explained in one line.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The element types a .npy file may hold here; all are little-endian in the file.
enum class Dtype : std::uint8_t {
  boolean,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float16,
  float32,
  float64,
};

/// The `Dtype` of a C++ type; without `value` if no file can hold it.
template <class T>
struct DtypeOf {};

template <Dtype dtype>
struct DtypeConstant {
  static constexpr Dtype value = dtype;
};

template <>
struct DtypeOf<bool> : DtypeConstant<Dtype::boolean> {};
template <>
struct DtypeOf<std::int8_t> : DtypeConstant<Dtype::int8> {};
template <>
struct DtypeOf<std::int16_t> : DtypeConstant<Dtype::int16> {};
template <>
struct DtypeOf<std::int32_t> : DtypeConstant<Dtype::int32> {};
template <>
struct DtypeOf<std::int64_t> : DtypeConstant<Dtype::int64> {};
template <>
struct DtypeOf<std::uint8_t> : DtypeConstant<Dtype::uint8> {};
template <>
struct DtypeOf<std::uint16_t> : DtypeConstant<Dtype::uint16> {};
template <>
struct DtypeOf<std::uint32_t> : DtypeConstant<Dtype::uint32> {};
template <>
struct DtypeOf<std::uint64_t> : DtypeConstant<Dtype::uint64> {};
template <>
struct DtypeOf<float16_t> : DtypeConstant<Dtype::float16> {};
template <>
struct DtypeOf<float> : DtypeConstant<Dtype::float32> {};
template <>
struct DtypeOf<double> : DtypeConstant<Dtype::float64> {};

/// A type whose values a .npy file can hold.
template <class T>
concept Element = requires {
  { DtypeOf<T>::value } -> std::convertible_to<Dtype>;
};

/// An array of any element type and rank, in C order (the last index moves fastest).
struct Array {
  Dtype dtype;
  std::vector<std::size_t> shape;
  std::vector<std::byte> bytes;
  /// The type of records, as NumPy writes it: [('mass', '<f4'), ('', '|V12')]. Then `dtype` is uint8 and means nothing.
  std::string record = {};

  /// The elements as values of T, in C order.
  ///
  /// Requires      T is the type `dtype` names.
  /// Active lanes  None.
  /// Errors        std::invalid_argument if T is another type.
  /// Cost          O(1), no copy.
  /// Spec          None.
  /// Example       None.
  template <Element T>
  [[nodiscard]] std::span<const T> values() const {
    if (dtype != DtypeOf<T>::value) {
      throw std::invalid_argument("the array holds values of another type");
    }
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }
};

/// Whether an array may hold records of several fields.
enum class Records : std::uint8_t { refused, accepted };

namespace detail {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

/// An open .npy file with a valid header and exactly the bytes that the header announces.
class Reader {
 public:
  explicit Reader(std::filesystem::path path, Records records = Records::refused);

  [[nodiscard]] Dtype dtype() const { return dtype_; }
  [[nodiscard]] const std::string& record() const { return record_; }
  [[nodiscard]] const std::vector<std::size_t>& shape() const { return shape_; }
  [[nodiscard]] std::size_t byte_count() const { return byte_count_; }

  /// Throws unless the array has one dimension and elements of this type.
  void require_vector_of(Dtype wanted) const;

  /// Reads all values; `bytes` has room for byte_count() bytes.
  void read(std::span<std::byte> bytes);

 private:
  std::filesystem::path path_;
  File file_;
  Dtype dtype_{};
  std::string record_;
  std::vector<std::size_t> shape_;
  std::size_t byte_count_ = 0;
};

void write_bytes(const std::filesystem::path& path, Dtype dtype, std::span<const std::size_t> shape,
                 std::span<const std::byte> bytes);

}  // namespace detail

/// Reads an array of any element type and rank.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        Error if the file is missing, malformed, cut short or too long, or if its array is
///               in Fortran order, big-endian, or of a type that Dtype does not list; for records
///               unless they are accepted.
/// Cost          One read of the file; no work per element.
/// Spec          .npy format versions 1.0, 2.0 and 3.0.
/// Example       None.
[[nodiscard]] Array read(const std::filesystem::path& path, Records records = Records::refused);

/// Reads a one-dimensional array of T.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        As above, and Error if the array has another element type or another rank.
/// Cost          One read of the file; no work per element but for bool.
/// Spec          .npy format versions 1.0, 2.0 and 3.0.
/// Example       kernels/prefix_sum
template <Element T>
[[nodiscard]] std::vector<T> read(const std::filesystem::path& path) {
  detail::Reader reader(path);
  reader.require_vector_of(DtypeOf<T>::value);
  if constexpr (std::same_as<T, bool>) {  // std::vector<bool> packs its elements, the file does not
    std::vector<std::uint8_t> bytes(reader.byte_count());
    reader.read(std::as_writable_bytes(std::span(bytes)));
    return {bytes.begin(), bytes.end()};
  } else {
    std::vector<T> values(reader.byte_count() / sizeof(T));
    reader.read(std::as_writable_bytes(std::span(values)));
    return values;
  }
}

/// Writes values as an array of the given shape, in C order.
///
/// The write is atomic: the file is written under a temporary name in the same directory and then
/// renamed. After an Error an existing file is unchanged.
///
/// Requires      The sizes in `shape` multiply to values.size().
/// Active lanes  None.
/// Errors        Error if the directory or the file cannot be written, the disk is full, `path`
///               names something that is not a regular file, or the shape does not fit the values.
/// Cost          One write of the file; no work per element.
/// Spec          .npy format version 1.0.
/// Example       None.
template <Element T>
void write(const std::filesystem::path& path, std::span<const T> values,
           std::span<const std::size_t> shape) {
  detail::write_bytes(path, DtypeOf<T>::value, shape, std::as_bytes(values));
}

/// Writes values as a one-dimensional array; otherwise as above.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        As above.
/// Cost          As above.
/// Spec          .npy format version 1.0.
/// Example       kernels/prefix_sum
template <Element T>
void write(const std::filesystem::path& path, std::span<const T> values) {
  const std::size_t shape[] = {values.size()};
  write<T>(path, values, shape);
}

/// Writes an array of any element type and rank; otherwise as above.
///
/// Requires      The sizes in array.shape, times the element's size, multiply to
///               array.bytes.size().
/// Active lanes  None.
/// Errors        As above.
/// Cost          As above.
/// Spec          .npy format version 1.0; of records array.record is taken as it is.
/// Example       None.
void write(const std::filesystem::path& path, const Array& array);

/// Throws the Error that `write` would throw before writing anything.
///
/// Call this before long work, so that a mistyped directory is reported at once.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        Error if the directory or the file cannot be written or is not a regular file.
/// Cost          A few system calls.
/// Spec          None.
/// Example       kernels/prefix_sum
void check_writable(const std::filesystem::path& path);

}  // namespace lockstep::npy
