// Structures of 1 to 16 bytes by value: every register class of the ABI.
// expect: result 2a000000000000000200000000000000300100000000000062000000000000000800000000000000fbffffffff000000000000000000084000000000000002c00000000000001c4000000000000008400a00000000000000000000000000e03f0000000065cdcd41000000000000044003000000020000006600000000000000
#include "out.h"

struct b1 { char a; };
struct b3 { char a[3]; };
struct b5 { char a; short b; char c; };
struct b7 { char a[7]; };
struct i2 { int a, b; };
struct li { long a; int b; };
struct f1 { float a; };
struct f2 { float a, b; };
struct f3 { float a, b, c; };
struct f4 { float a[4]; };
struct fi { float a; int b; };
struct df { double a; float b; };
struct id { int a; double b; };
struct dl { double a; long b; };
struct c16 { char a[16]; };

static struct b1 mb1(struct b1 s) { s.a++; return s; }
static struct b3 mb3(struct b3 s) { s.a[2] ^= s.a[0]; return s; }
static struct b5 mb5(struct b5 s) { s.b = (short)(s.b + s.a + s.c); return s; }
static struct b7 mb7(struct b7 s) { s.a[6] += s.a[1]; return s; }
static struct i2 mi2(struct i2 s) { return (struct i2){s.b, s.a}; }
static struct li mli(struct li s) { s.a -= s.b; return s; }
static struct f1 mf1(struct f1 s) { s.a *= 2; return s; }
static struct f2 mf2(struct f2 s) { return (struct f2){s.b, s.a}; }
static struct f3 mf3(struct f3 s) { s.c += s.a * s.b; return s; }
static struct f4 mf4(struct f4 s) { s.a[3] -= s.a[0]; return s; }
static struct fi mfi(struct fi s) { s.b += (int)s.a; return s; }
static struct df mdf(struct df s) { return (struct df){s.b, (float)s.a}; }
static struct id mid(struct id s) { s.b /= s.a; return s; }
static struct dl mdl(struct dl s) { s.b += (long)s.a; return s; }
static struct c16 mc16(struct c16 s) { s.a[15] = s.a[0]; return s; }

int main(void) {
    out((unsigned)mb1((struct b1){41}).a);
    out((unsigned)mb3((struct b3){{5, 6, 7}}).a[2]);
    out((unsigned)mb5((struct b5){1, 300, 3}).b);
    out((unsigned)mb7((struct b7){"abcdef"}).a[6]);
    out((unsigned)mi2((struct i2){7, 8}).a);
    out((unsigned long)mli((struct li){1L << 40, 5}).a);
    out_double(mf1((struct f1){1.5f}).a);
    out_double(mf2((struct f2){1.5f, -2.25f}).a);
    out_double(mf3((struct f3){1.5f, 2.0f, 4.0f}).c);
    out_double(mf4((struct f4){{1, 2, 3, 4}}).a[3]);
    out((unsigned)mfi((struct fi){9.9f, 1}).b);
    out_double(mdf((struct df){1e9, 0.5f}).a), out_double(mdf((struct df){1e9, 0.5f}).b);
    out_double(mid((struct id){4, 10}).b);
    out((unsigned long)mdl((struct dl){3.7, 1L << 33}).b);
    out((unsigned)mc16((struct c16){"fifteen letters"}).a[15]);
    return finish();
}
