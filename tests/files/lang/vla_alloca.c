// Variable-length arrays of one and two dimensions, as parameters, in loops; alloca.
// expect: result 6e0000000000000064000000000000001400000000000000a000000000000000c4ef99000000000020ec583800000000170000000000000003000000000000002800000000000000
#include "out.h"

static int trace(int n, int m[n][n]) {
    int t = 0;
    for (int i = 0; i < n; i++)
        t += m[i][i];
    return t;
}
static unsigned fill(int n) {
    unsigned char *p = __builtin_alloca((size_t)n);
    unsigned s = 0;
    for (int i = 0; i < n; i++)
        p[i] = (unsigned char)(i * n);
    for (int i = 0; i < n; i++)
        s = s * 7 + p[i];
    return s;
}

int main(void) {
    volatile int n = 5;
    int m[n][n];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            m[i][j] = i * 10 + j;
    out((unsigned)trace(n, m)), out(sizeof m), out(sizeof m[0]);
    int side = 3;
    unsigned total = 0;
    while (side < 8) {
        char text[side++];
        memset(text, side, sizeof text);
        total += (unsigned)sizeof text * (unsigned)text[0];
    }
    out(total), out(fill(9)), out(fill(40));
    int (*heap)[n] = m;
    out((unsigned)heap[2][3]), out((unsigned)(&m[4] - &m[1]));
    typedef int row[n * 2];
    n = 1;
    out(sizeof(row));
    return finish();
}
