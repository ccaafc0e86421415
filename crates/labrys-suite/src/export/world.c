/* ---- The world in which the tests were recorded ----
 *
 * The clock, the process and the machine are what they were then. Of these functions only those are
 * here that the tests name before they include this file. The linker knows them by their names, so
 * that no header is needed which the program may have hidden. */
#if defined(__ELF__) && defined(__linux__)
#define LABRYS_FIXED(type, name, parameters)                \
  type labrys_fixed_##name parameters __asm__(#name);       \
  __attribute__((weak)) type labrys_fixed_##name parameters

static int labrys_fail(int error) {
  errno = error;
  return -1;
}

struct labrys_time {
  long seconds, fraction;
};

void labrys_symbolic_clock(void);
void labrys_symbolic_clock(void) { labrys_clock_is_symbolic = 1; }

#ifdef LABRYS_FIX_time
LABRYS_FIXED(long, time, (long *place)) {
  long now = labrys_clock_now();
  if (place)
    *place = now;
  return now;
}
#endif

#ifdef LABRYS_FIX_clock_gettime
LABRYS_FIXED(int, clock_gettime, (int number, struct labrys_time *to)) {
  if ((unsigned)number > 11)
    return labrys_fail(EINVAL);
  to->seconds = labrys_clock_of(number, &to->fraction);
  return 0;
}
#endif

#ifdef LABRYS_FIX_clock_getres
LABRYS_FIXED(int, clock_getres, (int number, struct labrys_time *to)) {
  if ((unsigned)number > 11)
    return labrys_fail(EINVAL);
  if (to) {
    to->seconds = 0;
    to->fraction = 1;
  }
  return 0;
}
#endif

#ifdef LABRYS_FIX_timespec_get
LABRYS_FIXED(int, timespec_get, (struct labrys_time *to, int base)) {
  if (base == 1)
    to->seconds = labrys_clock_of(0, &to->fraction);
  return base == 1;
}
#endif

#ifdef LABRYS_FIX_gettimeofday
LABRYS_FIXED(int, gettimeofday, (struct labrys_time *to, void *zone)) {
  if (zone)
    memset(zone, 0, 2 * sizeof(int));
  if (to) {
    to->seconds = labrys_clock_of(0, &to->fraction);
    to->fraction /= 1000;
  }
  return 0;
}
#endif

#ifdef LABRYS_FIX_clock
LABRYS_FIXED(long, clock, (void)) { return 0; }
#endif

#ifdef LABRYS_FIX_times
LABRYS_FIXED(long, times, (void *to)) {
  if (to)
    memset(to, 0, 4 * sizeof(long));
  return LABRYS_FIXED_UPTIME * 100;
}
#endif

#ifdef LABRYS_FIX_getpid
LABRYS_FIXED(int, getpid, (void)) { return LABRYS_FIXED_PROCESS; }
#endif

#ifdef LABRYS_FIX_getppid
LABRYS_FIXED(int, getppid, (void)) { return LABRYS_FIXED_PARENT; }
#endif

#ifdef LABRYS_FIX_getpgrp
LABRYS_FIXED(int, getpgrp, (void)) { return LABRYS_FIXED_PROCESS; }
#endif

#ifdef LABRYS_FIX_gettid
LABRYS_FIXED(int, gettid, (void)) { return LABRYS_FIXED_PROCESS; }
#endif

#ifdef LABRYS_FIX_getpgid
LABRYS_FIXED(int, getpgid, (int of)) {
  return of == 0 || of == LABRYS_FIXED_PROCESS ? LABRYS_FIXED_PROCESS : labrys_fail(ESRCH);
}
#endif

#ifdef LABRYS_FIX_getsid
LABRYS_FIXED(int, getsid, (int of)) {
  return of == 0 || of == LABRYS_FIXED_PROCESS ? LABRYS_FIXED_PROCESS : labrys_fail(ESRCH);
}
#endif

#ifdef LABRYS_FIX_getuid
LABRYS_FIXED(unsigned, getuid, (void)) { return LABRYS_FIXED_USER; }
#endif

