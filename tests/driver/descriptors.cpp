#include <array>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "driver/gpu.hpp"

using namespace lockstep::test;

namespace {

constexpr VkShaderStageFlags compute = VK_SHADER_STAGE_COMPUTE_BIT;

VkDescriptorBufferInfo whole(const GpuBuffer& buffer) { return {buffer.buffer, 0, VK_WHOLE_SIZE}; }

std::vector<std::uint32_t> list_of(const GpuBuffer& buffer) {
  return {buffer.words().begin(), buffer.words().end()};
}

using Words = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("writes that run over the end of a binding go on in the next") {
  const Environment environment;
  Gpu gpu;
  const auto pipeline = gpu.pipeline(R"(#version 450
    layout(set = 0, binding = 0) buffer A { uint a; } first[2];
    layout(set = 0, binding = 3) buffer B { uint b; } second[2];
    layout(set = 0, binding = 4) buffer C { uint c[]; } last;
    void main() {
      last.c[0] = first[0].a; last.c[1] = first[1].a; last.c[2] = second[0].b; last.c[3] = second[1].b;
    })",
                                     {{{{.binding = 0, .count = 2},
                                        {.binding = 1, .count = 0},
                                        {.binding = 3, .count = 2},
                                        {.binding = 4}}}});
  const auto a = gpu.buffer({10}), b = gpu.buffer({11}), c = gpu.buffer({12}), d = gpu.buffer({13});
  const auto out = gpu.buffer({0, 0, 0, 0});
  const VkDescriptorSet set = gpu.set(pipeline.sets[0]);
  const std::array first{whole(a)};
  const std::array others{whole(b), whole(c), whole(d), whole(out)};
  gpu.write(set, 0, 0, first);
  gpu.write(set, 0, 1, others);
  CHECK(gpu.run([&](VkCommandBuffer commands) {
    gpu.bind(commands, pipeline, {set});
    gpu.vk.vkCmdDispatch(commands, 1, 1, 1);
  }) == VK_SUCCESS);
  CHECK(list_of(out) == Words{10, 11, 12, 13});
  CHECK(to_text(gpu.told()) == "");
}

TEST_CASE("dynamic offsets belong to bindings in their order, however the layout lists them") {
  const Environment environment;
  Gpu gpu;
  constexpr auto dynamic = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
  const auto pipeline = gpu.pipeline(R"(#version 450
    layout(set = 0, binding = 1) readonly buffer A { uint a; } first[2];
    layout(set = 0, binding = 5) readonly buffer B { uint b; } second;
    layout(set = 0, binding = 2) buffer C { uint c[]; } last;
    void main() { last.c[0] = first[0].a; last.c[1] = first[1].a; last.c[2] = second.b; })",
                                     {{{{.binding = 5, .type = dynamic},
                                        {.binding = 2},
                                        {.binding = 1, .type = dynamic, .count = 2}}}});
  const auto in = gpu.buffer(256), out = gpu.buffer({0, 0, 0});
  for (std::uint32_t k = 0; k < 64; ++k) in.words()[k] = k;
  const VkDescriptorSet set = gpu.set(pipeline.sets[0]);
  const VkDescriptorBufferInfo part{in.buffer, 16, 4};
  const std::array both{part, part};
  gpu.write(set, 1, 0, both, dynamic);
  gpu.write(set, 5, 0, {&part, 1}, dynamic);
  gpu.write(set, 2, out);
  CHECK(gpu.run([&](VkCommandBuffer commands) {
    gpu.bind(commands, pipeline, {set}, {16, 32, 64});
    gpu.vk.vkCmdDispatch(commands, 1, 1, 1);
  }) == VK_SUCCESS);
  CHECK(list_of(out) == Words{4 + 4, 4 + 8, 4 + 16});
  CHECK(to_text(gpu.told()) == "");
}

