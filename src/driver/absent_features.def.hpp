#pragma once

/// \file
/// Structures of features that the driver has none of, as Debian 12's headers have them: X(name after VkPhysicalDevice,
/// type after VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_,
/// number of members).

#define LOCKSTEP_ICD_ABSENT_FEATURES(X)                                                            \
  X(4444FormatsFeaturesEXT, 4444_FORMATS_FEATURES_EXT, 2)                                          \
  X(ASTCDecodeFeaturesEXT, ASTC_DECODE_FEATURES_EXT, 1)                                            \
  X(AccelerationStructureFeaturesKHR, ACCELERATION_STRUCTURE_FEATURES_KHR, 5)                      \
  X(AddressBindingReportFeaturesEXT, ADDRESS_BINDING_REPORT_FEATURES_EXT, 1)                       \
  X(AmigoProfilingFeaturesSEC, AMIGO_PROFILING_FEATURES_SEC, 1)                                    \
  X(AttachmentFeedbackLoopLayoutFeaturesEXT, ATTACHMENT_FEEDBACK_LOOP_LAYOUT_FEATURES_EXT, 1)      \
  X(BlendOperationAdvancedFeaturesEXT, BLEND_OPERATION_ADVANCED_FEATURES_EXT, 1)                   \
  X(BorderColorSwizzleFeaturesEXT, BORDER_COLOR_SWIZZLE_FEATURES_EXT, 2)                           \
  X(BufferDeviceAddressFeaturesEXT, BUFFER_DEVICE_ADDRESS_FEATURES_EXT, 3)                         \
  X(ClusterCullingShaderFeaturesHUAWEI, CLUSTER_CULLING_SHADER_FEATURES_HUAWEI, 2)                 \
  X(CoherentMemoryFeaturesAMD, COHERENT_MEMORY_FEATURES_AMD, 1)                                    \
  X(ColorWriteEnableFeaturesEXT, COLOR_WRITE_ENABLE_FEATURES_EXT, 1)                               \
  X(ConditionalRenderingFeaturesEXT, CONDITIONAL_RENDERING_FEATURES_EXT, 2)                        \
  X(CooperativeMatrixFeaturesNV, COOPERATIVE_MATRIX_FEATURES_NV, 2)                                \
  X(CopyMemoryIndirectFeaturesNV, COPY_MEMORY_INDIRECT_FEATURES_NV, 1)                             \
  X(CornerSampledImageFeaturesNV, CORNER_SAMPLED_IMAGE_FEATURES_NV, 1)                             \
  X(CoverageReductionModeFeaturesNV, COVERAGE_REDUCTION_MODE_FEATURES_NV, 1)                       \
  X(CustomBorderColorFeaturesEXT, CUSTOM_BORDER_COLOR_FEATURES_EXT, 2)                             \
  X(DedicatedAllocationImageAliasingFeaturesNV, DEDICATED_ALLOCATION_IMAGE_ALIASING_FEATURES_NV,   \
    1)                                                                                             \
  X(DepthClampZeroOneFeaturesEXT, DEPTH_CLAMP_ZERO_ONE_FEATURES_EXT, 1)                            \
  X(DepthClipControlFeaturesEXT, DEPTH_CLIP_CONTROL_FEATURES_EXT, 1)                               \
  X(DepthClipEnableFeaturesEXT, DEPTH_CLIP_ENABLE_FEATURES_EXT, 1)                                 \
  X(DescriptorBufferFeaturesEXT, DESCRIPTOR_BUFFER_FEATURES_EXT, 4)                                \
  X(DescriptorSetHostMappingFeaturesVALVE, DESCRIPTOR_SET_HOST_MAPPING_FEATURES_VALVE, 1)          \
  X(DeviceGeneratedCommandsFeaturesNV, DEVICE_GENERATED_COMMANDS_FEATURES_NV, 1)                   \
  X(DeviceMemoryReportFeaturesEXT, DEVICE_MEMORY_REPORT_FEATURES_EXT, 1)                           \
  X(DiagnosticsConfigFeaturesNV, DIAGNOSTICS_CONFIG_FEATURES_NV, 1)                                \
  X(ExclusiveScissorFeaturesNV, EXCLUSIVE_SCISSOR_FEATURES_NV, 1)                                  \
  X(ExtendedDynamicState2FeaturesEXT, EXTENDED_DYNAMIC_STATE_2_FEATURES_EXT, 3)                    \
  X(ExtendedDynamicState3FeaturesEXT, EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT, 31)                   \
  X(ExtendedDynamicStateFeaturesEXT, EXTENDED_DYNAMIC_STATE_FEATURES_EXT, 1)                       \
  X(ExternalMemoryRDMAFeaturesNV, EXTERNAL_MEMORY_RDMA_FEATURES_NV, 1)                             \
  X(FaultFeaturesEXT, FAULT_FEATURES_EXT, 2)                                                       \
  X(FragmentDensityMap2FeaturesEXT, FRAGMENT_DENSITY_MAP_2_FEATURES_EXT, 1)                        \
  X(FragmentDensityMapFeaturesEXT, FRAGMENT_DENSITY_MAP_FEATURES_EXT, 3)                           \
  X(FragmentDensityMapOffsetFeaturesQCOM, FRAGMENT_DENSITY_MAP_OFFSET_FEATURES_QCOM, 1)            \
  X(FragmentShaderBarycentricFeaturesKHR, FRAGMENT_SHADER_BARYCENTRIC_FEATURES_KHR, 1)             \
  X(FragmentShaderInterlockFeaturesEXT, FRAGMENT_SHADER_INTERLOCK_FEATURES_EXT, 3)                 \
  X(FragmentShadingRateEnumsFeaturesNV, FRAGMENT_SHADING_RATE_ENUMS_FEATURES_NV, 3)                \
  X(FragmentShadingRateFeaturesKHR, FRAGMENT_SHADING_RATE_FEATURES_KHR, 3)                         \
  X(GlobalPriorityQueryFeaturesKHR, GLOBAL_PRIORITY_QUERY_FEATURES_KHR, 1)                         \
  X(GraphicsPipelineLibraryFeaturesEXT, GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT, 1)                 \
  X(Image2DViewOf3DFeaturesEXT, IMAGE_2D_VIEW_OF_3D_FEATURES_EXT, 2)                               \
  X(ImageCompressionControlFeaturesEXT, IMAGE_COMPRESSION_CONTROL_FEATURES_EXT, 1)                 \
  X(ImageCompressionControlSwapchainFeaturesEXT, IMAGE_COMPRESSION_CONTROL_SWAPCHAIN_FEATURES_EXT, \
    1)                                                                                             \
  X(ImageProcessingFeaturesQCOM, IMAGE_PROCESSING_FEATURES_QCOM, 3)                                \
  X(ImageViewMinLodFeaturesEXT, IMAGE_VIEW_MIN_LOD_FEATURES_EXT, 1)                                \
  X(IndexTypeUint8FeaturesEXT, INDEX_TYPE_UINT8_FEATURES_EXT, 1)                                   \
  X(InheritedViewportScissorFeaturesNV, INHERITED_VIEWPORT_SCISSOR_FEATURES_NV, 1)                 \
  X(InvocationMaskFeaturesHUAWEI, INVOCATION_MASK_FEATURES_HUAWEI, 1)                              \
  X(LegacyDitheringFeaturesEXT, LEGACY_DITHERING_FEATURES_EXT, 1)                                  \
  X(LineRasterizationFeaturesEXT, LINE_RASTERIZATION_FEATURES_EXT, 6)                              \
  X(LinearColorAttachmentFeaturesNV, LINEAR_COLOR_ATTACHMENT_FEATURES_NV, 1)                       \
  X(MemoryDecompressionFeaturesNV, MEMORY_DECOMPRESSION_FEATURES_NV, 1)                            \
  X(MemoryPriorityFeaturesEXT, MEMORY_PRIORITY_FEATURES_EXT, 1)                                    \
  X(MeshShaderFeaturesEXT, MESH_SHADER_FEATURES_EXT, 5)                                            \
  X(MeshShaderFeaturesNV, MESH_SHADER_FEATURES_NV, 2)                                              \
  X(MultiDrawFeaturesEXT, MULTI_DRAW_FEATURES_EXT, 1)                                              \
  X(MultisampledRenderToSingleSampledFeaturesEXT,                                                  \
    MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_FEATURES_EXT, 1)                                         \
  X(MultiviewPerViewViewportsFeaturesQCOM, MULTIVIEW_PER_VIEW_VIEWPORTS_FEATURES_QCOM, 1)          \
  X(MutableDescriptorTypeFeaturesEXT, MUTABLE_DESCRIPTOR_TYPE_FEATURES_EXT, 1)                     \
  X(NonSeamlessCubeMapFeaturesEXT, NON_SEAMLESS_CUBE_MAP_FEATURES_EXT, 1)                          \
  X(OpacityMicromapFeaturesEXT, OPACITY_MICROMAP_FEATURES_EXT, 3)                                  \
  X(OpticalFlowFeaturesNV, OPTICAL_FLOW_FEATURES_NV, 1)                                            \
  X(PageableDeviceLocalMemoryFeaturesEXT, PAGEABLE_DEVICE_LOCAL_MEMORY_FEATURES_EXT, 1)            \
  X(PerformanceQueryFeaturesKHR, PERFORMANCE_QUERY_FEATURES_KHR, 2)                                \
  X(PipelineExecutablePropertiesFeaturesKHR, PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR, 1)       \
  X(PipelinePropertiesFeaturesEXT, PIPELINE_PROPERTIES_FEATURES_EXT, 1)                            \
  X(PipelineProtectedAccessFeaturesEXT, PIPELINE_PROTECTED_ACCESS_FEATURES_EXT, 1)                 \
  X(PresentBarrierFeaturesNV, PRESENT_BARRIER_FEATURES_NV, 1)                                      \
  X(PresentIdFeaturesKHR, PRESENT_ID_FEATURES_KHR, 1)                                              \
  X(PresentWaitFeaturesKHR, PRESENT_WAIT_FEATURES_KHR, 1)                                          \
  X(PrimitiveTopologyListRestartFeaturesEXT, PRIMITIVE_TOPOLOGY_LIST_RESTART_FEATURES_EXT, 2)      \
  X(PrimitivesGeneratedQueryFeaturesEXT, PRIMITIVES_GENERATED_QUERY_FEATURES_EXT, 3)               \
  X(ProvokingVertexFeaturesEXT, PROVOKING_VERTEX_FEATURES_EXT, 2)                                  \
  X(RGBA10X6FormatsFeaturesEXT, RGBA10X6_FORMATS_FEATURES_EXT, 1)                                  \
  X(RasterizationOrderAttachmentAccessFeaturesEXT,                                                 \
    RASTERIZATION_ORDER_ATTACHMENT_ACCESS_FEATURES_EXT, 3)                                         \
  X(RayQueryFeaturesKHR, RAY_QUERY_FEATURES_KHR, 1)                                                \
  X(RayTracingInvocationReorderFeaturesNV, RAY_TRACING_INVOCATION_REORDER_FEATURES_NV, 1)          \
  X(RayTracingMaintenance1FeaturesKHR, RAY_TRACING_MAINTENANCE_1_FEATURES_KHR, 2)                  \
  X(RayTracingMotionBlurFeaturesNV, RAY_TRACING_MOTION_BLUR_FEATURES_NV, 2)                        \
  X(RayTracingPipelineFeaturesKHR, RAY_TRACING_PIPELINE_FEATURES_KHR, 5)                           \
  X(RepresentativeFragmentTestFeaturesNV, REPRESENTATIVE_FRAGMENT_TEST_FEATURES_NV, 1)             \
  X(ShaderClockFeaturesKHR, SHADER_CLOCK_FEATURES_KHR, 2)                                          \
  X(ShaderCoreBuiltinsFeaturesARM, SHADER_CORE_BUILTINS_FEATURES_ARM, 1)                           \
  X(ShaderEarlyAndLateFragmentTestsFeaturesAMD, SHADER_EARLY_AND_LATE_FRAGMENT_TESTS_FEATURES_AMD, \
    1)                                                                                             \
  X(ShaderImageFootprintFeaturesNV, SHADER_IMAGE_FOOTPRINT_FEATURES_NV, 1)                         \
  X(ShaderIntegerFunctions2FeaturesINTEL, SHADER_INTEGER_FUNCTIONS_2_FEATURES_INTEL, 1)            \
  X(ShaderModuleIdentifierFeaturesEXT, SHADER_MODULE_IDENTIFIER_FEATURES_EXT, 1)                   \
  X(ShaderSMBuiltinsFeaturesNV, SHADER_SM_BUILTINS_FEATURES_NV, 1)                                 \
  X(ShadingRateImageFeaturesNV, SHADING_RATE_IMAGE_FEATURES_NV, 2)                                 \
  X(SubpassMergeFeedbackFeaturesEXT, SUBPASS_MERGE_FEEDBACK_FEATURES_EXT, 1)                       \
  X(SubpassShadingFeaturesHUAWEI, SUBPASS_SHADING_FEATURES_HUAWEI, 1)                              \
  X(SwapchainMaintenance1FeaturesEXT, SWAPCHAIN_MAINTENANCE_1_FEATURES_EXT, 1)                     \
  X(TilePropertiesFeaturesQCOM, TILE_PROPERTIES_FEATURES_QCOM, 1)                                  \
  X(TransformFeedbackFeaturesEXT, TRANSFORM_FEEDBACK_FEATURES_EXT, 2)                              \
  X(VertexAttributeDivisorFeaturesEXT, VERTEX_ATTRIBUTE_DIVISOR_FEATURES_EXT, 2)                   \
  X(VertexInputDynamicStateFeaturesEXT, VERTEX_INPUT_DYNAMIC_STATE_FEATURES_EXT, 1)                \
  X(Ycbcr2Plane444FormatsFeaturesEXT, YCBCR_2_PLANE_444_FORMATS_FEATURES_EXT, 1)                   \
  X(YcbcrImageArraysFeaturesEXT, YCBCR_IMAGE_ARRAYS_FEATURES_EXT, 1)
