/* overrides.c: what a replayed program is told about the clock, the machine and itself: the same
 * as the models of the engine tell it (libc/time.c, libc/system.c, libc/signal.c). Each function
 * hides that of the C library; the process that runs the tests, the parent of all tests, goes to
 * the system itself. All are weak: a program's own definition wins. */
#define _GNU_SOURCE
#include <errno.h>
#include <grp.h>
#include <iconv.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"

#define WEAK __attribute__((weak))

void labrys_symbolic_clock(void) { clock_is_symbolic = 1; }

/* ---- Who asks ---- */

static long test_runner;

static long process(void) { return syscall(SYS_getpid); }

__attribute__((constructor)) static void remember_runner(void) { test_runner = process(); }

static int is_test_runner(void) { return process() == test_runner; }

static int fail(int error) {
  errno = error;
  return -1;
}

/* ---- The clock ---- */

WEAK time_t time(time_t *place) {
  time_t now;
  if (is_test_runner()) {
    struct timespec exact;
    syscall(SYS_clock_gettime, CLOCK_REALTIME, &exact);
    now = exact.tv_sec;
  } else {
    now = clock_now();
  }
  if (place)
    *place = now;
  return now;
}

WEAK int clock_gettime(clockid_t number, struct timespec *to) {
  if (is_test_runner())
    return (int)syscall(SYS_clock_gettime, number, to);
  if ((unsigned)number > 11)
    return fail(EINVAL);
  to->tv_sec = clock_of(number, &to->tv_nsec);
  return 0;
}

WEAK int clock_getres(clockid_t number, struct timespec *to) {
  if ((unsigned)number > 11)
    return fail(EINVAL);
  if (to) {
    to->tv_sec = 0;
    to->tv_nsec = 1;
  }
  return 0;
}

WEAK int timespec_get(struct timespec *to, int base) {
  if (base != TIME_UTC)
    return 0;
  clock_gettime(CLOCK_REALTIME, to);
  return base;
}

WEAK int gettimeofday(struct timeval *restrict to, void *restrict zone) {
  struct timespec exact;
  if (zone)
    memset(zone, 0, sizeof(struct timezone));
  if (to) {
    clock_gettime(CLOCK_REALTIME, &exact);
    to->tv_sec = exact.tv_sec;
    to->tv_usec = exact.tv_nsec / 1000;
  }
  return 0;
}

WEAK clock_t clock(void) { return 0; }

WEAK clock_t times(struct tms *to) {
  if (to)
    memset(to, 0, sizeof *to);
  return FIXED_UPTIME * 100;
}

static int slept(const struct timespec *amount, struct timespec *rest) {
  if (amount->tv_sec < 0 || (unsigned long)amount->tv_nsec >= 1000000000)
    return EINVAL;
  if (rest)
    rest->tv_sec = rest->tv_nsec = 0;
  return 0;
}

WEAK int nanosleep(const struct timespec *amount, struct timespec *rest) {
  int error;
  if (is_test_runner())
    return (int)syscall(SYS_nanosleep, amount, rest);
  error = slept(amount, rest);
  return error ? fail(error) : 0;
}

WEAK int clock_nanosleep(clockid_t number, int flags, const struct timespec *amount,
                         struct timespec *rest) {
  (void)number, (void)flags;
  return slept(amount, rest);
}

WEAK unsigned sleep(unsigned seconds) {
  (void)seconds;
  return 0;
}

WEAK int usleep(useconds_t microseconds) {
  struct timespec amount = {0, (long)microseconds * 1000};
  return is_test_runner() ? (int)syscall(SYS_nanosleep, &amount, NULL) : 0;
}

WEAK unsigned alarm(unsigned seconds) {
  (void)seconds;
  return 0;
}

WEAK useconds_t ualarm(useconds_t first, useconds_t then) {
  (void)first, (void)then;
  return 0;
}

WEAK int setitimer(__itimer_which_t which, const struct itimerval *restrict value,
                   struct itimerval *restrict old) {
  (void)which, (void)value;
  if (old)
    memset(old, 0, sizeof *old);
  return 0;
}

WEAK int getitimer(__itimer_which_t which, struct itimerval *value) {
  (void)which;
  memset(value, 0, sizeof *value);
  return 0;
}

/* ---- The process and its user ---- */

WEAK pid_t getpid(void) { return is_test_runner() ? (pid_t)test_runner : FIXED_PROCESS; }

WEAK pid_t getppid(void) { return is_test_runner() ? (pid_t)syscall(SYS_getppid) : FIXED_PARENT; }

WEAK pid_t getpgrp(void) { return FIXED_PROCESS; }

WEAK pid_t gettid(void) { return FIXED_PROCESS; }

WEAK pid_t getpgid(pid_t of) {
  return of == 0 || of == FIXED_PROCESS ? FIXED_PROCESS : fail(ESRCH);
}

WEAK pid_t getsid(pid_t of) { return getpgid(of); }

WEAK uid_t getuid(void) { return is_test_runner() ? (uid_t)syscall(SYS_getuid) : FIXED_USER; }
WEAK uid_t geteuid(void) { return is_test_runner() ? (uid_t)syscall(SYS_geteuid) : FIXED_USER; }
WEAK gid_t getgid(void) { return is_test_runner() ? (gid_t)syscall(SYS_getgid) : FIXED_USER; }
WEAK gid_t getegid(void) { return is_test_runner() ? (gid_t)syscall(SYS_getegid) : FIXED_USER; }

