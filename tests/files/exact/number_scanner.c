// Reads a decimal number with sign from three characters.
// expect: branches 26 feasible 23
// expect: paths 14
// expect: infeasible 38:16:true
// expect: infeasible 41:9:true
// expect: infeasible 41:20:true
// expect: mcdc 21:12 UU
// expect: mcdc 25:9 UU
// expect: mcdc 41:9 --
// expect: mcdc 43:12 UU
#include "labrys.h"

static int scan(const char *s, int *value) {
    int sign = 1, digits = 0, v = 0;
    if (*s == '-') {
        sign = -1;
        s++;
    } else if (*s == '+') {
        s++;
    }
    while (*s >= '0' && *s <= '9') {
        v = v * 10 + (*s++ - '0');
        digits++;
    }
    if (digits == 0 || *s)
        return 0;
    *value = sign * v;
    return 1;
}

int main(void) {
    char s[4];
    labrys_symbolic(s, 2, "s");
    s[2] = '5';
    s[3] = 0;
    int v = 0;
    if (!scan(s, &v))
        return v ? 1 : 2;
    if (v == -75)
        return 3;
    if (v < -99 || v > 999)
        return 4;
    return v % 10 == 5 || v % 10 == -5 ? 5 : 6;
}
