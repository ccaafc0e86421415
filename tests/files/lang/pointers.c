// Pointers to pointers, to arrays, to incomplete arrays; arithmetic, comparison, casts.
// expect: result 6b00000000000000a8000000000000000600000000000000080000000000000005000000000000000a00000000000000020000000000000000000000000000001c000000000000000c00000000000000030000000000000001000000000000000800000000000000010000000000000000000000000000000a00000000000000
#include "out.h"
#include <stdint.h>

static int table[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};

static int sum(int rows, int (*m)[4]) {
    int s = 0;
    for (int (*row)[4] = m; row < m + rows; row++)
        for (int *p = *row; p != *row + 4; p++)
            s += *p;
    return s;
}

int main(void) {
    int *p = &table[1][2], **pp = &p, ***ppp = &pp;
    ***ppp += 100;
    out((unsigned)table[1][2]), out((unsigned)sum(2, table + 1)), out((unsigned)(p - table[0]));
    (*pp)++;
    out((unsigned)*p), out((unsigned)p[-3]), out((unsigned)2[p]);
    char *bytes = (char *)table;
    out((unsigned char)bytes[4]), out((uintptr_t)p % sizeof(int)), out((unsigned)((char *)p - bytes));
    int (*whole)[3][4] = &table;
    out((unsigned)(*whole)[2][3]), out(sizeof *whole / sizeof **whole), out(p > table[0]);
    void *v = p;
    const volatile int *cv = v;
    out((unsigned)*cv), out(v == (void *)pp[0]), out(!v);
    uintptr_t address = (uintptr_t)p;
    address += 2 * sizeof(int);
    out((unsigned)*(int *)address);
    return finish();
}
