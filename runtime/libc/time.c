/* time.c: the clock, which stands still or is an input (../clock.h), and calendar times. The time
 * zone is UTC. */
#include "calendar.h"

#define ASSUMED(value) labrys_assumed(value, LIMIT_SYM_TIME)
#include "../clock.h"

int snprintf(char *restrict to, size_t room, const char *restrict format, ...);

void labrys_symbolic_clock(void) { clock_is_symbolic = 1; }

/* ---- Looking at the clock ---- */

struct timespec {
  long tv_sec, tv_nsec;
};

struct timeval {
  long tv_sec, tv_usec;
};

WEAK long time(long *place) {
  long now = clock_now();
  if (place != NULL)
    *place = now;
  return now;
}

WEAK int clock_gettime(int number, struct timespec *to) {
  if ((unsigned)number > 11) {
    *__errno_location() = EINVAL;
    return -1;
  }
  to->tv_sec = clock_of(number, &to->tv_nsec);
  return 0;
}

WEAK int clock_getres(int number, struct timespec *to) {
  if ((unsigned)number > 11) {
    *__errno_location() = EINVAL;
    return -1;
  }
  if (to != NULL) {
    to->tv_sec = 0;
    to->tv_nsec = labrys_assumed(1, "environment: machine");
  }
  return 0;
}

WEAK int timespec_get(struct timespec *to, int base) {
  if (base != 1)
    return 0;
  to->tv_sec = clock_of(0, &to->tv_nsec);
  return base;
}

WEAK int gettimeofday(struct timeval *to, void *zone) {
  long nanoseconds;
  if (zone != NULL)
    __builtin_memset(zone, 0, 8);
  if (to != NULL) {
    to->tv_sec = clock_of(0, &nanoseconds);
    to->tv_usec = nanoseconds / 1000;
  }
  return 0;
}

/* The program has used no processor time yet. */
WEAK long clock(void) { return ASSUMED(0); }

struct tms {
  long tms_utime, tms_stime, tms_cutime, tms_cstime;
};

WEAK long times(struct tms *to) {
  if (to != NULL)
    to->tms_utime = to->tms_stime = to->tms_cutime = to->tms_cstime = ASSUMED(0);
  return ASSUMED(FIXED_UPTIME * 100);
}

WEAK double difftime(long end, long start) {
  unsigned long difference = (unsigned long)end - (unsigned long)start;
  return end >= start ? (double)difference : -(double)(0 - difference);
}

/* ---- Waiting takes no time ---- */

static int slept(const struct timespec *amount, struct timespec *rest) {
  if (amount->tv_sec < 0 || (unsigned long)amount->tv_nsec >= 1000000000)
    return EINVAL;
  if (rest != NULL)
    rest->tv_sec = rest->tv_nsec = 0;
  return 0;
}

WEAK int nanosleep(const struct timespec *amount, struct timespec *rest) {
  int error = slept(amount, rest);
  if (error == 0)
    return 0;
  *__errno_location() = error;
  return -1;
}

WEAK int clock_nanosleep(int number, int flags, const struct timespec *amount,
                         struct timespec *rest) {
  (void)number, (void)flags;
  return slept(amount, rest);
}

WEAK unsigned sleep(unsigned seconds) {
  (void)seconds;
  return 0;
}

WEAK int usleep(unsigned microseconds) {
  (void)microseconds;
  return 0;
}

WEAK unsigned alarm(unsigned seconds) {
  (void)seconds;
  return 0;
}

WEAK unsigned ualarm(unsigned first, unsigned then) {
  (void)first, (void)then;
  return 0;
}

WEAK int setitimer(int which, const void *value, void *old) {
  (void)which, (void)value;
  if (old != NULL)
    __builtin_memset(old, 0, 2 * sizeof(struct timeval));
  return 0;
}

WEAK int getitimer(int which, void *value) {
  (void)which;
  __builtin_memset(value, 0, 2 * sizeof(struct timeval));
  labrys_assumed_bytes(value, 2 * sizeof(struct timeval), "environment: signals");
  return 0;
}

/* ---- Time zones: UTC, which is one of many ---- */

#define ZONE "environment: time zone"

WEAK char *tzname[2] = {"UTC", "UTC"};
WEAK char *__tzname[2] = {"UTC", "UTC"};
WEAK long timezone;
WEAK long __timezone;
WEAK int daylight;
WEAK int __daylight;

WEAK void tzset(void) {
  tzname[0] = (char *)labrys_assumed((long)"UTC", ZONE);
  tzname[1] = (char *)labrys_assumed((long)"UTC", ZONE);
  timezone = labrys_assumed(0, ZONE);
  daylight = (int)labrys_assumed(0, ZONE);
}

WEAK void __tzset(void) { tzset(); }

/* ---- Calendar times ---- */

/* Days since 1970 of a day, which may be outside of its month; months count from 0. The years
 * start in March, so that a leap day is the last of its year. */
static long days_of(long year, long month, long day) {
  long shifted, era, of_era, march;
  year += month / 12;
  month %= 12;
  if (month < 0) {
    month += 12;
    year--;
  }
  shifted = year - (month < 2);
  march = month < 2 ? month + 10 : month - 2;
  era = (shifted >= 0 ? shifted : shifted - 399) / 400;
  of_era = shifted - era * 400;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + (153 * march + 2) / 5 + day -
         1 - 719468;
}

