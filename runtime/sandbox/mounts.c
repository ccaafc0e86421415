/* mounts.c: what files the sandbox has. The machine's are there, since the program under test and
 * its libraries are anywhere among them, but nobody can write them; tests see none of them. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox.h"

/* From sys/mount.h, which does not go together with linux/mount.h in older C libraries. */
int mount(const char *source, const char *target, const char *type, unsigned long flags,
          const void *data);

/* What all files of a test may take, and how many there may be. Memory is used as it is written. */
#define BOX_OPTIONS "size=256m,nr_inodes=16384,mode=0711"

void mount_box(uint32_t *report, const char *box) {
  struct mount_attr read_only = {0};
  if (report[MOUNT_NAMESPACE]) {
    report[READ_ONLY_HOST] = report[BOUNDED_FILES] = report[MOUNT_NAMESPACE];
    return;
  }
  if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
    report[READ_ONLY_HOST] = (uint32_t)errno;
  read_only.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID;
  if (syscall(SYS_mount_setattr, AT_FDCWD, "/", AT_RECURSIVE, &read_only, sizeof read_only) != 0)
    report[READ_ONLY_HOST] = (uint32_t)errno;
  if (mount("labrys", box, "tmpfs", MS_NOSUID | MS_NODEV, BOX_OPTIONS) != 0)
    report[BOUNDED_FILES] = (uint32_t)errno;
}

void mount_own_proc(uint32_t *report) {
  const unsigned long flags = MS_NOSUID | MS_NODEV | MS_NOEXEC;
  if (mount("proc", "/proc", "proc", flags, NULL) == 0)
    return;
  /* In some containers parts of /proc are hidden, and then no other can be mounted. */
  if (mount("labrys", "/proc", "tmpfs", flags | MS_RDONLY, "size=4k,nr_inodes=2") != 0)
    report[OWN_PROC] = (uint32_t)errno;
}
