// Interpreter speed: fifty million turns and more of memory work: a sieve, a CRC, a histogram.
// expect: result a0c097a1
// expect: short 2e957f82
#include "labrys.h"
#include <stdint.h>

#ifdef SHORT
enum { SIZE = 1 << 16, TURNS = 2 };
#else
enum { SIZE = 1 << 20, TURNS = 10 };
#endif
static unsigned char composite[SIZE];
static uint32_t crc_table[256], histogram[64];

static uint32_t sieve(void) {
    uint32_t primes = 0;
    for (uint32_t i = 0; i < SIZE; i++)
        composite[i] = i < 2;
    for (uint32_t i = 2; i < SIZE; i++) {
        if (composite[i])
            continue;
        primes++;
        for (uint32_t j = i + i; j < SIZE; j += i)
            composite[j] = 1;
    }
    return primes;
}

static uint32_t crc(void) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int bit = 0; bit < 8; bit++)
            c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
        crc_table[i] = c;
    }
    uint32_t c = 0xffffffffu;
    for (uint32_t i = 0; i < SIZE; i++)
        c = c >> 8 ^ crc_table[(c ^ composite[i]) & 255];
    return ~c;
}

int main(void) {
    uint32_t r = 0;
    for (int turn = 0; turn < TURNS; turn++) {
        r = r * 31 + sieve();
        r = r * 31 + crc();
        for (uint32_t i = 0; i < SIZE; i++)
            histogram[(i * 2654435761u >> 26) ^ composite[i]] += i;
    }
    for (int i = 0; i < 64; i++)
        r = r * 33 + histogram[i];
    labrys_output("result", &r, sizeof r);
    return 0;
}
