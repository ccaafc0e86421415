// Type punning through unions: bytes, halves and words of the same memory.
// expect: branches 14 feasible 12
// expect: paths 5
// expect: infeasible 24:51:true
// expect: infeasible 26:9:true
// expect: mcdc 24:9 ---
// expect: mcdc 28:9 UU
#include "labrys.h"
#include <stdint.h>

union word {
    uint32_t all;
    uint16_t half[2];
    uint8_t byte[4];
    struct { uint8_t tag, length; uint16_t body; } packet;
};

int main(void) {
    union word w = {.all = 0xcafe0000u};
    w.half[0] = labrys_ushort("half");
    int r = 0;
    if (w.all == 0xcafe1234u)
        r = 1;
    if (w.byte[0] == 0x34 && w.byte[1] == 0x12 && r != 1)
        r = 2;
    if (w.packet.body != 0xcafe)
        r = 3;
    if (w.packet.tag > 0xf0 && w.packet.length < 3)
        r += 10;
    return r;
}
