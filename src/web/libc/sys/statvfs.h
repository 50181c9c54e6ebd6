#pragma once

#include <dirent.h>
#include <errno.h>
#include <sys/types.h>

// What libc++'s <filesystem> takes from <sys/statvfs.h>, <sys/stat.h>, <stdlib.h> and <dirent.h>, and WASI's C
// library lacks: all of it fails.

struct statvfs {
  unsigned long f_frsize;
  unsigned long long f_blocks, f_bfree, f_bavail;
};

static inline int statvfs(const char* path, struct statvfs* status) {
  (void)path, (void)status;
  errno = ENOSYS;
  return -1;
}
static inline int fchmod(int file, mode_t mode) {
  (void)file, (void)mode;
  errno = ENOSYS;
  return -1;
}
static inline int fchmodat(int folder, const char* path, mode_t mode, int flags) {
  (void)folder, (void)path, (void)mode, (void)flags;
  errno = ENOSYS;
  return -1;
}
static inline char* realpath(const char* path, char* resolved) {
  (void)path, (void)resolved;
  errno = ENOSYS;
  return 0;
}

/// No entry of a directory is one: WASI tells sockets of datagrams and of streams apart.
#define DT_SOCK 255
