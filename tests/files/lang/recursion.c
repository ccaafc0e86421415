// Recursion: Ackermann, Hanoi, mutual, through a pointer, with large frames.
// expect: result 11000000000000007d00000000000000ff0300000000000000000000000000000400000000000000d305000000000000
#include "out.h"

static unsigned ackermann(unsigned m, unsigned n) {
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
static int hanoi(int n, int from, int to) {
    return n == 0 ? 0 : hanoi(n - 1, from, 6 - from - to) + 1 + hanoi(n - 1, 6 - from - to, to);
}
static int even(int n);
static int odd(int n) { return n ? even(n - 1) : 0; }
static int even(int n) { return n ? odd(n - 1) : 1; }
static int queens(int row, unsigned columns, unsigned left, unsigned right, int n) {
    if (row == n)
        return 1;
    int found = 0;
    for (unsigned free = ~(columns | left | right) & ((1u << n) - 1); free; free &= free - 1) {
        unsigned bit = free & -free;
        found += queens(row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1, n);
    }
    return found;
}
static int deep(int n) {
    int local[16];
    for (int i = 0; i < 16; i++)
        local[i] = n + i;
    return n == 0 ? local[15] : deep(n - 1) + local[n & 15] - n;
}

int main(void) {
    out(ackermann(2, 7)), out(ackermann(3, 4)), out((unsigned)hanoi(10, 1, 3));
    out((unsigned)even(501)), out((unsigned)queens(0, 0, 0, 0, 6)), out((unsigned)deep(200));
    return finish();
}