TEST_CASE("only descriptors that the shader uses must be valid") {
  const Environment environment;
  Gpu gpu;
  const auto pipeline = gpu.pipeline(
      R"(#version 450
      layout(set = 0, binding = 0) buffer A { uint a[]; };
      void main() { a[0] = 7; })",
      {{{{.binding = 0}, {.binding = 1, .flags = VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT}}}});
  const auto out = gpu.buffer({0});
  const VkDescriptorSet set = gpu.set(pipeline.sets[0]);
  gpu.write(set, 0, out);
  // A buffer that is destroyed while the set still has it, as ggml does.
  VkBufferCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  info.size = 64;
  info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
  VkBuffer gone = VK_NULL_HANDLE;
  REQUIRE(gpu.vk.vkCreateBuffer(gpu.device, &info, nullptr, &gone) == VK_SUCCESS);
  VkMemoryAllocateInfo memory_info{};
  memory_info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  memory_info.allocationSize = 64;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  REQUIRE(gpu.vk.vkAllocateMemory(gpu.device, &memory_info, nullptr, &memory) == VK_SUCCESS);
  REQUIRE(gpu.vk.vkBindBufferMemory(gpu.device, gone, memory, 0) == VK_SUCCESS);
  const VkDescriptorBufferInfo descriptor{gone, 0, VK_WHOLE_SIZE};
  gpu.write(set, 1, 0, {&descriptor, 1});
  gpu.vk.vkDestroyBuffer(gpu.device, gone, nullptr);
  gpu.vk.vkFreeMemory(gpu.device, memory, nullptr);
  CHECK(gpu.run([&](VkCommandBuffer commands) {
    gpu.bind(commands, pipeline, {set});
    gpu.vk.vkCmdDispatch(commands, 1, 1, 1);
  }) == VK_SUCCESS);
  CHECK(list_of(out) == Words{7});
}

TEST_CASE("null descriptors read zero and take no writes") {
  const Environment environment;
  Gpu gpu;
  const auto pipeline = gpu.pipeline(R"(#version 450
    layout(set = 0, binding = 0) buffer A { uint a[]; } nothing;
    layout(set = 0, binding = 1) buffer B { uint b[]; } out_;
    void main() { nothing.a[3] = 5; out_.b[0] = nothing.a[3]; out_.b[1] = nothing.a.length(); })",
                                     {{{{.binding = 0}, {.binding = 1}}}});
  const auto out = gpu.buffer({9, 9});
  const VkDescriptorSet set = gpu.set(pipeline.sets[0]);
  const VkDescriptorBufferInfo null{VK_NULL_HANDLE, 0, VK_WHOLE_SIZE};
  gpu.write(set, 0, 0, {&null, 1});
  gpu.write(set, 1, out);
  CHECK(gpu.run([&](VkCommandBuffer commands) {
    gpu.bind(commands, pipeline, {set});
    gpu.vk.vkCmdDispatch(commands, 1, 1, 1);
  }) == VK_SUCCESS);
  CHECK(list_of(out) == Words{0, 0});
  CHECK(to_text(gpu.told()) == "");
}

