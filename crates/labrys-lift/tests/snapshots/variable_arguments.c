#include <stdarg.h>
struct big { long a, b, c; };
struct small { int x; float y; };
int take(int n, ...);
int give(struct big *b, struct small s, char c, float f, long double l) {
  return take(1, c, f, *b, l, s) + take(2);
}
long second(int n, ...) {
  va_list list, copy;
  va_start(list, n);
  va_copy(copy, list);
  long v = va_arg(copy, long);
  va_end(copy);
  va_end(list);
  return v;
}
