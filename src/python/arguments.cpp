#include "python/arguments.hpp"

#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <lockstep/exec/error.hpp>
#include <lockstep/spirv/address_space.hpp>

#include "io/error.hpp"
#include "io/images.hpp"
#include "io/types.hpp"

namespace lockstep::python {
namespace {

using Kind = job::Binding::Kind;

Kind kind_named(const std::string& name) {
  for (const Kind kind : {Kind::uniform_buffer, Kind::storage_buffer, Kind::storage_image,
                          Kind::sampled_image, Kind::combined_image_sampler, Kind::sampler,
                          Kind::uniform_texel_buffer, Kind::storage_texel_buffer}) {
    if (name == job::name_of(kind)) return kind;
  }
  throw io::InputError("'" + name + "' is not a kind of binding");
}

ImageFormat format_named(const std::string& name) {
  const auto* const found =
      std::ranges::find(image_formats, std::string_view(name), &ImageFormatInfo::name);
  if (found == std::end(image_formats))
    throw io::InputError("'" + name + "' is not a format of images; write one of GLSL's, as rgba8");
  return static_cast<ImageFormat>(found - std::begin(image_formats));
}

job::Binding declared(const std::string& kind, std::uint32_t set, std::uint32_t binding,
                      std::uint32_t element, const std::string& name, bool writable,
                      const std::string& type) {
  job::Binding made;
  made.kind = kind_named(kind);
  made.set = set;
  made.binding = binding;
  made.element = element;
  made.name = name;
  made.writable = writable;
  made.type = io::find_type(type).value_or(npy::Dtype::uint8);
  return made;
}

}  // namespace

View::View(const py::object& of, bool writable) {
  const int flags = writable ? PyBUF_WRITABLE : PyBUF_SIMPLE;
  if (PyObject_GetBuffer(of.ptr(), &view_, flags) != 0) throw py::error_already_set();
}

job::Binding& Arguments::add(job::Binding declared) {
  return bound_.emplace_back(Bound{std::move(declared)}).declared;
}

void Arguments::buffer(job::Binding declared, const py::object& array) {
  const job::Binding& added = add(std::move(declared));
  const std::span<std::byte> bytes = views_.emplace_back(array, added.writable).bytes();
  bound_.back().bytes = bytes;
  DescriptorSet& set = table_.set(added.set);
  if (added.writable)
    set.bind_bytes(added.binding, bytes, added.element);
  else
    set.bind_bytes(added.binding, std::span<const std::byte>(bytes), added.element);
}

void Arguments::image(job::Binding declared, const py::object& array, const io::ImageShape& shape) {
  job::Binding& added = add(std::move(declared));
  added.image = shape;
  const std::span<std::byte> bytes = views_.emplace_back(array, added.writable).bytes();
  bound_.back().bytes = bytes;
  const std::size_t needed = shape.levels.texels() * texel_bytes(shape.format);
  if (bytes.size() != needed)
    throw io::InputError(added.name + ": the array has " + std::to_string(bytes.size()) +
                         " bytes, and the texels take " + std::to_string(needed));
  table_.set(added.set).write(added.binding, added.element,
                              {.kind = Descriptor::Kind::texels,
                               .writable = added.writable,
                               .bytes = bytes,
                               .format = shape.format,
                               .extent = shape.size(),
                               .levels = shape.levels.count,
                               .samples = shape.samples});
}

void Arguments::sampler(job::Binding declared, const std::string& words) {
  const Sampler parsed = io::parse_sampler(words);
  const auto same = [&](const Bound& bound) {
    return bound.declared.set == declared.set && bound.declared.binding == declared.binding &&
           bound.declared.element == declared.element;
  };
  const auto found = std::ranges::find_if(bound_, same);
  job::Binding& added = found != bound_.end() ? found->declared : add(std::move(declared));
  added.sampler = words;
  table_.set(added.set).bind_sampler(added.binding, parsed, added.element);
}

job::Job Arguments::to_job() const {
  job::Job made;
  made.push_constants.assign(push_constants().begin(), push_constants().end());
  for (const Bound& bound : bound_) {
    job::Binding& binding = made.bindings.emplace_back(bound.declared);
    binding.input.assign(bound.bytes.begin(), bound.bytes.end());
  }
  return made;
}

namespace {

/// Memory that shaders reach by its address, as long as this lives.
class Address {
 public:
  explicit Address(const py::object& array)
      : view_(array, true), value_(AddressSpace::of_process().add(view_.bytes())) {}
  ~Address() { AddressSpace::of_process().remove(value_); }
  Address(const Address&) = delete;
  Address& operator=(const Address&) = delete;

  std::uint64_t value() const { return value_; }

 private:
  View view_;
  std::uint64_t value_;
};

}  // namespace

void add_arguments(py::module_& m) {
  py::class_<Address>(m, "Address",
                      "The address of an array for shaders with buffer_reference: "
                      "int(Address(array)). It is valid, and keeps the\n"
                      "array, as long as the object lives.")
      .def(py::init<const py::object&>(), py::arg("array"))
      .def("__index__", &Address::value)
      .def("__int__", &Address::value)
      .def("__repr__",
           [](const Address& address) { return fmt::format("Address({:#x})", address.value()); });
  py::class_<Arguments>(m, "Arguments")
      .def(py::init<>())
      .def("buffer",
           [](Arguments& self, const std::string& kind, std::uint32_t set, std::uint32_t binding,
              std::uint32_t element, const std::string& name, bool writable,
              const std::string& type, const py::object& array) {
             self.buffer(declared(kind, set, binding, element, name, writable, type), array);
           })
      .def("image",
           [](Arguments& self, const std::string& kind, std::uint32_t set, std::uint32_t binding,
              std::uint32_t element, const std::string& name, bool writable,
              const std::string& type, const py::object& array, const std::string& format,
              const std::array<std::uint32_t, 3>& size, std::uint32_t axes, std::uint32_t levels,
              std::uint32_t samples) {
             const io::ImageShape shape{
                 format_named(format), {{size[0], size[1], size[2]}, axes, levels}, samples};
             self.image(declared(kind, set, binding, element, name, writable, type), array, shape);
           })
      .def("sampler",
           [](Arguments& self, const std::string& kind, std::uint32_t set, std::uint32_t binding,
              std::uint32_t element, const std::string& name, const std::string& words) {
             self.sampler(declared(kind, set, binding, element, name, false, ""), words);
           })
      .def("push", [](Arguments& self, const py::bytes& bytes) { self.push(std::string(bytes)); });
}

}  // namespace lockstep::python
