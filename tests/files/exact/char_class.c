// Character classes with the functions of <ctype.h>.
// expect: branches 22 feasible 19
// expect: paths 9
// expect: infeasible 22:13:false
// expect: infeasible 25:28:true
// expect: infeasible 27:24:true
// expect: mcdc 19:14 UU
// expect: mcdc 25:14 U-
// expect: mcdc 27:9 --
#include "labrys.h"
#include <ctype.h>

int main(void) {
    unsigned char c = labrys_uchar("c");
    labrys_assume(c < 128);
    int r = 0;
    if (isdigit(c))
        r = c - '0';
    else if (isalpha(c) && isupper(c))
        r = 20;
    else if (isalpha(c))
        r = tolower(c) == c ? 30 : 31;
    else if (isspace(c))
        r = c == ' ' ? 40 : 41;
    else if (ispunct(c) || isalnum(c))
        r = 50;
    if (isxdigit(c) && !isalnum(c))
        r = 60;
    return r;
}
