// Bubble sort of three nibbles, then a check that they are sorted.
// expect: branches 14 feasible 12
// expect: paths 7
// expect: infeasible 24:13:true
// expect: infeasible 26:23:true
// expect: mcdc 26:9 --
#include "labrys.h"

static void sort(int *v, int n) {
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < n - 1 - i; j++)
            if (v[j] > v[j + 1]) {
                int t = v[j];
                v[j] = v[j + 1];
                v[j + 1] = t;
            }
}

int main(void) {
    unsigned short x = labrys_ushort("x");
    int v[3] = {x & 15, x >> 4 & 15, x >> 8 & 15};
    sort(v, 3);
    for (int i = 0; i < 2; i++)
        if (v[i] > v[i + 1])
            return 1;
    if (v[0] == 15 && v[1] < 15)
        return 2;
    return 0;
}
