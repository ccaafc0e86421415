// Interpreter speed: fifty million turns of integer work without memory.
// expect: result c6ed4591c3be0000
// expect: short 7b8b76a6e8010000
#include "labrys.h"
#include <stdint.h>

#ifdef SHORT
enum { TURNS = 500000 };
#else
enum { TURNS = 50000000 };
#endif

int main(void) {
    uint64_t x = 88172645463325252ULL, sum = 0;
    uint32_t lcg = 12345;
    for (uint32_t i = 0; i < TURNS; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        lcg = lcg * 1664525u + 1013904223u;
        if (lcg & 1u << 20)
            sum += x >> 40;
        else
            sum ^= i;
    }
    labrys_output("result", &sum, sizeof sum);
    return 0;
}
