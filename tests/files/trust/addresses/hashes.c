// Hashes of addresses may be anything.
// arguments: --function hashes
#include <stdint.h>
static unsigned bucket(const void *p) { return (unsigned)(((uintptr_t)p >> 4) * 2654435761u) % 8; }
static int first;
int hashes(int x) {
    int local = x;
    if (bucket(&local) == 5) //@ true open, false open
        return 1;
    uintptr_t mixed = (uintptr_t)&first ^ (uintptr_t)&local;
    if (mixed & 64) //@ true open, false open
        return 2;
    return 0;
}
