// What printf returns and %n stores depends on the input, though the text itself costs no path.
// expect: branches 18 feasible 14
// expect: paths 6
// expect: infeasible 18:16:false
// expect: infeasible 19:9:true
// expect: infeasible 19:19:true
// expect: infeasible 28:12:false
// expect: mcdc 19:9 --
#include "labrys.h"
#include <stdio.h>

int main(void) {
    signed char c = labrys_schar("c");
    int n = printf("%d|", c);
    if (n == 2)
        return 1;
    if (n == 5)
        return c <= -100 ? 2 : 3;
    if (n == 1 || n > 5)
        return 4;
    n = printf("%+03hhd%#x", c, (unsigned char)c);
    if (n == 7)
        return c > 0 ? 5 : 6;
    int before = 0;
    printf("%5u%n", (unsigned char)c * 1000u, &before);
    if (before == 6)
        return 7;
    return before == 5 ? 8 : 9;
}
