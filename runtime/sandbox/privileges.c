/* privileges.c: the program that runs the tests keeps the few capabilities that it needs to make
 * and to end tests, and can never get another one. The tests give these up as well (confine.c). */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "sandbox.h"

enum {
  MOST_PROCESSES = 64,        /* and threads of a test */
  MOST_LOCKED_BYTES = 1 << 16 /* memory that is never written to a disk */
};

/* Hand a directory to a test and take it back, enter it, become its user, end its processes. */
static const int KEPT[] = {CAP_CHOWN, CAP_DAC_OVERRIDE, CAP_FOWNER, CAP_KILL,
                           CAP_SETGID, CAP_SETUID, CAP_SYS_CHROOT};

static uint32_t keep_few_capabilities(void) {
  struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct data[2] = {{0, 0, 0}, {0, 0, 0}};
  uint32_t kept = 0;
  unsigned i;
  int capability;
  if (syscall(SYS_capget, &head, data) != 0)
    return (uint32_t)errno;
  for (i = 0; i < sizeof KEPT / sizeof *KEPT; i++)
    kept |= 1u << KEPT[i];
  kept &= data[0].permitted;
  /* Without the capability for it these fail; then no_new_privs must do alone. */
  for (capability = 0; prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; capability++)
    if (capability > 31 || !(kept >> capability & 1))
      prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
  prctl(PR_SET_SECUREBITS, SECBIT_NOROOT | SECBIT_NOROOT_LOCKED, 0, 0, 0);
  data[0].effective = data[0].permitted = data[0].inheritable = kept;
  data[1].effective = data[1].permitted = data[1].inheritable = 0;
  if (syscall(SYS_capset, &head, data) != 0)
    return (uint32_t)errno;
  for (i = 0; i < sizeof KEPT / sizeof *KEPT; i++)
    if (kept >> KEPT[i] & 1 && prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, KEPT[i], 0, 0) != 0)
      return (uint32_t)errno;
  return 0;
}

/* Whether the processes of a user are counted for each user namespace: since Linux 5.14. */
static int counts_by_namespace(void) {
  struct utsname system;
  unsigned major, minor;
  if (uname(&system) != 0 || sscanf(system.release, "%u.%u", &major, &minor) != 2)
    return 0;
  return major > 5 || (major == 5 && minor >= 14);
}

static void bound(int resource, rlim_t most) {
  struct rlimit limit = {most, most};
  setrlimit(resource, &limit);
}

void drop_privileges(uint32_t *report, int user) {
  bound(RLIMIT_MEMLOCK, MOST_LOCKED_BYTES);
  bound(RLIMIT_MSGQUEUE, 0);
  bound(RLIMIT_NICE, 0);
  bound(RLIMIT_RTPRIO, 0);
  if (report[USER_NAMESPACE] && user == NO_USER)
    report[PROCESS_LIMIT] = report[USER_NAMESPACE]; /* it would count those outside, too */
  else if (!report[USER_NAMESPACE] && !counts_by_namespace())
    report[PROCESS_LIMIT] = ENOSYS;
  else
    bound(RLIMIT_NPROC, MOST_PROCESSES);
  report[NO_CAPABILITIES] = keep_few_capabilities();
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    report[NO_NEW_PRIVILEGES] = (uint32_t)errno;
}
