// Inline assembly of the kind that byte order and rotation macros have.
// expect: result 5566778800000000112233445566778877880000000000007788000000000000bdbc33ab00000000148899aa000000001e00000000000000
#include "out.h"
#include <stdint.h>

static uint32_t swap4(uint32_t x) {
    __asm__("bswap %0" : "=r"(x) : "0"(x));
    return x;
}

static uint64_t swap8(uint64_t x) {
    __asm__("bswapq %0" : "+r"(x));
    return x;
}

static uint16_t swap2(uint16_t x) {
    __asm__("rorw $8, %w0" : "+r"(x) : : "cc");
    return x;
}

static uint16_t exchange(uint16_t x) {
    __asm__("xchgb %b0,%h0" : "=Q"(x) : "0"(x));
    return x;
}

static uint32_t rotate(uint32_t x) {
    __asm__("roll $3, %0; xorl $0xff, %0" : "+r"(x) : : "cc");
    return x;
}

static uint32_t sum(uint32_t x, uint32_t y) {
    __asm__("addl %1, %0\n\tnotl %0" : "+r"(x) : "r"(y) : "cc");
    return x;
}

static uint32_t highest(uint32_t x) {
    uint32_t place;
    __asm__("bsrl %1, %0" : "=r"(place) : "r"(x) : "cc");
    return place;
}

int main(void) {
    volatile uint64_t x = 0x1122334455667788;
    out(swap4((uint32_t)x)), out(swap8(x)), out(swap2((uint16_t)x)), out(exchange((uint16_t)x));
    out(rotate((uint32_t)x)), out(sum((uint32_t)x, 99)), out(highest((uint32_t)x));
    __asm__ volatile("" : : : "memory");
    return finish();
}
