/* time.c: calendar times, as the host has them for UTC. */
#include "check.h"
#include <time.h>

MODEL(gmtime_r); MODEL(localtime_r); MODEL(mktime); MODEL(timegm); MODEL(strftime); MODEL(asctime_r);
MODEL(ctime_r); MODEL(difftime); MODEL(time); MODEL(clock_gettime);

static int same_time(const struct tm *a, const struct tm *b) {
  return a->tm_sec == b->tm_sec && a->tm_min == b->tm_min && a->tm_hour == b->tm_hour &&
         a->tm_mday == b->tm_mday && a->tm_mon == b->tm_mon && a->tm_year == b->tm_year &&
         a->tm_wday == b->tm_wday && a->tm_yday == b->tm_yday && a->tm_isdst == b->tm_isdst &&
         a->tm_gmtoff == b->tm_gmtoff && strcmp(a->tm_zone, b->tm_zone) == 0;
}

static const char *const conversions[] = {
    "%a", "%A", "%b", "%B", "%c", "%C", "%d", "%D", "%e", "%F", "%g", "%G", "%h", "%H", "%I", "%j", "%k", "%l", "%m",
    "%M", "%n", "%p", "%P", "%r", "%R", "%s", "%S", "%t", "%T", "%u", "%U", "%V", "%w", "%W", "%x", "%X", "%y", "%Y",
    "%z", "%Z", "%%", "%-d", "%_d", "%5d", "%_5d", "%05e", "%^a", "%#a", "%#p", "%#Z", "%10A", "%-5H", "%_H", "%Ey", "%Od", "%8F",
    "%Q", "%-j", "%_j", "%3y", "%-y", "%012Y", "%_12c"};

void check_time(void) {
  struct tm a, b;
  char left[128], right[128], form[40];
  long when = (long)any() >> (below(2) ? 20 + below(10) : 30 + below(10)), x, y;
  size_t room = below(5) ? sizeof left : below(20);
  if (below(8) == 0)
    when = (long)any();
  errno = *model___errno_location() = 0;
  {
    struct tm *p = model_gmtime_r(&when, &a), *q = gmtime_r(&when, &b);
    CHECK((p == NULL) == (q == NULL) && (p == NULL || same_time(p, q)), "gmtime of %ld", when);
    CHECK(*model___errno_location() == errno, "errno of gmtime");
    if (p == NULL || q == NULL)
      return;
  }
  model_localtime_r(&when, &a), localtime_r(&when, &b);
  CHECK(same_time(&a, &b), "localtime of %ld: %s %s", when, a.tm_zone, b.tm_zone);
  CHECK(model_timegm(&a) == timegm(&b), "timegm of %ld", when);
  sprintf(form, "<%s %s>", conversions[below(sizeof conversions / sizeof *conversions)],
          conversions[below(sizeof conversions / sizeof *conversions)]);
  memset(left, '?', sizeof left);
  memset(right, '?', sizeof right);
  a = b;
  x = (long)model_strftime(left, room, form, &a);
  y = (long)strftime(right, room, form, &b);
  CHECK(x == y && (x == 0 || strcmp(left, right) == 0), "strftime(%zu, \"%s\") of %ld: %ld '%.*s', %ld '%.*s'", room, form, when, x,
        (int)x, left, y, (int)y, right);
  if (a.tm_year < 8000 && a.tm_year > -2900) {
    CHECK(strcmp(model_asctime_r(&a, left), asctime_r(&b, right)) == 0, "asctime of %ld", when);
    CHECK(strcmp(model_ctime_r(&when, left), ctime_r(&when, right)) == 0, "ctime of %ld", when);
  }
  a.tm_mon += (int)below(60) - 30;
  a.tm_mday += (int)below(900) - 400;
  a.tm_hour += (int)below(200) - 100;
  a.tm_sec += (int)below(20000) - 10000;
  b = a;
  CHECK(model_mktime(&a) == mktime(&b), "mktime");
  CHECK(same_time(&a, &b), "mktime's fields %ld", when);
  CHECK(model_difftime(when, 7) == difftime(when, 7), "difftime");
  CHECK(model_time(NULL) == 1700000000, "time stands still");
}
