/* Every mutation operator on expressions of many types and with side effects. Each function is
 * called with many arguments; what it returns is printed. */
#include <stdbool.h>
#include <stdio.h>

#define abs(x) (__extension__({ __auto_type value = +(x); value < 0 ? -value : value; }))

static int calls;
static int count(int x) { calls++; return x + calls; }
static int *numbered(void) {
  static int room[256];
  for (int i = 0; i < 256; i++) room[i] = i * i % 17;
  return room + 128;
}
static struct { unsigned narrow : 5; signed int sign : 4; } bits;

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
  int x = a, y = b, *p = &x;
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
//: end

int main(void) {
  for (int a = -3; a <= 4; a++)
    for (int b = -3; b <= 4; b++)
      printf("%d ", SUBJECT(a, b)), calls = 0;
  return 0;
}
