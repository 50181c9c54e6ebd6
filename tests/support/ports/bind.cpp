#include "support/ports/bind.hpp"

#include "support/ports/engine_port.hpp"

namespace lockstep::ports {

DescriptorTable bind(kernels::KernelCase& job, const kernels::Pass& pass,
                     std::deque<Image>& images) {
  DescriptorTable table;
  for (std::uint32_t binding = 0; binding < pass.bindings.size(); ++binding) {
    kernels::Argument& argument = job.arguments[pass.bindings[binding]];
    if (!argument.texels) {
      table.set(0).bind_bytes(binding, bytes_of(argument));
      continue;
    }
    const kernels::Texels& is = *argument.texels;
    table.set(0).bind_image(binding,
                            images.emplace_back(is.format, is.kind, is.size, bytes_of(argument)));
  }
  return table;
}

}  // namespace lockstep::ports
