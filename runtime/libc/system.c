/* system.c: what a program can ask about the machine and itself. The answers are fixed, and the
 * native replay gives the same (../overrides.c). */
#include "engine.h"
#include "../machine.h"

#define MACHINE "environment: machine"

int snprintf(char *restrict to, size_t room, const char *restrict format, ...);

static int fail(int error) {
  *__errno_location() = error;
  return -1;
}

void labrys_assumed_bytes(void *bytes, size_t size, const char *text) {
  unsigned char *at = bytes;
  size_t i;
  for (i = 0; i < size; i++)
    at[i] = (unsigned char)labrys_assumed(at[i], text);
}

static long assumed(long value) { return labrys_assumed(value, MACHINE); }

/* ---- The process and its user ---- */

#define FIXED(type, name, value)                                                               \
  WEAK type name(void) { return (type)assumed(value); }
FIXED(int, getpid, FIXED_PROCESS)
FIXED(int, getppid, FIXED_PARENT)
FIXED(int, getpgrp, FIXED_PROCESS)
FIXED(int, gettid, FIXED_PROCESS)
FIXED(unsigned, getuid, FIXED_USER)
FIXED(unsigned, geteuid, FIXED_USER)
FIXED(unsigned, getgid, FIXED_USER)
FIXED(unsigned, getegid, FIXED_USER)
FIXED(int, getpagesize, FIXED_PAGE)
FIXED(int, get_nprocs, FIXED_PROCESSORS)
FIXED(int, get_nprocs_conf, FIXED_PROCESSORS)
FIXED(int, issetugid, 0)

WEAK int getpgid(int process) {
  return (int)assumed(process == 0 || process == FIXED_PROCESS ? FIXED_PROCESS : fail(3));
}

WEAK int getsid(int process) { return getpgid(process); }

WEAK int setpgid(int process, int group) {
  (void)process, (void)group;
  return 0;
}

WEAK int setsid(void) { return fail(1); }

#define SETTER(name)                                                                           \
  WEAK int name(unsigned id) { return (int)assumed(id == FIXED_USER ? 0 : fail(1)); }
SETTER(setuid)
SETTER(seteuid)
SETTER(setgid)
SETTER(setegid)

WEAK int getgroups(int room, unsigned *to) {
  (void)room, (void)to;
  return (int)assumed(0);
}

WEAK char *getlogin(void) {
  fail(6); /* ENXIO: there is no terminal */
  return (char *)assumed(0);
}

/* No user or group has an entry. */
#define NOBODY(name, parameter)                                                                \
  WEAK void *name(parameter) { return (void *)assumed(0); }
NOBODY(getpwnam, const char *who __attribute__((unused)))
NOBODY(getpwuid, unsigned who __attribute__((unused)))
NOBODY(getgrnam, const char *who __attribute__((unused)))
NOBODY(getgrgid, unsigned who __attribute__((unused)))
NOBODY(getpwent, void)
NOBODY(getgrent, void)

WEAK void setpwent(void) {}
WEAK void endpwent(void) {}
WEAK void setgrent(void) {}
WEAK void endgrent(void) {}

/* ---- The machine ---- */

struct utsname {
  char sysname[65], nodename[65], release[65], version[65], machine[65], domainname[65];
};

WEAK int uname(struct utsname *to) {
  __builtin_memset(to, 0, sizeof *to);
  snprintf(to->sysname, sizeof to->sysname, "Linux");
  snprintf(to->nodename, sizeof to->nodename, FIXED_HOST);
  snprintf(to->release, sizeof to->release, "6.1.0");
  snprintf(to->version, sizeof to->version, "#1");
  snprintf(to->machine, sizeof to->machine, "x86_64");
  snprintf(to->domainname, sizeof to->domainname, "(none)");
  labrys_assumed_bytes(to, sizeof *to, MACHINE);
  return 0;
}

WEAK int gethostname(char *to, size_t room) {
  static const char name[] = FIXED_HOST;
  __builtin_memcpy(to, name, room < sizeof name ? room : sizeof name);
  labrys_assumed_bytes(to, room < sizeof name ? room : sizeof name, MACHINE);
  /* The name of another machine has another size, up to 64 bytes. */
  if (room <= 64 && room < (size_t)assumed(sizeof name))
    return fail(36); /* ENAMETOOLONG */
  return 0;
}

