// Integer promotion traps: sign extension, mixed signs, char arithmetic, shifts of narrow types.
// expect: result 01000000000000002c0000000000000037ffffff000000001b000000000000009bffffff00000000000000000000000000000000000000000100000000000000010000000000000000000000000000000100000000000000c8ffffffffffffffffffffff00000000ffffffff00000000ff00000000000000040000000000000008000000000000000400000000000000ffffffff00000000ffffffffffffffffffffffff000000000f000000000000000100000000000000ffffffff00000000ffffffffffffffff2c00000000000000fdff0000000000007d000000000000000100000000000000010000000000000080ffffff000000000100000000000000010000000000000001000000000000000100000000000000
#include "out.h"
#include <stdint.h>

int main(void) {
    volatile unsigned char a = 200, b = 100;
    volatile signed char c = -1;
    volatile unsigned short s = 65535;
    volatile int i = -1;
    volatile unsigned u = 1;
    volatile long l = -1;
    out(a + b > 255), out((unsigned char)(a + b)), out((unsigned)~a), out((unsigned char)~a >> 1), out((unsigned)(~a >> 1));
    out(i < u), out(c < u), out(l < u), out(s == (unsigned short)c), out((int)s == c), out((unsigned)s * s == 0xfffe0001u);
    out((unsigned long long)(int8_t)a), out((uint32_t)c), out((uint64_t)(uint32_t)c), out((uint64_t)(uint8_t)c);
    out(sizeof(c + c)), out(sizeof(c + l)), out(sizeof(1 ? c : u)), out((unsigned long long)(1 ? i : u)), out((unsigned long long)(1 ? i : l));
    out((unsigned)(c >> 4)), out((unsigned)((unsigned char)c >> 4)), out((unsigned)(u - 2 > 0)), out((unsigned long long)(u - 2)), out((unsigned long long)(long)(int)(u - 2));
    a += b;
    s *= 3;
    c >>= 1;
    c -= 130;
    out(a), out(s), out((unsigned)c), out((unsigned)-(b - 101));
    char text = (char)0x80;
    out(text < 0), out((unsigned)text), out('\x80' == text), out(-1 > sizeof(int)), out(2147483648 > 0), out((unsigned)(0x80000000 > 0));
    return finish();
}