TEST_CASE("push descriptors are those of the moment, and earlier ones stay") {
  const Environment environment;
  Gpu gpu;
  const auto pipeline = gpu.pipeline(R"(#version 450
    layout(set = 0, binding = 0) readonly buffer A { uint a; };
    layout(set = 0, binding = 1) buffer B { uint b; };
    void main() { b += a; })",
                                     {{{{.binding = 0}, {.binding = 1}},
                                       VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR}});
  const auto one = gpu.buffer({1}), ten = gpu.buffer({10}), x = gpu.buffer({100}),
             y = gpu.buffer({200});
  // Entries in the other order, with a gap: what a template is for.
  struct Data {
    std::uint32_t unused;
    VkDescriptorBufferInfo b, a;
  };
  const VkDescriptorUpdateTemplateEntry entries[] = {
      {0, 0, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, offsetof(Data, a), sizeof(Data)},
      {1, 0, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, offsetof(Data, b), sizeof(Data)}};
  VkDescriptorUpdateTemplateCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO;
  info.descriptorUpdateEntryCount = 2;
  info.pDescriptorUpdateEntries = entries;
  info.templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS_KHR;
  info.pipelineBindPoint = VK_PIPELINE_BIND_POINT_COMPUTE;
  info.pipelineLayout = pipeline.layout;
  VkDescriptorUpdateTemplate update = VK_NULL_HANDLE;
  REQUIRE(gpu.vk.vkCreateDescriptorUpdateTemplate(gpu.device, &info, nullptr, &update) ==
          VK_SUCCESS);
  const auto push = [&](VkCommandBuffer commands, std::uint32_t binding, const GpuBuffer& buffer) {
    const VkDescriptorBufferInfo descriptor = whole(buffer);
    VkWriteDescriptorSet write{};
    write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    write.dstBinding = binding;
    write.descriptorCount = 1;
    write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    write.pBufferInfo = &descriptor;
    gpu.vk.vkCmdPushDescriptorSetKHR(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.layout, 0,
                                     1, &write);
  };
  CHECK(gpu.run([&](VkCommandBuffer commands) {
    gpu.bind(commands, pipeline, {});
    push(commands, 0, one);
    push(commands, 1, x);
    gpu.vk.vkCmdDispatch(commands, 1, 1, 1);  // x += 1
    push(commands, 1, y);
    gpu.vk.vkCmdDispatch(commands, 1, 1, 1);  // y += 1
    const Data data{0, whole(x), whole(ten)};
    gpu.barrier(commands);
    gpu.vk.vkCmdPushDescriptorSetWithTemplateKHR(commands, update, pipeline.layout, 0, &data);
    gpu.vk.vkCmdDispatch(commands, 1, 1, 1);  // x += 10
  }) == VK_SUCCESS);
  gpu.vk.vkDestroyDescriptorUpdateTemplate(gpu.device, update, nullptr);
  CHECK(list_of(x) == Words{111});
  CHECK(list_of(y) == Words{201});
  CHECK(to_text(gpu.told()) == "");
}

TEST_CASE("templates update sets from the program's own structures") {
  const Environment environment;
  Gpu gpu;
  const auto pipeline = gpu.pipeline(R"(#version 450
    layout(set = 0, binding = 0) readonly buffer A { uint a; } from[2];
    layout(set = 0, binding = 2) buffer B { uint b[]; };
    void main() { b[0] = from[0].a; b[1] = from[1].a; })",
                                     {{{{.binding = 0, .count = 2}, {.binding = 2}}}});
  const auto a = gpu.buffer({10}), b = gpu.buffer({11}), out = gpu.buffer({0, 0});
  struct Own {
    VkDescriptorBufferInfo out;
    std::uint64_t something_else;
    struct {
      int more;
      VkDescriptorBufferInfo buffer;
    } in[2];
  };
  const Own own{whole(out), 1, {{2, whole(a)}, {3, whole(b)}}};
  const std::array entries{
      VkDescriptorUpdateTemplateEntry{0, 0, 2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                      offsetof(Own, in[0].buffer), sizeof own.in[0]},
      VkDescriptorUpdateTemplateEntry{2, 0, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                      offsetof(Own, out), 0}};
  VkDescriptorUpdateTemplateCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO;
  info.descriptorUpdateEntryCount = entries.size();
  info.pDescriptorUpdateEntries = entries.data();
  info.templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET;
  info.descriptorSetLayout = pipeline.sets[0];
  VkDescriptorUpdateTemplate made = VK_NULL_HANDLE;
  REQUIRE(gpu.vk.vkCreateDescriptorUpdateTemplate(gpu.device, &info, nullptr, &made) == VK_SUCCESS);
  const VkDescriptorSet set = gpu.set(pipeline.sets[0]);
  gpu.vk.vkUpdateDescriptorSetWithTemplate(gpu.device, set, made, &own);
  gpu.vk.vkDestroyDescriptorUpdateTemplate(gpu.device, made, nullptr);
  CHECK(gpu.run([&](VkCommandBuffer commands) {
    gpu.bind(commands, pipeline, {set});
    gpu.vk.vkCmdDispatch(commands, 1, 1, 1);
  }) == VK_SUCCESS);
  CHECK(list_of(out) == Words{10, 11});
  CHECK(to_text(gpu.told()) == "");
}

