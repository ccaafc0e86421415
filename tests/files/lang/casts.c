// Casts among integers, floats, pointers, enumerations and void.
// expect: result ff0dfad500000000ff0d000000000000ff00000000000000010000000000000000e40b5402000000040000010000000001000000000000000000000000000000000000000000194000000060fb210940010000000000000000000000000000000100000000000000ff00000000000000ff000000000000000d000000000000007f000000000000000000e0ffffffef41000000000000f0430080c6a47e8d0300
#include "out.h"
#include <stdint.h>

struct base { int kind; };
struct derived { struct base b; double extra; };

static double extra(struct base *b) { return b->kind == 2 ? ((struct derived *)b)->extra : -1; }

int main(void) {
    volatile double d = 1e10;
    volatile long long big = -5000000001LL;
    out((unsigned)(int)big), out((unsigned)(short)big), out((unsigned char)big), out((long long)(float)big != big);
    out((unsigned long long)d), out((unsigned)(int)(float)16777219), out((_Bool)0.1), out((_Bool)(int)0.1);
    struct derived x = {{2}, 6.25};
    struct base *b = (struct base *)&x;
    out_double(extra(b));
    uint32_t bits = 0x40490fdb;
    float f;
    memcpy(&f, &bits, sizeof f);
    out_double(f);
    uint64_t packed = (uint64_t)(uintptr_t)b;
    out(((struct base *)(uintptr_t)packed)->kind == 2), out((uintptr_t)(void *)0), out((unsigned)(enum { A, B })1);
    (void)big;
    unsigned char *raw = (unsigned char *)&big;
    out(raw[0]), out(raw[7]), out((unsigned)(int8_t)raw[1]), out((unsigned long long)(signed char)(unsigned char)(short)-129);
    out_double((double)(unsigned)-1), out_double((float)(unsigned long long)-1), out((uint64_t)(int64_t)(double)(int64_t)1e15);
    return finish();
}
