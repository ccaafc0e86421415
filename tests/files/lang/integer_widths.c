// Integers of every standard width: arithmetic, wrap-around, limits.
// expect: result 80ffffffffffffffff000000000000008080ffffffffffffff0200000000000005000080fffffffff9ffffff000000005b5f5e2acc4bb22aa4a0a1d533b44dd500000000000000007f000000000000001302000000000000edfdffffffffffff0000000000000000000000ffffffffffffffff0100000000e62559150000000000801434b47a86b6ffffffffffffff7f7f00000000000000
#include "out.h"
#include <limits.h>
#include <stdint.h>

int main(void) {
    int8_t a = INT8_MIN;
    uint8_t b = UINT8_MAX;
    int16_t c = (int16_t)(a * b);
    uint16_t d = (uint16_t)(b * b * b);
    int32_t e = c;
    e = (int32_t)((uint32_t)INT32_MIN + 5u);
    uint32_t f = UINT32_MAX * 7u;
    int64_t g = INT64_MAX / 3 - (int64_t)e * 1000003;
    uint64_t h = UINT64_MAX - (uint64_t)g;
    out((uint64_t)a), out(b), out((uint64_t)c), out(d), out((uint64_t)e), out(f), out((uint64_t)g), out(h);
    b++;
    a--;
    out(b), out((uint64_t)a);
    out((uint64_t)(g % 1000)), out((uint64_t)(-g % 1000)), out(h / 10 % 7);
    out((uint64_t)(e >> 7)), out(f >> 7), out((uint64_t)(g >> 33)), out(h << 13);
    out((uint64_t)LONG_MAX), out((uint64_t)(SCHAR_MIN + UCHAR_MAX));
    return finish();
}