WEAK int getgroups(int room, gid_t *to) {
  (void)room, (void)to;
  return 0;
}

WEAK char *getlogin(void) {
  errno = ENXIO;
  return NULL;
}

WEAK struct passwd *getpwnam(const char *who) { return (void)who, NULL; }
WEAK struct passwd *getpwuid(uid_t who) { return (void)who, NULL; }
WEAK struct passwd *getpwent(void) { return NULL; }
WEAK struct group *getgrnam(const char *who) { return (void)who, NULL; }
WEAK struct group *getgrgid(gid_t who) { return (void)who, NULL; }
WEAK struct group *getgrent(void) { return NULL; }

/* A program may send signals to itself only. */
WEAK int kill(pid_t to, int number) {
  if (is_test_runner())
    return (int)syscall(SYS_kill, to, number);
  if (to != FIXED_PROCESS && to != 0 && to != -FIXED_PROCESS)
    return fail(number < 0 || number > 64 ? EINVAL : ESRCH);
  return (int)syscall(SYS_kill, process(), number);
}

WEAK int killpg(pid_t group, int number) { return group < 0 ? fail(EINVAL) : kill(-group, number); }

/* ---- The machine ---- */

WEAK int uname(struct utsname *to) {
  memset(to, 0, sizeof *to);
  strcpy(to->sysname, "Linux");
  strcpy(to->nodename, FIXED_HOST);
  strcpy(to->release, "6.1.0");
  strcpy(to->version, "#1");
  strcpy(to->machine, "x86_64");
  strcpy(to->domainname, "(none)");
  return 0;
}

WEAK int gethostname(char *to, size_t room) {
  memcpy(to, FIXED_HOST, room < sizeof FIXED_HOST ? room : sizeof FIXED_HOST);
  return room < sizeof FIXED_HOST ? fail(ENAMETOOLONG) : 0;
}

WEAK long gethostid(void) { return 0; }

WEAK int getloadavg(double *to, int count) {
  (void)to, (void)count;
  return -1;
}

WEAK int get_nprocs(void) { return FIXED_PROCESSORS; }
WEAK int get_nprocs_conf(void) { return FIXED_PROCESSORS; }

/* The C library's own answer, but for what depends on the machine. */
long __sysconf(int name);

WEAK long sysconf(int name) {
  if (is_test_runner())
    return __sysconf(name);
  switch (name) {
  case _SC_ARG_MAX:
    return 2097152;
  case _SC_CHILD_MAX:
    return 1024;
  case _SC_OPEN_MAX:
    return FIXED_OPEN_FILES;
  case _SC_NPROCESSORS_CONF:
  case _SC_NPROCESSORS_ONLN:
    return FIXED_PROCESSORS;
  case _SC_PHYS_PAGES:
  case _SC_AVPHYS_PAGES:
    return FIXED_PAGES;
  default:
    return __sysconf(name);
  }
}

WEAK int getrlimit(__rlimit_resource_t resource, struct rlimit *to) {
  if (is_test_runner())
    return (int)syscall(SYS_getrlimit, resource, to);
  if ((unsigned)resource >= RLIM_NLIMITS)
    return fail(EINVAL);
  to->rlim_cur = to->rlim_max = RLIM_INFINITY;
  if (resource == RLIMIT_STACK)
    to->rlim_cur = 8ul << 20;
  if (resource == RLIMIT_NOFILE)
    to->rlim_cur = to->rlim_max = FIXED_OPEN_FILES;
  return 0;
}

WEAK int getrusage(__rusage_who_t who, struct rusage *to) {
  (void)who;
  memset(to, 0, sizeof *to);
  return 0;
}

/* ---- Conversion of encodings ---- */

WEAK iconv_t iconv_open(const char *to, const char *from) {
  (void)to, (void)from;
  errno = EINVAL;
  return (iconv_t)-1;
}

/* ---- Priorities, which a test cannot change ---- */

WEAK int getpriority(__priority_which_t which, id_t who) {
  (void)which, (void)who;
  return 0;
}

WEAK int setpriority(__priority_which_t which, id_t who, int value) {
  (void)which, (void)who, (void)value;
  return 0;
}

WEAK int nice(int amount) {
  (void)amount;
  return 0;
}

/* ---- Files without a name, for which the root of a test has no directory ---- */

WEAK FILE *tmpfile(void) {
  int descriptor = memfd_create("", 0);
  return descriptor < 0 ? NULL : fdopen(descriptor, "w+");
}

WEAK FILE *tmpfile64(void) { return tmpfile(); }

/* ---- Who owns a file ---- */

/* A test may not give files away, whoever runs it. The models let it, so what the system only refuses
 * for want of a right, or of such a user, has happened. */
static int given_away(long result) {
  if (result == 0)
    return 0;
  return is_test_runner() || (errno != EPERM && errno != EINVAL) ? -1 : 0;
}

WEAK int chown(const char *path, uid_t user, gid_t group) {
  return given_away(syscall(SYS_chown, path, user, group));
}

WEAK int lchown(const char *path, uid_t user, gid_t group) {
  return given_away(syscall(SYS_lchown, path, user, group));
}

WEAK int fchown(int file, uid_t user, gid_t group) {
  return given_away(syscall(SYS_fchown, file, user, group));
}

WEAK int fchownat(int directory, const char *path, uid_t user, gid_t group, int flags) {
  return given_away(syscall(SYS_fchownat, directory, path, user, group, flags));
}