#ifdef LABRYS_FIX_geteuid
LABRYS_FIXED(unsigned, geteuid, (void)) { return LABRYS_FIXED_USER; }
#endif

#ifdef LABRYS_FIX_getgid
LABRYS_FIXED(unsigned, getgid, (void)) { return LABRYS_FIXED_USER; }
#endif

#ifdef LABRYS_FIX_getegid
LABRYS_FIXED(unsigned, getegid, (void)) { return LABRYS_FIXED_USER; }
#endif

#ifdef LABRYS_FIX_getgroups
LABRYS_FIXED(int, getgroups, (int room, unsigned *to)) {
  (void)room, (void)to;
  return 0;
}
#endif

#ifdef LABRYS_FIX_getlogin
LABRYS_FIXED(char *, getlogin, (void)) {
  errno = ENXIO;
  return NULL;
}
#endif

#ifdef LABRYS_FIX_getpwnam
LABRYS_FIXED(void *, getpwnam, (const char *who)) { return (void)who, NULL; }
#endif

#ifdef LABRYS_FIX_getpwuid
LABRYS_FIXED(void *, getpwuid, (unsigned who)) { return (void)who, NULL; }
#endif

#ifdef LABRYS_FIX_getgrnam
LABRYS_FIXED(void *, getgrnam, (const char *who)) { return (void)who, NULL; }
#endif

#ifdef LABRYS_FIX_getgrgid
LABRYS_FIXED(void *, getgrgid, (unsigned who)) { return (void)who, NULL; }
#endif

/* A test may send signals to itself only. */
#ifdef LABRYS_FIX_kill
LABRYS_FIXED(int, kill, (int to, int number)) {
  if (to != LABRYS_FIXED_PROCESS && to != 0 && to != -LABRYS_FIXED_PROCESS)
    return labrys_fail(number < 0 || number > 64 ? EINVAL : ESRCH);
  return raise(number) == 0 ? 0 : -1;
}
#endif

#ifdef LABRYS_FIX_sleep
LABRYS_FIXED(unsigned, sleep, (unsigned seconds)) { return (void)seconds, 0; }
#endif

#ifdef LABRYS_FIX_usleep
LABRYS_FIXED(int, usleep, (unsigned microseconds)) { return (void)microseconds, 0; }
#endif

#ifdef LABRYS_FIX_nanosleep
LABRYS_FIXED(int, nanosleep, (const struct labrys_time *amount, struct labrys_time *rest)) {
  if (amount->seconds < 0 || (unsigned long)amount->fraction >= 1000000000)
    return labrys_fail(EINVAL);
  if (rest)
    rest->seconds = rest->fraction = 0;
  return 0;
}
#endif

#ifdef LABRYS_FIX_uname
LABRYS_FIXED(int, uname, (char to[6][65])) {
  memset(to, 0, 6 * 65);
  strcpy(to[0], "Linux");
  strcpy(to[1], LABRYS_FIXED_HOST);
  strcpy(to[2], "6.1.0");
  strcpy(to[3], "#1");
  strcpy(to[4], "x86_64");
  strcpy(to[5], "(none)");
  return 0;
}
#endif

#ifdef LABRYS_FIX_gethostname
LABRYS_FIXED(int, gethostname, (char *to, size_t room)) {
  size_t whole = sizeof LABRYS_FIXED_HOST;
  memcpy(to, LABRYS_FIXED_HOST, room < whole ? room : whole);
  return room < whole ? labrys_fail(ENAMETOOLONG) : 0;
}
#endif

#ifdef LABRYS_FIX_gethostid
LABRYS_FIXED(long, gethostid, (void)) { return 0; }
#endif

#ifdef LABRYS_FIX_get_nprocs
LABRYS_FIXED(int, get_nprocs, (void)) { return LABRYS_FIXED_PROCESSORS; }
#endif

#ifdef LABRYS_FIX_getrusage
LABRYS_FIXED(int, getrusage, (int who, void *to)) {
  (void)who;
  memset(to, 0, 18 * sizeof(long));
  return 0;
}
#endif
#endif
