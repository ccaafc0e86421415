/* clock.h: the clock that a run sees. The same text is part of the engine's library models
 * (libc/time.c) and of the native replay (overrides.c), so that both see the same.
 *
 * The clock stands still, unless labrys_symbolic_clock was called: then each look at it is an
 * input, and no look shows less than the one before. */
#ifndef LABRYS_CLOCK_H
#define LABRYS_CLOCK_H

#include "machine.h"

unsigned int labrys_uint(const char *name);
void labrys_assume(int condition);

/* What is returned although it might be otherwise. */
#ifndef ASSUMED
#define ASSUMED(value) (value)
#endif

static int clock_is_symbolic;
static long clock_seconds;
static long clock_nanoseconds;

/* Seconds since 1970. */
static long clock_now(void) {
  unsigned passed;
  if (!clock_is_symbolic)
    return ASSUMED(FIXED_SECONDS);
  passed = labrys_uint("clock");
  clock_seconds += passed;
  clock_nanoseconds = passed != 0 ? 0 : clock_nanoseconds;
  return clock_seconds;
}

/* The same with nanoseconds. */
static long clock_exact(long *nanoseconds) {
  unsigned passed, fraction;
  if (!clock_is_symbolic) {
    *nanoseconds = ASSUMED(0);
    return ASSUMED(FIXED_SECONDS);
  }
  passed = labrys_uint("clock");
  fraction = labrys_uint("clock nanoseconds");
  labrys_assume((fraction < 1000000000) & ((passed != 0) | ((long)fraction >= clock_nanoseconds)));
  clock_seconds += passed;
  clock_nanoseconds = *nanoseconds = (long)fraction;
  return clock_seconds;
}

/* A clock of that number: 0 is the time of day, 5 and 11 are like it, others count from the
 * start of the machine or of the program. */
static long clock_of(int number, long *nanoseconds) {
  if (clock_is_symbolic || number == 0 || number == 5 || number == 11)
    return clock_exact(nanoseconds);
  *nanoseconds = ASSUMED(0);
  return ASSUMED(number == 2 || number == 3 ? 0 : FIXED_UPTIME);
}

#endif
