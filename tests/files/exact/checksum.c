// A checksum and a CRC over three bytes; only some of them have the wanted sums.
// expect: branches 14 feasible 13
// expect: paths 256
// expect: infeasible 27:28:true
// expect: mcdc 27:9 --
#include "labrys.h"
#include <stdint.h>

static uint8_t crc8(const uint8_t *p, int n) {
    uint8_t crc = 0;
    for (int i = 0; i < n; i++) {
        crc ^= p[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 0x80 ? (uint8_t)(crc << 1 ^ 7) : (uint8_t)(crc << 1);
    }
    return crc;
}

int main(void) {
    uint8_t m[1];
    labrys_symbolic(m, sizeof m, "m");
    uint8_t sum = (uint8_t)~(m[0] + 0x5a);
    if (sum == 0x33)
        return 1;
    if (crc8(m, 1) == 0xab)
        return 2;
    if (crc8(m, 1) == 0 && m[0])
        return 3;
    return 0;
}