TEST_CASE("inline uniform blocks are written by bytes and copied between sets") {
  const Environment environment;
  Gpu gpu;
  constexpr auto block = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
  const auto pipeline =
      gpu.pipeline(R"(#version 450
    layout(set = 0, binding = 0) uniform U { uvec4 u; };
    layout(set = 0, binding = 1) buffer B { uvec4 b; };
    void main() { b = u; })",
                   {{{{.binding = 0, .type = block, .count = 16}, {.binding = 1}}}});
  const auto out = gpu.buffer({9, 9, 9, 9});
  const VkDescriptorSet from = gpu.set(pipeline.sets[0]), set = gpu.set(pipeline.sets[0]);
  const auto write = [&](std::uint32_t offset, std::vector<std::uint32_t> words) {
    VkWriteDescriptorSetInlineUniformBlock data{};
    data.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK;
    data.dataSize = static_cast<std::uint32_t>(words.size() * 4);
    data.pData = words.data();
    VkWriteDescriptorSet info{};
    info.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    info.pNext = &data;
    info.dstSet = from;
    info.dstArrayElement = offset;
    info.descriptorCount = data.dataSize;
    info.descriptorType = block;
    gpu.vk.vkUpdateDescriptorSets(gpu.device, 1, &info, 0, nullptr);
  };
  write(0, {1, 2, 3, 4});
  write(8, {30});
  VkCopyDescriptorSet copy{};
  copy.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET;
  copy.srcSet = from;
  copy.dstSet = set;
  copy.descriptorCount = 16;
  gpu.vk.vkUpdateDescriptorSets(gpu.device, 0, nullptr, 1, &copy);
  gpu.write(set, 1, out);
  CHECK(gpu.run([&](VkCommandBuffer commands) {
    gpu.bind(commands, pipeline, {set});
    gpu.vk.vkCmdDispatch(commands, 1, 1, 1);
  }) == VK_SUCCESS);
  CHECK(list_of(out) == Words{1, 2, 30, 4});
  CHECK(to_text(gpu.told()) == "");
}

TEST_CASE("sets may be updated after they were bound, with a variable number of descriptors") {
  const Environment environment;
  Gpu gpu;
  constexpr VkDescriptorBindingFlags late = VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT;
  const auto pipeline = gpu.pipeline(
      R"(#version 450
      #extension GL_EXT_nonuniform_qualifier : require
      layout(set = 0, binding = 0) buffer B { uint b[]; } out_;
      layout(set = 0, binding = 1) readonly buffer A { uint a; } many[];
      layout(local_size_x = 8) in;
      void main() {
        uint i = gl_LocalInvocationIndex;
        if (i < 3) out_.b[i] = many[nonuniformEXT(2 - i)].a;
      })",
      {{{{.binding = 0, .flags = late},
         {.binding = 1,
          .count = 100,
          .flags = late | VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT |
                   VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT}},
        VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT}});
  const auto out = gpu.buffer({9, 9, 9}), a = gpu.buffer({10}), b = gpu.buffer({11}),
             c = gpu.buffer({12});
  const VkDescriptorSet set = gpu.set(pipeline.sets[0], 3);
  const VkCommandBuffer commands = gpu.record([&](VkCommandBuffer recorded) {
    gpu.bind(recorded, pipeline, {set});
    gpu.vk.vkCmdDispatch(recorded, 1, 1, 1);
  });
  gpu.write(set, 0, out);
  const std::array three{whole(a), whole(b), whole(c)};
  gpu.write(set, 1, 0, three);
  REQUIRE(gpu.submit(gpu.queues[0], commands) == VK_SUCCESS);
  CHECK(gpu.vk.vkQueueWaitIdle(gpu.queues[0]) == VK_SUCCESS);
  CHECK(list_of(out) == Words{12, 11, 10});
  CHECK(to_text(gpu.told()) == "");
}

