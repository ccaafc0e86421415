/* confine.c: the last step, in the process of each test. It uses no function of the C library that
 * a program could have one of the same name of: all are system calls. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/capability.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox.h"

void confine_test(uint32_t *report, int user) {
  struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct none[2] = {{0, 0, 0}, {0, 0, 0}};
  if (syscall(SYS_chroot, ".") != 0 || syscall(SYS_chdir, "/") != 0) {
    report[ROOT_DIRECTORY] = (uint32_t)errno;
    restrict_files(".", 0);
  } else if (report[PROCESS_NAMESPACE]) {
    restrict_files(".", 0); /* for the signals */
  }
  if (user != NO_USER && (syscall(SYS_setresgid, user, user, user) != 0 ||
                          syscall(SYS_setresuid, user, user, user) != 0))
    report[OTHER_USER] = (uint32_t)errno;
  if (syscall(SYS_capset, &head, none) != 0)
    report[NO_CAPABILITIES] = (uint32_t)errno;
}
