// strlen, strcmp, strchr and strcpy on a string of at most two characters.
// expect: branches 14 feasible 11
// expect: paths 5
// expect: infeasible 16:9:true
// expect: infeasible 19:16:false
// expect: infeasible 24:9:true
// expect: mcdc 21:9 UU
#include "labrys.h"
#include <string.h>

int main(void) {
    char s[3], copy[8] = "x";
    labrys_symbolic(s, 2, "s");
    s[2] = 0;
    size_t n = strlen(s);
    if (n > 2)
        return 1;
    if (strcmp(s, "ok") == 0)
        return n == 2 ? 2 : 3;
    const char *p = strchr(s, '/');
    if (p && p - s == 1)
        return 4;
    strcat(strcpy(copy, s), "!");
    if (copy[n] != '!')
        return 5;
    return n == 0 ? 6 : 7;
}
