#pragma once

#include <exception>
#include <new>

#include "driver/failure.hpp"
#include "driver/vulkan.hpp"

/// \file
/// Handles are pointers to the driver's objects.

namespace lockstep::driver {

static_assert(sizeof(void*) == 8, "handles are pointers only on machines with 64-bit addresses");

/// Declares that a handle refers to such an object: object_of(handle) and handle_of(object).
#define LOCKSTEP_ICD_HANDLE(Handle, Object)                                             \
  inline Object* object_of(Handle handle) { return reinterpret_cast<Object*>(handle); } \
  inline Handle handle_of(Object* object) { return reinterpret_cast<Handle>(object); }

/// Runs the body of a command; exceptions become its result. Those that are no result are told on stderr.
template <class F>
VkResult guarded(F body) noexcept {
  try {
    return body();
  } catch (const Failure& failure) {
    return failure.result();
  } catch (const std::bad_alloc&) {
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  } catch (const std::exception& error) {
    print_error(error.what());
    return VK_ERROR_UNKNOWN;
  }
}

/// Makes an object and gives out its handle.
template <class Object, class Handle, class... Arguments>
VkResult create(Handle* handle, Arguments&&... arguments) noexcept {
  return guarded([&] {
    *handle = handle_of(new Object(std::forward<Arguments>(arguments)...));
    return VK_SUCCESS;
  });
}

/// Gives out a list in the two calls of Vulkan's enumerations.
template <class List, class T>
VkResult enumerate(const List& list, std::uint32_t* count, T* out) {
  const auto all = static_cast<std::uint32_t>(std::size(list));
  if (out == nullptr) {
    *count = all;
    return VK_SUCCESS;
  }
  const std::uint32_t given = *count < all ? *count : all;
  for (std::uint32_t k = 0; k < given; ++k) out[k] = list[k];
  *count = given;
  return given < all ? VK_INCOMPLETE : VK_SUCCESS;
}

/// The structure of that type in a chain; null if there is none.
template <class T>
const T* find_in_chain(const void* chain, VkStructureType type) {
  for (auto* at = static_cast<const VkBaseInStructure*>(chain); at != nullptr; at = at->pNext)
    if (at->sType == type) return reinterpret_cast<const T*>(at);
  return nullptr;
}
template <class T>
T* find_in_chain(void* chain, VkStructureType type) {
  return const_cast<T*>(find_in_chain<T>(static_cast<const void*>(chain), type));
}

}  // namespace lockstep::driver
