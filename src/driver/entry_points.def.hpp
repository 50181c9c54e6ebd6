#pragma once

/// \file
/// The commands of the driver, each once: X(level, origin, name). Their declarations and the table of
/// vkGet*ProcAddr are made of it. `level` is what loaders ask for: global, instance, physical_device or
/// device. `origin` is core(minor) for commands of Vulkan 1.minor, core(minor, extension) for those that it
/// took from an extension, where the name also ends in KHR or EXT, and of(extension) for all others.

/// Commands that are implemented.
#define LOCKSTEP_ICD_COMMANDS(X)                                                             \
  X(global, core(0), vkCreateInstance)                                                       \
  X(instance, core(0), vkDestroyInstance)                                                    \
  X(instance, core(0), vkEnumeratePhysicalDevices)                                           \
  X(physical_device, core(0), vkGetPhysicalDeviceFeatures)                                   \
  X(physical_device, core(0), vkGetPhysicalDeviceFormatProperties)                           \
  X(physical_device, core(0), vkGetPhysicalDeviceImageFormatProperties)                      \
  X(physical_device, core(0), vkGetPhysicalDeviceProperties)                                 \
  X(physical_device, core(0), vkGetPhysicalDeviceQueueFamilyProperties)                      \
  X(physical_device, core(0), vkGetPhysicalDeviceMemoryProperties)                           \
  X(instance, core(0), vkGetInstanceProcAddr)                                                \
  X(device, core(0), vkGetDeviceProcAddr)                                                    \
  X(physical_device, core(0), vkCreateDevice)                                                \
  X(device, core(0), vkDestroyDevice)                                                        \
  X(global, core(0), vkEnumerateInstanceExtensionProperties)                                 \
  X(physical_device, core(0), vkEnumerateDeviceExtensionProperties)                          \
  X(global, core(0), vkEnumerateInstanceLayerProperties)                                     \
  X(physical_device, core(0), vkEnumerateDeviceLayerProperties)                              \
  X(device, core(0), vkGetDeviceQueue)                                                       \
  X(device, core(0), vkQueueSubmit)                                                          \
  X(device, core(0), vkQueueWaitIdle)                                                        \
  X(device, core(0), vkDeviceWaitIdle)                                                       \
  X(device, core(0), vkAllocateMemory)                                                       \
  X(device, core(0), vkFreeMemory)                                                           \
  X(device, core(0), vkMapMemory)                                                            \
  X(device, core(0), vkUnmapMemory)                                                          \
  X(device, core(0), vkFlushMappedMemoryRanges)                                              \
  X(device, core(0), vkInvalidateMappedMemoryRanges)                                         \
  X(device, core(0), vkGetDeviceMemoryCommitment)                                            \
  X(device, core(0), vkBindBufferMemory)                                                     \
  X(device, core(0), vkBindImageMemory)                                                      \
  X(device, core(0), vkGetBufferMemoryRequirements)                                          \
  X(device, core(0), vkGetImageMemoryRequirements)                                           \
  X(device, core(0), vkGetImageSparseMemoryRequirements)                                     \
  X(physical_device, core(0), vkGetPhysicalDeviceSparseImageFormatProperties)                \
  X(device, core(0), vkQueueBindSparse)                                                      \
  X(device, core(0), vkCreateFence)                                                          \
  X(device, core(0), vkDestroyFence)                                                         \
  X(device, core(0), vkResetFences)                                                          \
  X(device, core(0), vkGetFenceStatus)                                                       \
  X(device, core(0), vkWaitForFences)                                                        \
  X(device, core(0), vkCreateSemaphore)                                                      \
  X(device, core(0), vkDestroySemaphore)                                                     \
  X(device, core(0), vkCreateEvent)                                                          \
  X(device, core(0), vkDestroyEvent)                                                         \
  X(device, core(0), vkGetEventStatus)                                                       \
  X(device, core(0), vkSetEvent)                                                             \
  X(device, core(0), vkResetEvent)                                                           \
  X(device, core(0), vkCreateQueryPool)                                                      \
  X(device, core(0), vkDestroyQueryPool)                                                     \
  X(device, core(0), vkGetQueryPoolResults)                                                  \
  X(device, core(0), vkCreateBuffer)                                                         \
  X(device, core(0), vkDestroyBuffer)                                                        \
  X(device, core(0), vkCreateBufferView)                                                     \
  X(device, core(0), vkDestroyBufferView)                                                    \
  X(device, core(0), vkCreateImage)                                                          \
  X(device, core(0), vkDestroyImage)                                                         \
  X(device, core(0), vkGetImageSubresourceLayout)                                            \
  X(device, core(0), vkCreateImageView)                                                      \
  X(device, core(0), vkDestroyImageView)                                                     \
  X(device, core(0), vkCreateShaderModule)                                                   \
  X(device, core(0), vkDestroyShaderModule)                                                  \
  X(device, core(0), vkCreatePipelineCache)                                                  \
  X(device, core(0), vkDestroyPipelineCache)                                                 \
  X(device, core(0), vkGetPipelineCacheData)                                                 \
  X(device, core(0), vkMergePipelineCaches)                                                  \
  X(device, core(0), vkCreateComputePipelines)                                               \
  X(device, core(0), vkDestroyPipeline)                                                      \
  X(device, core(0), vkCreatePipelineLayout)                                                 \
  X(device, core(0), vkDestroyPipelineLayout)                                                \
  X(device, core(0), vkCreateSampler)                                                        \
  X(device, core(0), vkDestroySampler)                                                       \
  X(device, core(0), vkCreateDescriptorSetLayout)                                            \
  X(device, core(0), vkDestroyDescriptorSetLayout)                                           \
  X(device, core(0), vkCreateDescriptorPool)                                                 \
  X(device, core(0), vkDestroyDescriptorPool)                                                \
  X(device, core(0), vkResetDescriptorPool)                                                  \
  X(device, core(0), vkAllocateDescriptorSets)                                               \
  X(device, core(0), vkFreeDescriptorSets)                                                   \
  X(device, core(0), vkUpdateDescriptorSets)                                                 \
  X(device, core(0), vkCreateCommandPool)                                                    \
  X(device, core(0), vkDestroyCommandPool)                                                   \
  X(device, core(0), vkResetCommandPool)                                                     \
  X(device, core(0), vkAllocateCommandBuffers)                                               \
  X(device, core(0), vkFreeCommandBuffers)                                                   \
  X(device, core(0), vkBeginCommandBuffer)                                                   \
  X(device, core(0), vkEndCommandBuffer)                                                     \
  X(device, core(0), vkResetCommandBuffer)                                                   \
  X(device, core(0), vkCmdBindPipeline)                                                      \
  X(device, core(0), vkCmdBindDescriptorSets)                                                \
  X(device, core(0), vkCmdDispatch)                                                          \
  X(device, core(0), vkCmdDispatchIndirect)                                                  \
  X(device, core(0), vkCmdCopyBuffer)                                                        \
  X(device, core(0), vkCmdCopyImage)                                                         \
  X(device, core(0), vkGetRenderAreaGranularity)                                             \
  X(device, core(0), vkCmdBlitImage)                                                         \
  X(device, core(0), vkCmdResolveImage)                                                      \
  X(device, core(0), vkCmdCopyBufferToImage)                                                 \
  X(device, core(0), vkCmdCopyImageToBuffer)                                                 \
  X(device, core(0), vkCmdUpdateBuffer)                                                      \
  X(device, core(0), vkCmdFillBuffer)                                                        \
  X(device, core(0), vkCmdClearColorImage)                                                   \
  X(device, core(0), vkCmdClearDepthStencilImage)                                            \
  X(device, core(0), vkCmdSetEvent)                                                          \
  X(device, core(0), vkCmdResetEvent)                                                        \
  X(device, core(0), vkCmdWaitEvents)                                                        \
  X(device, core(0), vkCmdPipelineBarrier)                                                   \
  X(device, core(0), vkCmdBeginQuery)                                                        \
  X(device, core(0), vkCmdEndQuery)                                                          \
  X(device, core(0), vkCmdResetQueryPool)                                                    \
  X(device, core(0), vkCmdWriteTimestamp)                                                    \
  X(device, core(0), vkCmdCopyQueryPoolResults)                                              \
  X(device, core(0), vkCmdPushConstants)                                                     \
  X(device, core(0), vkCmdExecuteCommands)                                                   \
  X(device, core(0), vkCreateGraphicsPipelines)                                              \
  X(device, core(0), vkCreateFramebuffer)                                                    \
  X(device, core(0), vkDestroyFramebuffer)                                                   \
  X(device, core(0), vkCreateRenderPass)                                                     \
  X(device, core(0), vkDestroyRenderPass)                                                    \
  X(device, core(2), vkCreateRenderPass2)                                                    \
  X(global, core(1), vkEnumerateInstanceVersion)                                             \
  X(device, core(1, "VK_KHR_bind_memory2"), vkBindBufferMemory2)                             \
  X(device, core(1, "VK_KHR_bind_memory2"), vkBindImageMemory2)                              \
  X(device, core(1, "VK_KHR_device_group"), vkGetDeviceGroupPeerMemoryFeatures)              \
  X(device, core(1, "VK_KHR_device_group"), vkCmdSetDeviceMask)                              \
  X(device, core(1, "VK_KHR_device_group"), vkCmdDispatchBase)                               \
  X(instance, core(1, "VK_KHR_device_group_creation"), vkEnumeratePhysicalDeviceGroups)      \
  X(device, core(1, "VK_KHR_get_memory_requirements2"), vkGetImageMemoryRequirements2)       \
  X(device, core(1, "VK_KHR_get_memory_requirements2"), vkGetBufferMemoryRequirements2)      \
  X(device, core(1, "VK_KHR_get_memory_requirements2"), vkGetImageSparseMemoryRequirements2) \
  X(physical_device, core(1, "VK_KHR_get_physical_device_properties2"),                      \
    vkGetPhysicalDeviceFeatures2)                                                            \
  X(physical_device, core(1, "VK_KHR_get_physical_device_properties2"),                      \
    vkGetPhysicalDeviceProperties2)                                                          \
  X(physical_device, core(1, "VK_KHR_get_physical_device_properties2"),                      \
    vkGetPhysicalDeviceFormatProperties2)                                                    \
  X(physical_device, core(1, "VK_KHR_get_physical_device_properties2"),                      \
    vkGetPhysicalDeviceImageFormatProperties2)                                               \
  X(physical_device, core(1, "VK_KHR_get_physical_device_properties2"),                      \
    vkGetPhysicalDeviceQueueFamilyProperties2)                                               \
  X(physical_device, core(1, "VK_KHR_get_physical_device_properties2"),                      \
    vkGetPhysicalDeviceMemoryProperties2)                                                    \
  X(physical_device, core(1, "VK_KHR_get_physical_device_properties2"),                      \
    vkGetPhysicalDeviceSparseImageFormatProperties2)                                         \
  X(device, core(1, "VK_KHR_maintenance1"), vkTrimCommandPool)                               \
  X(device, core(1), vkGetDeviceQueue2)                                                      \
  X(device, core(1, "VK_KHR_descriptor_update_template"), vkCreateDescriptorUpdateTemplate)  \
  X(device, core(1, "VK_KHR_descriptor_update_template"), vkDestroyDescriptorUpdateTemplate) \
  X(device, core(1, "VK_KHR_descriptor_update_template"), vkUpdateDescriptorSetWithTemplate) \
  X(physical_device, core(1, "VK_KHR_external_memory_capabilities"),                         \
    vkGetPhysicalDeviceExternalBufferProperties)                                             \
  X(physical_device, core(1, "VK_KHR_external_fence_capabilities"),                          \
    vkGetPhysicalDeviceExternalFenceProperties)                                              \
  X(physical_device, core(1, "VK_KHR_external_semaphore_capabilities"),                      \
    vkGetPhysicalDeviceExternalSemaphoreProperties)                                          \
  X(device, core(1, "VK_KHR_maintenance3"), vkGetDescriptorSetLayoutSupport)                 \
  X(device, core(2, "VK_EXT_host_query_reset"), vkResetQueryPool)                            \
  X(device, core(2, "VK_KHR_timeline_semaphore"), vkGetSemaphoreCounterValue)                \
  X(device, core(2, "VK_KHR_timeline_semaphore"), vkWaitSemaphores)                          \
  X(device, core(2, "VK_KHR_timeline_semaphore"), vkSignalSemaphore)                         \
  X(device, core(2, "VK_KHR_buffer_device_address"), vkGetBufferDeviceAddress)               \
  X(device, core(2, "VK_KHR_buffer_device_address"), vkGetBufferOpaqueCaptureAddress)        \
  X(device, core(2, "VK_KHR_buffer_device_address"), vkGetDeviceMemoryOpaqueCaptureAddress)  \
  X(physical_device, core(3, "VK_EXT_tooling_info"), vkGetPhysicalDeviceToolProperties)      \
  X(device, core(3, "VK_EXT_private_data"), vkCreatePrivateDataSlot)                         \
  X(device, core(3, "VK_EXT_private_data"), vkDestroyPrivateDataSlot)                        \
  X(device, core(3, "VK_EXT_private_data"), vkSetPrivateData)                                \
  X(device, core(3, "VK_EXT_private_data"), vkGetPrivateData)                                \
  X(device, core(3, "VK_KHR_synchronization2"), vkCmdSetEvent2)                              \
  X(device, core(3, "VK_KHR_synchronization2"), vkCmdResetEvent2)                            \
  X(device, core(3, "VK_KHR_synchronization2"), vkCmdWaitEvents2)                            \
  X(device, core(3, "VK_KHR_synchronization2"), vkCmdPipelineBarrier2)                       \
  X(device, core(3, "VK_KHR_synchronization2"), vkCmdWriteTimestamp2)                        \
  X(device, core(3, "VK_KHR_synchronization2"), vkQueueSubmit2)                              \
  X(device, core(3, "VK_KHR_copy_commands2"), vkCmdCopyBuffer2)                              \
  X(device, core(3, "VK_KHR_copy_commands2"), vkCmdCopyImage2)                               \
  X(device, core(3, "VK_KHR_copy_commands2"), vkCmdCopyBufferToImage2)                       \
  X(device, core(3, "VK_KHR_copy_commands2"), vkCmdCopyImageToBuffer2)                       \
  X(device, core(3, "VK_KHR_copy_commands2"), vkCmdBlitImage2)                               \
  X(device, core(3, "VK_KHR_copy_commands2"), vkCmdResolveImage2)                            \
  X(device, core(3, "VK_KHR_maintenance4"), vkGetDeviceBufferMemoryRequirements)             \
  X(device, core(3, "VK_KHR_maintenance4"), vkGetDeviceImageMemoryRequirements)              \
  X(device, core(3, "VK_KHR_maintenance4"), vkGetDeviceImageSparseMemoryRequirements)        \
  X(device, of("VK_KHR_push_descriptor"), vkCmdPushDescriptorSetKHR)                         \
  X(device, of("VK_KHR_push_descriptor"), vkCmdPushDescriptorSetWithTemplateKHR)             \
  X(device, of("VK_EXT_external_memory_host"), vkGetMemoryHostPointerPropertiesEXT)          \
  X(physical_device, of("VK_EXT_calibrated_timestamps"),                                     \
    vkGetPhysicalDeviceCalibrateableTimeDomainsEXT)                                          \
  X(device, of("VK_EXT_calibrated_timestamps"), vkGetCalibratedTimestampsEXT)                \
  X(device, of("VK_EXT_debug_utils"), vkSetDebugUtilsObjectNameEXT)                          \
  X(device, of("VK_EXT_debug_utils"), vkSetDebugUtilsObjectTagEXT)                           \
  X(device, of("VK_EXT_debug_utils"), vkQueueBeginDebugUtilsLabelEXT)                        \
  X(device, of("VK_EXT_debug_utils"), vkQueueEndDebugUtilsLabelEXT)                          \
  X(device, of("VK_EXT_debug_utils"), vkQueueInsertDebugUtilsLabelEXT)                       \
  X(device, of("VK_EXT_debug_utils"), vkCmdBeginDebugUtilsLabelEXT)                          \
  X(device, of("VK_EXT_debug_utils"), vkCmdEndDebugUtilsLabelEXT)                            \
  X(device, of("VK_EXT_debug_utils"), vkCmdInsertDebugUtilsLabelEXT)                         \
  X(instance, of("VK_EXT_debug_utils"), vkCreateDebugUtilsMessengerEXT)                      \
  X(instance, of("VK_EXT_debug_utils"), vkDestroyDebugUtilsMessengerEXT)                     \
  X(instance, of("VK_EXT_debug_utils"), vkSubmitDebugUtilsMessageEXT)

