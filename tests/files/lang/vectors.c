// GCC vector extensions: arithmetic, comparison, shuffles, element access, casts, by value.
// expect: result 0e0000001700000020000000290000000000000000000000ffffffffffffffffffffffffffffffff000000000000000010000000100000000c00000008000000fffffffffeffffff00000000ffffffff060000000500000004000000030000000100000002000000030000006300000001000000040000006300000001000000000000000000f43f00000000000020400000a03f00004040000070bf000000410000000000000000ffffffff000000005555555555550540fd01040000000000ebffffff0000000001000000030000000000000008000000020000000100000001000000000000000d0000000a0000000b0000008c0100001000000000000000
#include "out.h"

typedef int int4 __attribute__((vector_size(16)));
typedef unsigned uint4 __attribute__((vector_size(16)));
typedef float float4 __attribute__((vector_size(16)));
typedef double double2 __attribute__((vector_size(16)));
typedef unsigned char byte8 __attribute__((vector_size(8)));
typedef short short8 __attribute__((vector_size(16)));

static int4 axpy(int a, int4 x, int4 y) { return a * x + y; }
static void out4(int4 v) {
    out((unsigned)v[0] | (unsigned long long)(unsigned)v[1] << 32);
    out((unsigned)v[2] | (unsigned long long)(unsigned)v[3] << 32);
}

int main(void) {
    volatile int seed = 3;
    int4 a = {1, 2, seed, 4}, b = {4, 3, 2, 1};
    out4(axpy(10, a, b)), out4(a > b), out4((a == b) | (a < b)), out4(a << b), out4(-a % 3), out4(~a & 7);
    a[seed] = 99;
    out4(a), out4(__builtin_shufflevector(a, b, 0, 4, 3, 7));
    float4 f = {1.5f, -2.0f, 0.25f, (float)seed};
    f = f * f - 1;
    out_double(f[0]), out_double(f[3]), out4((int4)f), out4(f < 0.5f);
    double2 d = {1.0 / seed, 2};
    d += d;
    out_double(d[0] * d[1]);
    byte8 bytes = {250, 251, 252, 253, 254, 255, 0, 1};
    bytes += 3;
    out(bytes[0] + bytes[4] * 256u + bytes[7] * 65536u);
    short8 s = {-1, 2, -3, 4};
    s = s >> 1;
    out((unsigned)(s[0] + s[2] * 10 + s[7]));
    out4(__builtin_convertvector(f, int4)), out4((int4)((uint4)b >> 1));
    int4 sum = {0};
    for (int i = 0; i < 4; i++)
        sum += ((a > i) & a) | (~(a > i) & b);
    out4(sum), out(sizeof sum);
    return finish();
}
