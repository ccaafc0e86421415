/* calendar.h: what the functions on calendar times share. */
#ifndef LABRYS_LIBC_CALENDAR_H
#define LABRYS_LIBC_CALENDAR_H

#include "engine.h"

struct tm {
  int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
  long tm_gmtoff;
  const char *tm_zone;
};

extern const char *const labrys_day_names[7];
extern const char *const labrys_month_names[12];

long timegm(struct tm *time);

#endif
