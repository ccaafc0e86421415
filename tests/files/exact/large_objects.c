// Objects of many megabytes: global, heap and stack, filled and copied, written on some paths only.
// expect: branches 26 feasible 19
// expect: paths 3
// expect: infeasible 28:9:true
// expect: infeasible 28:19:true
// expect: infeasible 36:13:true
// expect: infeasible 49:33:true
// expect: infeasible 51:9:true
// expect: infeasible 51:41:true
// expect: infeasible 51:57:true
// expect: mcdc 28:9 --
// expect: mcdc 49:9 --
// expect: mcdc 51:9 ---
#include "labrys.h"
#include <stdlib.h>
#include <string.h>

static int numbers[4 << 20];
static char text[32 << 20];

int main(void) {
    unsigned char x = labrys_uchar("x");
    labrys_assume(x < 6);
    char local[2 << 20];
    char *zeros = calloc(32, 1 << 20), *block = malloc(24 << 20);
    char *small[3000];
    int r = 0;
    if (!zeros || !block)
        return -1;
    memset(block, 3, 24 << 20);
    memcpy(local, block + 1, sizeof local);
    memmove(zeros + 5, zeros, (32 << 20) - 5);
    memcpy(text, block, sizeof text / 2);
    for (int i = 0; i < 3000; i++) {
        small[i] = malloc(100);
        if (!small[i])
            return -2;
        small[i][0] = (char)i;
    }
    numbers[123456] = x;
    if (numbers[123456] == 2) {
        local[9] = 1;
        zeros[1 << 24] = 8;
    }
    if (x > 1)
        block[20 << 20] = 5;
    if (block[20 << 20] + local[9] + zeros[1 << 24] + text[1000] == 5 + 1 + 8 + 3)
        r |= 1;
    if (block[20 << 20] == 3 && zeros[1 << 24])
        r |= 2;
    if (small[2999][0] != (char)2999 || zeros[12345] || block[(24 << 20) - 1] != 3)
        r |= 4;
    for (int i = 0; i < 3000; i++)
        free(small[i]);
    free(zeros);
    free(block);
    return r;
}
