/* Every mutation operator on expressions of many types and with side effects. Each function is
 * called with many arguments; what it returns is printed. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

#define abs(x) (__extension__({ __auto_type value = +(x); value < 0 ? -value : value; }))

static int calls;
static int count(int x) { calls++; return x + calls; }
static int *numbered(void) {
  static int room[256];
  for (int i = 0; i < 256; i++) room[i] = i * i % 17;
  return room + 128;
}
static struct { unsigned narrow : 5; signed int sign : 4; } bits;

/* Ends most endless loops. */
static int ticks;
static int tick(void) {
  if (++ticks > 300) exit(9);
  return 1;
}
static long seen;
static void see(int x, int y) { seen = seen * 7 + x * 3 + y; }
static int minus(int x, int y) { return x - y; }
static unsigned char low(int x) { return x; }
static char *texts(int x) {
  static char words[8][8] = {"one", "two", "three", "four", "five", "six", "seven", "eight"};
  return words[x & 3];
}
static struct pair { int first, second; long wide; int third; unsigned small : 4, tiny : 4; } three[3];
static double real(double x, double y) { return x / (y * y + 1); }
enum colour { RED, GREEN, BLUE };

//: numbers
int numbers(int a, int b) {
  short s = a * 3;
  unsigned u = b;
  long wide = a - b;
  char c = s;
  if (b == 0 || a <= -2)
    return c;
  s = wide << 2;
  u = u >> 1;
  return c + s / b % 5 - (int)(u & 7) + (int)(wide ^ a);
}
//: effects
int effects(int a, int b) {
  int x = a, y = b, *p = numbered();
  y = count(x++) - y;
  x += count(a) * 2;
  y <<= 1;
  (*p)--;
  x = (y > a && count(b) < 9) || !(b - 1 && a);
  y -= x ? count(1) : *p++ + 4;
  return x * 100 + y + calls;
}
//: fields
int fields(int a, int b) {
  double d = a * 0.5, e = b;
  float f = d;
  unsigned char byte = a + 200;
  bits.narrow = a;
  bits.sign = b;
  bits.narrow += 3;
  bits.sign = bits.narrow - bits.sign;
  if (d < e || f == 1.5f)
    byte = byte | 1;
  d = e + f;
  e /= 2;
  return bits.narrow * 10 + bits.sign + byte + (d > e) + (int)d;
}
//: pointers
int pointers(int a, int b) {
  int *array = numbered(), *p = array + 3, *q = p;
  p = p + (a & 3);
  q -= b & 1;
  array[(a + 1) & 7] = b;
  return (p > q) * 100 + (p - q) * 10 + *q + array[b & 7] + (p != 0);
}
//: loops
int loops(int a, int b) {
  int sum = 0, i = 0;
  for (i = 0; tick() && i < 6; i++) { if (i == (a & 3)) continue; if (i > (b & 7)) break; sum += i; }
  while (tick() && sum > 3) { sum -= 2; if (sum == b) break; }
  do { sum++; if (a & 1) { see(sum, a); break; } } while (tick() && sum < b);
  for (int j = 0; tick() && j < 3; ++j) for (int k = 0; k < 2 && tick(); k++) { if (k == a) continue; sum = sum * 2 + k; }
  if (a > b) { sum++; see(1, 2); } else { sum--; see(b, 1); }
  return sum + (int)(seen % 100);
}
//: jumps
int jumps(int a, int b) {
  int r = a;
  if (a == b) goto end;
  if (!a) return 5;
  if (a > 2) if (b > 2) r = 7; else r = 9;
  r *= 2;
  if (b < 0) { see(a, b); return r; }
  for (;;) { if (r > 4 || !tick()) goto end; r += 3; see(r, 1); }
end:
  see(r, b);
  return r + (int)(seen % 50);
}
//: switched
int switched(int a, int b) {
  int r = b;
  switch (a) { case -1: r = 4; break; case 0: case 1: r += 2; case 2: r++; break; case 3: { see(a, b); r = 8; break; } default: r = 1; }
  for (int i = 0; i < 3 && tick(); i++) switch (i + b) { case 0: continue; case 1: r += 5; break; case 2: r += 7; }
  switch ((char)b) { case 1: return 3; case 2: r--; break; default: break; }
  switch (a + 300L) { case 300: r ^= 1; break; case 301: r ^= 2; }
  return r;
}
//: returned
int returned(int a, int b) {
  if (a == 0)
    return b + 1;
  if (b == 0)
    return 7;
  if (a < 0)
    return a;
  return minus(a, b) * 3;
}
//: called
int called(int a, int b) {
  unsigned char byte = low(a + 250);
  see(a, b);
  int r = minus(a, minus(b, 1)) + byte;
  char *text = texts(a + 4);
  if (text)
    r += text[1];
  double d = real(a, b);
  long wide = minus(b, a) > 0 ? seen : 1;
  count(b);
  (void)count(a);
  return r + (int)(d * 10) + (int)(wide % 9) + calls;
}
//: unary
int unary(int a, int b) {
  int x = -a, y = ~b, z = 3;
  long wide = -(long)a;
  double d = -1.5 * a;
  bool no = !a, yes = !(a - b);
  int both = x++ + --y;
  z--;
  ++x;
  int old = z++ * 2 - b;
  short s = -x;
  if (!no || !b)
    z = !wide + !d;
  return both + old + x * y + z + s + (int)wide + (int)d + yes;
}
//: arrays
int arrays(int a, int b) {
  int *room = numbered(), *p = room + 20, i = (a & 3) + 10;
  room[i] = b;
  p[(b & 3) + 1] += room[i] - room[12];
  p[-1] = a;
  int *q = p;
  q = q + 1;
  int r = *q + room[i - 1] + p[b & 1];
  r += *q++;
  r -= *--q;
  *q = r;
  char *text = texts(a);
  const char *c = text;
  r += *text + *++c;
  return r + room[11] * 3 + *p + (p != q);
}
//: members
int members(int a, int b) {
  struct pair s = {a, b, 5, 7, 3, 4}, t = {1, 2, 3, 4, 5, 6}, *p = three + 1;
  *p = t;
  s.first = s.second + p->third;
  p->second = s.third - a;
  s.wide = p->wide;
  s.small = b;
  p->first += s.tiny;
  int r = s.first * 2 + p->second * 3 + p->first * 5;
  return r + s.third + (int)s.wide + s.small + t.tiny;
}
//: casts
int casts(int a, int b) {
  unsigned u = (unsigned)a / 3 + 1;
  long wide = (long)a * 2000000000 + (char)(b * 100);
  double half = (double)a / 4;
  int r = (unsigned)a < (unsigned)b;
  r += (signed char)(a * 70) >> 1;
  r += (int)(half * 2.5) + (int)half;
  if ((unsigned)b > 3 && (float)a > half)
    r += (unsigned char)(a - b);
  return r + (int)(u % 1000) + (int)(wide % 1000);
}
//: assigned
int assigned(int a, int b) {
  int x = 4, y = b;
  float f = 2;
  unsigned char byte = 9;
  x = a;
  y += x;
  y *= 3;
  x <<= 2;
  x |= b & 5;
  f = a * 0.5f;
  f /= 4;
  byte = a + b;
  byte ^= 3;
  int last = x = y - byte;
  return x + y + (int)(f * 8) + byte + last;
}
//: colours
int colours(int a, int b) {
  enum colour c = a & 1 ? BLUE : RED, d = GREEN;
  bool flag = b > a, other = false;
  if (c == d || flag)
    c = d;
  if (flag && !other)
    d = c;
  unsigned u = a, v = b;
  if (u & v)
    u = u << 1 | v >> 1;
  return c * 100 + d * 10 + flag + (int)u;
}
//: end

/* An endless loop ends after 20 ms of work; what ends takes less than 4. */
int main(void) {
  struct itimerval limit = {.it_value = {.tv_usec = 20000}};
  setitimer(ITIMER_VIRTUAL, &limit, NULL);
  for (int a = -3; a <= 4; a++)
    for (int b = -3; b <= 4; b++)
      printf("%d ", SUBJECT(a, b)), calls = ticks = seen = 0;
  return 0;
}
