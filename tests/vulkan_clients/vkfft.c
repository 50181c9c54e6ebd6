// Transforms of VkFFT on the Vulkan device, compared with the sum that defines them.
// usage: vkfft NAME: the device's name must contain NAME

#include <complex.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VKFFT_BACKEND 0
#include <vkFFT.h>

static void require(int holds, const char* what) {
  if (holds) return;
  fprintf(stderr, "vkfft: %s\n", what);
  exit(1);
}

typedef struct {
  VkInstance instance;
  VkPhysicalDevice physical;
  VkDevice device;
  VkQueue queue;
  VkCommandPool pool;
  VkFence fence;
} Device;

static Device open_device(const char* name) {
  Device d;
  const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                         .apiVersion = VK_API_VERSION_1_1};
  const VkInstanceCreateInfo instance_info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                              .pApplicationInfo = &application};
  require(vkCreateInstance(&instance_info, NULL, &d.instance) == VK_SUCCESS, "no instance");
  uint32_t count = 1;
  vkEnumeratePhysicalDevices(d.instance, &count, &d.physical);
  require(count == 1, "no device");
  VkPhysicalDeviceProperties properties;
  vkGetPhysicalDeviceProperties(d.physical, &properties);
  require(strstr(properties.deviceName, name) != NULL, "another device");
  const float priority = 1;
  const VkDeviceQueueCreateInfo queue_info = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                              .queueCount = 1,
                                              .pQueuePriorities = &priority};
  const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                   .queueCreateInfoCount = 1,
                                   .pQueueCreateInfos = &queue_info};
  require(vkCreateDevice(d.physical, &info, NULL, &d.device) == VK_SUCCESS, "no device");
  vkGetDeviceQueue(d.device, 0, 0, &d.queue);
  const VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  vkCreateCommandPool(d.device, &pool_info, NULL, &d.pool);
  const VkFenceCreateInfo fence_info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  vkCreateFence(d.device, &fence_info, NULL, &d.fence);
  return d;
}

static void close_device(Device* d) {
  vkDestroyFence(d->device, d->fence, NULL);
  vkDestroyCommandPool(d->device, d->pool, NULL);
  vkDestroyDevice(d->device, NULL);
  vkDestroyInstance(d->instance, NULL);
}

/// Transforms what is in `buffer` in place.
static void transform(Device* d, VkBuffer buffer, uint64_t bytes, uint64_t n) {
  VkFFTConfiguration configuration = {0};
  configuration.FFTdim = 1;
  configuration.size[0] = n;
  configuration.physicalDevice = &d->physical;
  configuration.device = &d->device;
  configuration.queue = &d->queue;
  configuration.commandPool = &d->pool;
  configuration.fence = &d->fence;
  configuration.buffer = &buffer;
  configuration.bufferSize = &bytes;
  VkFFTApplication application = {0};
  require(initializeVkFFT(&application, configuration) == VKFFT_SUCCESS, "no plan");
  const VkCommandBufferAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                .commandPool = d->pool,
                                                .commandBufferCount = 1};
  VkCommandBuffer commands;
  vkAllocateCommandBuffers(d->device, &allocate, &commands);
  const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  vkBeginCommandBuffer(commands, &begin);
  VkFFTLaunchParams launch = {0};
  launch.commandBuffer = &commands;
  require(VkFFTAppend(&application, -1, &launch) == VKFFT_SUCCESS, "not recorded");
  vkEndCommandBuffer(commands);
  const VkSubmitInfo submit = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
  vkQueueSubmit(d->queue, 1, &submit, d->fence);
  require(vkWaitForFences(d->device, 1, &d->fence, VK_TRUE, UINT64_MAX) == VK_SUCCESS, "device lost");
  vkResetFences(d->device, 1, &d->fence);
  vkFreeCommandBuffers(d->device, d->pool, 1, &commands);
  deleteVkFFT(&application);
}

/// The largest difference from the definition, relative to the largest result.
static double error_of(Device* d, uint64_t n) {
  const uint64_t bytes = n * sizeof(float complex);
  const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                   .size = bytes,
                                   .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                            VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                            VK_BUFFER_USAGE_TRANSFER_DST_BIT};
  VkBuffer buffer;
  vkCreateBuffer(d->device, &info, NULL, &buffer);
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(d->device, buffer, &needs);
  const VkMemoryAllocateInfo memory_info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                            .allocationSize = needs.size};
  VkDeviceMemory memory;
  vkAllocateMemory(d->device, &memory_info, NULL, &memory);
  vkBindBufferMemory(d->device, buffer, memory, 0);
  void* mapped = NULL;
  vkMapMemory(d->device, memory, 0, VK_WHOLE_SIZE, 0, &mapped);
  float complex* const values = mapped;
  double complex* const input = malloc(n * sizeof *input);
  double complex* const root = malloc(n * sizeof *root);
  for (uint64_t k = 0; k < n; ++k) {
    input[k] = (double)(k * 7 % 11) - 5 + I * (double)(k * 3 % 5);
    values[k] = (float complex)input[k];
    root[k] = cexp(-2 * I * acos(-1) * (double)k / (double)n);
  }

  transform(d, buffer, bytes, n);

  double largest = 0, difference = 0;
  for (uint64_t k = 0; k < n; ++k) {
    double complex sum = 0;
    for (uint64_t j = 0; j < n; ++j) sum += input[j] * root[j * k % n];
    largest = fmax(largest, cabs(sum));
    difference = fmax(difference, cabs(sum - (double complex)values[k]));
  }
  free(root);
  free(input);
  vkDestroyBuffer(d->device, buffer, NULL);
  vkFreeMemory(d->device, memory, NULL);
  return difference / largest;
}

int main(int argc, char** argv) {
  require(argc == 2, "give a part of the device's name");
  Device device = open_device(argv[1]);
  const uint64_t sizes[] = {16, 60, 343, 1024, 4096};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
    const double error = error_of(&device, sizes[k]);
    printf("vkfft: %d points: error %.1e\n", (int)sizes[k], error);
    require(error < 1e-5, "wrong");
  }
  close_device(&device);
}