TEST_CASE("an array without a size has as many descriptors as its layout") {
  const Environment environment;
  Gpu gpu;
  constexpr VkDescriptorBindingFlags partly = VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT;
  constexpr std::uint32_t count = 5000, used[] = {0, 1023, 1024, 3001, 4999};
  const auto pipeline = gpu.pipeline(
      R"(#version 450
      #extension GL_EXT_nonuniform_qualifier : require
      layout(set = 0, binding = 0) buffer B { uint b[]; } out_;
      layout(set = 0, binding = 1) buffer A { uint a; } buffers[];
      layout(set = 1, binding = 3, r32ui) uniform uimage2D images[];
      layout(local_size_x = 5) in;
      void main() {
        uint i = gl_LocalInvocationIndex, at = out_.b[i];
        out_.b[i] = atomicAdd(buffers[nonuniformEXT(at)].a, 1) +
                    imageAtomicAdd(images[nonuniformEXT(at)], ivec2(0), i);
        out_.b[5 + i] = buffers[nonuniformEXT(at)].a + imageLoad(images[nonuniformEXT(at)], ivec2(0)).x;
      })",
      {{{{.binding = 0}, {.binding = 1, .count = count, .flags = partly}}},
       {{{.binding = 3,
          .type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
          .count = count,
          .flags = partly}}}});
  const VkDescriptorSet sets[] = {gpu.set(pipeline.sets[0]), gpu.set(pipeline.sets[1])};
  const auto out = gpu.buffer({used[0], used[1], used[2], used[3], used[4], 9, 9, 9, 9, 9});
  gpu.write(sets[0], 0, out);
  std::vector<GpuImage> images;
  Words expected(10);
  for (std::uint32_t i = 0; i < 5; ++i) {
    const auto buffer = gpu.buffer({10 * i});
    const std::array one{whole(buffer)};
    gpu.write(sets[0], 1, used[i], one);
    VkImageCreateInfo info{};
    info.imageType = VK_IMAGE_TYPE_2D;
    info.format = VK_FORMAT_R32_UINT;
    info.extent = {1, 1, 1};
    info.mipLevels = info.arrayLayers = 1;
    images.push_back(gpu.image(info));
    const VkDescriptorImageInfo view{VK_NULL_HANDLE,
                                     gpu.view(images.back(), VK_IMAGE_VIEW_TYPE_2D, info.format,
                                              {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}),
                                     VK_IMAGE_LAYOUT_GENERAL};
    VkWriteDescriptorSet write{};
    write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    write.dstSet = sets[1];
    write.dstBinding = 3;
    write.dstArrayElement = used[i];
    write.descriptorCount = 1;
    write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
    write.pImageInfo = &view;
    gpu.vk.vkUpdateDescriptorSets(gpu.device, 1, &write, 0, nullptr);
    expected[i] = 10 * i + 100;
    expected[5 + i] = 10 * i + 1 + 100 + i;
  }
  CHECK(gpu.run([&](VkCommandBuffer commands) {
    const VkClearColorValue hundred{.uint32 = {100, 0, 0, 0}};
    const VkImageSubresourceRange all{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    for (const GpuImage& image : images)
      gpu.vk.vkCmdClearColorImage(commands, image.image, VK_IMAGE_LAYOUT_GENERAL, &hundred, 1,
                                  &all);
    gpu.barrier(commands);
    gpu.bind(commands, pipeline, {sets[0], sets[1]});
    gpu.vk.vkCmdDispatch(commands, 1, 1, 1);
  }) == VK_SUCCESS);
  CHECK(list_of(out) == expected);
  for (const Told& told : gpu.told()) CHECK(told.text == "");
}

