// More bits than the alignment keeps free, in the forms that word loops, allocators and asserts use.
// arguments: --function words
#include <stdint.h>
int words(int *p, const char *s, unsigned n) {
    int r = 0;
    if (p == 0 || s == 0 || n > 4)
        return -1;
    if ((uintptr_t)s % 8 == 0) //@ true open, false open
        r |= 1;
    if (((uintptr_t)(p + n) & 15) == 0) //@ true open, false open
        r |= 2;
    if ((uintptr_t)s == (((uintptr_t)s + 7) & ~(uintptr_t)7)) //@ true open, false open
        r |= 4;
    int local[4] = {0};
    if (((unsigned)(uintptr_t)local & 0xff) == 0) //@ true open, false open
        r |= 8;
    return r;
}