/// Commands for graphics that a device without graphics has, too, since Vulkan's core does: Dawn rejects drivers where they
/// are null. They do nothing, since nothing is drawn; those that make something fail.
#define LOCKSTEP_ICD_GRAPHICS_COMMANDS(X)             \
  X(device, core(0), vkCmdSetViewport)                \
  X(device, core(0), vkCmdSetScissor)                 \
  X(device, core(0), vkCmdSetLineWidth)               \
  X(device, core(0), vkCmdSetDepthBias)               \
  X(device, core(0), vkCmdSetBlendConstants)          \
  X(device, core(0), vkCmdSetDepthBounds)             \
  X(device, core(0), vkCmdSetStencilCompareMask)      \
  X(device, core(0), vkCmdSetStencilWriteMask)        \
  X(device, core(0), vkCmdSetStencilReference)        \
  X(device, core(0), vkCmdBindIndexBuffer)            \
  X(device, core(0), vkCmdBindVertexBuffers)          \
  X(device, core(0), vkCmdNextSubpass)                \
  X(device, core(0), vkCmdEndRenderPass)              \
  X(device, core(1), vkCreateSamplerYcbcrConversion)  \
  X(device, core(1), vkDestroySamplerYcbcrConversion) \
  X(device, core(2), vkCmdNextSubpass2)               \
  X(device, core(2), vkCmdEndRenderPass2)             \
  X(device, core(3), vkCmdEndRendering)               \
  X(device, core(3), vkCmdSetCullMode)                \
  X(device, core(3), vkCmdSetFrontFace)               \
  X(device, core(3), vkCmdSetPrimitiveTopology)       \
  X(device, core(3), vkCmdSetViewportWithCount)       \
  X(device, core(3), vkCmdSetScissorWithCount)        \
  X(device, core(3), vkCmdBindVertexBuffers2)         \
  X(device, core(3), vkCmdSetDepthTestEnable)         \
  X(device, core(3), vkCmdSetDepthWriteEnable)        \
  X(device, core(3), vkCmdSetDepthCompareOp)          \
  X(device, core(3), vkCmdSetDepthBoundsTestEnable)   \
  X(device, core(3), vkCmdSetStencilTestEnable)       \
  X(device, core(3), vkCmdSetStencilOp)               \
  X(device, core(3), vkCmdSetRasterizerDiscardEnable) \
  X(device, core(3), vkCmdSetDepthBiasEnable)         \
  X(device, core(3), vkCmdSetPrimitiveRestartEnable)

/// Commands that would draw, or write what is drawn to. Recording one is an error, with a queue for graphics too.
#define LOCKSTEP_ICD_DRAWING_COMMANDS(X)            \
  X(device, core(0), vkCmdDraw)                     \
  X(device, core(0), vkCmdDrawIndexed)              \
  X(device, core(0), vkCmdDrawIndirect)             \
  X(device, core(0), vkCmdDrawIndexedIndirect)      \
  X(device, core(0), vkCmdClearAttachments)         \
  X(device, core(0), vkCmdBeginRenderPass)          \
  X(device, core(2), vkCmdDrawIndirectCount)        \
  X(device, core(2), vkCmdDrawIndexedIndirectCount) \
  X(device, core(2), vkCmdBeginRenderPass2)         \
  X(device, core(3), vkCmdBeginRendering)