// Vulkan: what is supported, for any descriptorCount that the layout gives this binding.
TEST_CASE("how many descriptors a variable binding can have does not depend on how many it has") {
  const Environment environment;
  Gpu gpu;
  struct Case {
    VkDescriptorType type;
    std::uint32_t others, count, most;
  };
  const Case cases[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0, 1, 1000000},
                        {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 7, 0, 999993},
                        {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 7, 999993, 999993},
                        {VK_DESCRIPTOR_TYPE_SAMPLER, 1000000, 0, 0},
                        {VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 7, 0, 4096},
                        {VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 7, 4096, 4096}};
  for (const Case& c : cases) {
    for (const bool varies : {false, true}) {
      INFO(c.type << ", " << c.count << " beside " << c.others << ", " << varies);
      // The last binding need not be the last in the list.
      const VkDescriptorSetLayoutBinding bindings[] = {
          {5, c.type, c.count, VK_SHADER_STAGE_COMPUTE_BIT, nullptr},
          {2, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, c.others, VK_SHADER_STAGE_COMPUTE_BIT, nullptr}};
      const VkDescriptorBindingFlags flags[] = {
          varies ? VkDescriptorBindingFlags{VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT}
                 : 0,
          0};
      const VkDescriptorSetLayoutBindingFlagsCreateInfo more{
          VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO, nullptr, 2, flags};
      const VkDescriptorSetLayoutCreateInfo info{
          VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, &more, 0, 2, bindings};
      VkDescriptorSetVariableDescriptorCountLayoutSupport variable{
          VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_LAYOUT_SUPPORT, nullptr, 77};
      VkDescriptorSetLayoutSupport support{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_SUPPORT,
                                           &variable, VK_FALSE};
      gpu.vk.vkGetDescriptorSetLayoutSupport(gpu.device, &info, &support);
      CHECK(support.supported == VK_TRUE);
      CHECK(variable.maxVariableDescriptorCount == (varies ? c.most : 0));
    }
  }
}

TEST_CASE("device addresses point into buffers") {
  const Environment environment;
  Gpu gpu;
  const auto pipeline = gpu.pipeline(R"(#version 450
    #extension GL_EXT_buffer_reference : require
    #extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
    layout(buffer_reference, std430) buffer Node { uint64_t next; uint value; };
    layout(push_constant) uniform P { uint64_t first; uint64_t sum; };
    layout(buffer_reference, std430) buffer Sum { uint s; };
    void main() {
      uint total = 0;
      for (uint64_t at = first; at != 0; at = Node(at).next) total += Node(at).value;
      Sum(sum).s = total;
    })",
                                     {}, 16);
  const auto nodes = gpu.buffer(64), sum = gpu.buffer({0});
  const auto address = [&](const GpuBuffer& buffer) {
    VkBufferDeviceAddressInfo info{};
    info.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO;
    info.buffer = buffer.buffer;
    return gpu.vk.vkGetBufferDeviceAddress(gpu.device, &info);
  };
  const std::uint64_t start = address(nodes);
  REQUIRE(start != 0);
  struct Node {
    std::uint64_t next;
    std::uint32_t value, pad;
  };
  const std::array<Node, 3> list{Node{start + 2 * sizeof(Node), 1, 0}, Node{0, 20, 0},
                                 Node{start + sizeof(Node), 300, 0}};
  std::memcpy(nodes.bytes.data(), list.data(), sizeof list);
  const std::array<std::uint64_t, 2> push{start, address(sum)};
  CHECK(gpu.run([&](VkCommandBuffer commands) {
    gpu.bind(commands, pipeline, {});
    gpu.vk.vkCmdPushConstants(commands, pipeline.layout, compute, 0, 16, push.data());
    gpu.vk.vkCmdDispatch(commands, 1, 1, 1);
  }) == VK_SUCCESS);
  CHECK(list_of(sum) == Words{321});
  CHECK(to_text(gpu.told()) == "");
}

