// The number of bytes that puts and printf("%s") write, for a string of at most two characters.
// expect: branches 14 feasible 10
// expect: paths 4
// expect: infeasible 20:16:false
// expect: infeasible 21:9:true
// expect: infeasible 25:9:true
// expect: infeasible 25:28:true
// expect: mcdc 25:9 --
#include "labrys.h"
#include <stdio.h>

int main(void) {
    char s[3];
    labrys_symbolic(s, 2, "s");
    s[2] = 0;
    if (puts(s) == 1)
        return 1;
    int n = printf("%s", s);
    if (n == 1)
        return printf("<%.1s>", s) == 3 ? 2 : 3;
    if (n != 2)
        return 4;
    char copy[8];
    n = snprintf(copy, sizeof copy, "%4s%c", s, s[0]);
    if (copy[2] != s[0] || n != 5)
        return 5;
    return s[1] == copy[4] ? 6 : 7;
}