WEAK int getdomainname(char *to, size_t room) {
  static const char name[] = "(none)";
  __builtin_memcpy(to, name, room < sizeof name ? room : sizeof name);
  labrys_assumed_bytes(to, room < sizeof name ? room : sizeof name, MACHINE);
  return 0;
}

WEAK long gethostid(void) { return assumed(0); }

WEAK int getloadavg(double *to, int count) {
  (void)to, (void)count;
  return (int)assumed(-1);
}

/* What glibc answers on x86-64. */
static long configured(int name) {
  switch (name) {
  case 0: /* _SC_ARG_MAX */
    return 2097152;
  case 1: /* _SC_CHILD_MAX */
    return 1024;
  case 2: /* _SC_CLK_TCK */
    return 100;
  case 3: /* _SC_NGROUPS_MAX */
    return 65536;
  case 4: /* _SC_OPEN_MAX */
    return FIXED_OPEN_FILES;
  case 5: /* _SC_STREAM_MAX */
    return 16;
  case 7: /* _SC_JOB_CONTROL */
  case 8: /* _SC_SAVED_IDS */
    return 1;
  case 29: /* _SC_VERSION */
    return 200809;
  case 30: /* _SC_PAGESIZE */
    return FIXED_PAGE;
  case 43: /* _SC_LINE_MAX */
    return 2048;
  case 60: /* _SC_IOV_MAX */
    return 1024;
  case 69: /* _SC_GETGR_R_SIZE_MAX */
  case 70: /* _SC_GETPW_R_SIZE_MAX */
    return 1024;
  case 71: /* _SC_LOGIN_NAME_MAX */
    return 256;
  case 72: /* _SC_TTY_NAME_MAX */
    return 32;
  case 83: /* _SC_NPROCESSORS_CONF */
  case 84: /* _SC_NPROCESSORS_ONLN */
    return FIXED_PROCESSORS;
  case 85: /* _SC_PHYS_PAGES */
  case 86: /* _SC_AVPHYS_PAGES */
    return FIXED_PAGES;
  case 87: /* _SC_ATEXIT_MAX */
    return 2147483647;
  case 180: /* _SC_HOST_NAME_MAX */
    return 64;
  default:
    return -1;
  }
}

WEAK long sysconf(int name) { return assumed(configured(name)); }

/* ---- Limits and use of resources ---- */

struct rlimit {
  unsigned long rlim_cur, rlim_max;
};

enum { RESOURCES = 16, STACK = 3, FILES = 7 };

WEAK int getrlimit(int resource, struct rlimit *to) {
  if ((unsigned)resource >= RESOURCES)
    return fail(EINVAL);
  to->rlim_cur = to->rlim_max = ~0ul;
  if (resource == STACK)
    to->rlim_cur = 8ul << 20;
  if (resource == FILES)
    to->rlim_cur = to->rlim_max = FIXED_OPEN_FILES;
  labrys_assumed_bytes(to, sizeof *to, MACHINE);
  return 0;
}

WEAK int getrlimit64(int resource, struct rlimit *to) { return getrlimit(resource, to); }

WEAK int setrlimit(int resource, const struct rlimit *limit) {
  (void)limit;
  return (unsigned)resource >= RESOURCES ? fail(EINVAL) : 0;
}

WEAK int setrlimit64(int resource, const struct rlimit *limit) {
  return setrlimit(resource, limit);
}

WEAK int getrusage(int who, void *to) {
  (void)who;
  __builtin_memset(to, 0, 144);
  labrys_assumed_bytes(to, 144, MACHINE);
  return 0;
}

WEAK int getpriority(int which, unsigned who) {
  (void)which, (void)who;
  return 0;
}

WEAK int setpriority(int which, unsigned who, int value) {
  (void)which, (void)who, (void)value;
  return 0;
}

WEAK int nice(int amount) {
  (void)amount;
  return 0;
}

WEAK int sched_yield(void) { return 0; }

WEAK const char *gnu_get_libc_version(void) {
  static char version[] = "2.36";
  labrys_assumed_bytes(version, sizeof version, MACHINE);
  return version;
}