TEST_CASE("dispatches see what was written last to sets of many descriptors") {
  const Environment environment;
  Gpu gpu;
  constexpr VkDescriptorBindingFlags late =
      VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT | VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT;
  const std::vector<GpuSet> sets{
      {{{.binding = 0, .count = 3000, .flags = late}},
       VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT},
      {{{.binding = 0, .type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC}}}};
  const auto pipeline = gpu.pipeline(
      R"(#version 450
      #extension GL_EXT_nonuniform_qualifier : require
      layout(set = 0, binding = 0) readonly buffer A { uint a; } many[];
      layout(set = 1, binding = 0) buffer B { uint b[4]; };
      layout(push_constant) uniform P { uint at; };
      void main() { b[0] = many[at].a + at; })",
      sets, 4);
  const auto out = gpu.buffer(1024);
  const auto value = gpu.buffer(4 * 64);
  for (std::uint32_t k = 0; k < 64; ++k) value.words()[k] = 1000 + k;
  const VkDescriptorSet one = gpu.set(pipeline.sets[0]), two = gpu.set(pipeline.sets[0]),
                        target = gpu.set(pipeline.sets[1]);
  const VkDescriptorBufferInfo dynamic{out.buffer, 0, 16};
  gpu.write(target, 0, 0, {&dynamic, 1}, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC);
  const auto put = [&](VkDescriptorSet set, std::uint32_t element, std::uint32_t word) {
    const VkDescriptorBufferInfo info{value.buffer, word * 16, 16};
    gpu.write(set, 0, element, {&info, 1});
  };
  // Each: which set, which element, what of `value` is in it, and where the result goes.
  const auto dispatch = [&](VkDescriptorSet set, std::uint32_t at, std::uint32_t slot) {
    CHECK(gpu.run([&](VkCommandBuffer commands) {
      gpu.bind(commands, pipeline, {set, target}, {slot * 16});
      gpu.vk.vkCmdPushConstants(commands, pipeline.layout, compute, 0, 4, &at);
      gpu.vk.vkCmdDispatch(commands, 1, 1, 1);
    }) == VK_SUCCESS);
  };
  const auto check = [&](VkDescriptorSet set, std::uint32_t at, std::uint32_t word,
                         std::uint32_t slot) {
    out.words()[slot * 4] = 0;
    dispatch(set, at, slot);
    CHECK(out.words()[slot * 4] == 1000 + 4 * word + at);
  };
  put(one, 7, 1);
  put(one, 2999, 2);
  put(two, 7, 3);
  check(one, 7, 1, 0);
  check(one, 2999, 2, 0);  // the same descriptors
  check(one, 2999, 2, 1);  // another dynamic offset
  check(two, 7, 3, 1);     // another set
  check(one, 7, 1, 1);
  put(one, 7, 4);
  check(one, 7, 4, 1);
  VkCopyDescriptorSet copy{};
  copy.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET;
  copy.srcSet = two;
  copy.srcArrayElement = 7;
  copy.dstSet = one;
  copy.dstArrayElement = 7;
  copy.descriptorCount = 1;
  gpu.vk.vkUpdateDescriptorSets(gpu.device, 0, nullptr, 1, &copy);
  check(one, 7, 3, 1);
  CHECK(to_text(gpu.told()) == "");
}

TEST_CASE("sets may have input attachments, which compute shaders do not see") {
  const Environment environment({{"LOCKSTEP_VULKAN_GRAPHICS", "stub"}});
  Gpu gpu({.layer = false});
  const auto pipeline = gpu.pipeline(
      R"(#version 450
      layout(set = 0, binding = 1) buffer B { uint b; };
      void main() { b = 5; })",
      {{{{.binding = 0, .type = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT}, {.binding = 1}}}});
  VkImageCreateInfo info{};
  info.imageType = VK_IMAGE_TYPE_2D;
  info.format = VK_FORMAT_R8G8B8A8_UNORM;
  info.extent = {4, 4, 1};
  info.mipLevels = info.arrayLayers = 1;
  info.usage = VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
  const auto image = gpu.image(info);
  const auto out = gpu.buffer({0});
  const VkDescriptorSet set = gpu.set(pipeline.sets[0]);
  gpu.write(
      set, 0,
      {VK_NULL_HANDLE,
       gpu.view(image, VK_IMAGE_VIEW_TYPE_2D, info.format, {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}),
       VK_IMAGE_LAYOUT_GENERAL},
      VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT);
  gpu.write(set, 1, out);
  CHECK(gpu.run([&](VkCommandBuffer commands) {
    gpu.bind(commands, pipeline, {set});
    gpu.vk.vkCmdDispatch(commands, 1, 1, 1);
  }) == VK_SUCCESS);
  CHECK(list_of(out) == Words{5});
}