/* Without branches, so that a time that is an input costs no path. */
static void split_days(struct tm *to, long days) {
  long shifted = days + 719468;
  long era = (shifted - 146096 * (shifted < 0)) / 146097;
  long of_era = shifted - era * 146097;
  long year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  long of_year = of_era - (365 * year + year / 4 - year / 100);
  long march = (5 * of_year + 2) / 153;
  int is_early = march >= 10, is_leap;
  long civil = year + era * 400 + is_early, weekday = (days + 4) % 7;
  is_leap = ((civil % 4 == 0) & (civil % 100 != 0)) | (civil % 400 == 0);
  to->tm_mday = (int)(of_year - (153 * march + 2) / 5 + 1);
  to->tm_mon = (int)(march + 2 - 12 * is_early);
  to->tm_year = (int)(civil - 1900);
  to->tm_yday = (int)(of_year + 59 + is_leap - (365 + is_leap) * is_early);
  to->tm_wday = (int)(weekday + 7 * (weekday < 0));
}

static struct tm *split_time(const long *place, struct tm *to) {
  long seconds = *place, of_day = seconds % 86400, days;
  of_day += 86400 * (of_day < 0);
  days = (seconds - of_day) / 86400;
  split_days(to, days);
  to->tm_hour = (int)(of_day / 3600);
  to->tm_min = (int)(of_day / 60 % 60);
  to->tm_sec = (int)(of_day % 60);
  to->tm_isdst = 0;
  to->tm_gmtoff = 0;
  return to;
}

static int is_too_large(long seconds) {
  return (seconds > 67768036191676799) | (seconds < -67768040609740800);
}

static struct tm *broken_down(const long *place, struct tm *to, const char *zone) {
  if (is_too_large(*place)) {
    *__errno_location() = 75; /* EOVERFLOW */
    return NULL;
  }
  split_time(place, to);
  to->tm_zone = zone;
  return to;
}

static struct tm shared;

/* All that depends on the time zone. */
static struct tm *local(struct tm *to) {
  int *fields[] = {&to->tm_min,  &to->tm_hour, &to->tm_mday, &to->tm_mon,
                   &to->tm_year, &to->tm_wday, &to->tm_yday, &to->tm_isdst};
  size_t i;
  for (i = 0; i < sizeof fields / sizeof *fields; i++)
    *fields[i] = (int)labrys_assumed(*fields[i], ZONE);
  to->tm_gmtoff = labrys_assumed(0, ZONE);
  to->tm_zone = (const char *)labrys_assumed((long)"UTC", ZONE);
  return to;
}

WEAK struct tm *gmtime_r(const long *restrict place, struct tm *restrict to) {
  return broken_down(place, to, "GMT");
}

WEAK struct tm *localtime_r(const long *restrict place, struct tm *restrict to) {
  if (broken_down(place, to, "UTC") == NULL)
    return NULL;
  return local(to);
}

WEAK struct tm *gmtime(const long *place) { return gmtime_r(place, &shared); }

WEAK struct tm *localtime(const long *place) { return localtime_r(place, &shared); }

/* Fields may be out of their range; they are brought into it. */
static long joined(struct tm *time, const char *zone) {
  long seconds = days_of(time->tm_year + 1900L, time->tm_mon, time->tm_mday) * 86400 +
                 time->tm_hour * 3600L + time->tm_min * 60L + time->tm_sec;
  if (is_too_large(seconds)) {
    *__errno_location() = 75;
    return -1;
  }
  split_time(&seconds, time);
  time->tm_zone = zone;
  return seconds;
}

WEAK long mktime(struct tm *time) {
  long seconds = labrys_assumed(joined(time, "UTC"), ZONE);
  local(time);
  return seconds;
}

WEAK long timelocal(struct tm *time) { return mktime(time); }

WEAK long timegm(struct tm *time) { return joined(time, "GMT"); }

WEAK int dysize(int year) {
  return 365 + (((year % 4 == 0) & (year % 100 != 0)) | (year % 400 == 0));
}

/* ---- Fixed texts ---- */

WEAK char *asctime_r(const struct tm *restrict time, char *restrict to) {
  int has_day = (unsigned)time->tm_wday < 7, has_month = (unsigned)time->tm_mon < 12;
  snprintf(to, 26, "%.3s %.3s%3d %.2d:%.2d:%.2d %d\n",
           has_day ? labrys_day_names[time->tm_wday] : "???",
           has_month ? labrys_month_names[time->tm_mon] : "???", time->tm_mday, time->tm_hour,
           time->tm_min, time->tm_sec, 1900 + time->tm_year);
  return to;
}

WEAK char *asctime(const struct tm *time) {
  static char text[64];
  return asctime_r(time, text);
}

WEAK char *ctime_r(const long *restrict place, char *restrict to) {
  struct tm time;
  return localtime_r(place, &time) != NULL ? asctime_r(&time, to) : NULL;
}

WEAK char *ctime(const long *place) {
  struct tm *time = localtime(place);
  return time != NULL ? asctime(time) : NULL;
}
