// A UTF-8 check of two bytes and a known continuation.
// expect: branches 30 feasible 28
// expect: paths 15
// expect: infeasible 18:16:false
// expect: infeasible 20:50:true
// expect: mcdc 18:16 -U
// expect: mcdc 20:13 UU-
// expect: mcdc 22:13 UU
// expect: mcdc 24:13 UU
#include "labrys.h"

static int sequence(const unsigned char *s, int left) {
    if (s[0] < 0x80)
        return 1;
    if (s[0] < 0xc2)
        return 0;
    if (s[0] < 0xe0)
        return left >= 2 && (s[1] & 0xc0) == 0x80 ? 2 : 0;
    if (s[0] < 0xf0) {
        if (left < 3 || (s[1] & 0xc0) != 0x80 || (s[2] & 0xc0) != 0x80)
            return 0;
        if (s[0] == 0xe0 && s[1] < 0xa0)
            return 0;
        if (s[0] == 0xed && s[1] >= 0xa0)
            return 0;
        return 3;
    }
    return 0;
}

int main(void) {
    unsigned char s[3] = {0, 0, 0x80};
    labrys_symbolic(s, 2, "s");
    int at = 0;
    while (at < 3) {
        int n = sequence(s + at, 3 - at);
        if (n == 0)
            return at;
        at += n;
    }
    return 3;
}
