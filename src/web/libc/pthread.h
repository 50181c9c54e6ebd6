#pragma once

#include <errno.h>

// What glslang takes from POSIX threads, where there is one thread.

typedef unsigned pthread_key_t;

static void* lockstep_values[8];
static pthread_key_t lockstep_keys;

static inline int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) {
  (void)destructor;
  if (lockstep_keys == sizeof lockstep_values / sizeof *lockstep_values) return EAGAIN;
  *key = lockstep_keys++;
  return 0;
}
static inline int pthread_key_delete(pthread_key_t key) {
  (void)key;
  return 0;
}
static inline int pthread_setspecific(pthread_key_t key, const void* value) {
  lockstep_values[key] = (void*)value;
  return 0;
}
static inline void* pthread_getspecific(pthread_key_t key) { return lockstep_values[key]; }

typedef int pthread_mutex_t;
typedef int pthread_mutexattr_t;
#define PTHREAD_MUTEX_RECURSIVE 1

static inline int pthread_mutexattr_init(pthread_mutexattr_t* attributes) {
  return *attributes = 0;
}
static inline int pthread_mutexattr_settype(pthread_mutexattr_t* attributes, int type) {
  *attributes = type;
  return 0;
}
static inline int pthread_mutex_init(pthread_mutex_t* mutex, const pthread_mutexattr_t* attributes) {
  (void)attributes;
  return *mutex = 0;
}
static inline int pthread_mutex_lock(pthread_mutex_t* mutex) {
  ++*mutex;
  return 0;
}
static inline int pthread_mutex_unlock(pthread_mutex_t* mutex) {
  --*mutex;
  return 0;
}

typedef int pthread_once_t;
#define PTHREAD_ONCE_INIT 0

static inline int pthread_once(pthread_once_t* once, void (*init)(void)) {
  if (*once == 0) {
    *once = 1;
    init();
  }
  return 0;
}
