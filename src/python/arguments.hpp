#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include <lockstep/dispatch/image.hpp>
#include <lockstep/spirv/descriptor_table.hpp>

#include "capture/job/job.hpp"
#include "python/bind.hpp"

namespace lockstep::python {

/// The memory of an object with the buffer protocol, which stays where it is as long as this lives.
///
/// Requires      The interpreter's lock, to make, move and destroy one.
/// Active lanes  None.
/// Errors        The constructor throws what the object raises: BufferError if its memory is not contiguous or read-only.
/// Cost          No copy.
/// Spec          PEP 3118
/// Example       tests/python/test_run.py
class View {
 public:
  View(const py::object& of, bool writable);
  ~View() { PyBuffer_Release(&view_); }
  View(const View&) = delete;
  View& operator=(const View&) = delete;

  std::span<std::byte> bytes() const {
    return {static_cast<std::byte*>(view_.buf), static_cast<std::size_t>(view_.len)};
  }

 private:
  Py_buffer view_{};
};

/// What a dispatch runs on: memory of arrays in place, samplers and push constants.
class Arguments {
 public:
  /// The binding's declaration, and the array's bytes.
  void buffer(job::Binding declared, const py::object& array);
  void image(job::Binding declared, const py::object& array, const io::ImageShape& shape);
  void sampler(job::Binding declared, const std::string& words);
  void push(const std::string& bytes) { push_ = bytes; }

  const DescriptorTable& table() const { return table_; }
  std::span<const std::byte> push_constants() const { return std::as_bytes(std::span(push_)); }
  /// The same as a job, with copies of the memory.
  job::Job to_job() const;

 private:
  job::Binding& add(job::Binding declared);

  DescriptorTable table_;
  std::deque<View> views_;
  std::string push_;
  struct Bound {
    job::Binding declared;
    std::span<std::byte> bytes = {};
  };
  std::vector<Bound> bound_;
};

}  // namespace lockstep::python
