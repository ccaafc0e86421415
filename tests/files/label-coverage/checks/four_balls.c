/* Against counting: the odd ball is the one that differs from three equal ones. */
#include "check.h"
#include "../four_balls.c"
#undef main

static enum odd reference(const int *w) {
    int i, j;
    for (i = 0; i < 4; i++) {
        int same = 0, others[3], n = 0;
        for (j = 0; j < 4; j++)
            if (j != i) others[n++] = w[j];
        same = others[0] == others[1] && others[1] == others[2];
        if (same && w[i] != others[0]) return (enum odd)(FIRST + i);
    }
    return NOT_ONE;
}

int main(void) {
    int n;
    for (n = 0; n < 256; n++) {
        int w[4] = {n & 3, n >> 2 & 3, n >> 4 & 3, n >> 6 & 3};
        CHECK(odd_ball(w[0], w[1], w[2], w[3]) == reference(w));
    }
    return checked == 256 ? 0 : 1;
}
