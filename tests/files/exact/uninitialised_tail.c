// A buffer of which only the start is written, with an end somewhere in it: what lies behind the end
// is neither read nor an error.
// expect: branches 12 feasible 8
// expect: paths 3
// expect: infeasible 20:9:true
// expect: infeasible 23:16:false
// expect: infeasible 26:9:true
// expect: infeasible 28:12:true
#include "labrys.h"
#include <stdio.h>
#include <string.h>

int main(void) {
    char text[8], *small = text + 6;
    labrys_symbolic(text, 2, "text");
    labrys_assume((text[0] == 0) | (text[1] == 0));
    if (strcmp(text, "a") == 0)
        return 1;
    char *end = memchr(text, 0, 100);
    if (end == NULL)
        return 2;
    if (printf("%s", text) == 1)
        return end == text + 1 ? 3 : 4;
    small[0] = text[0];
    small[1] = 0;
    if (strncmp(text, small, 5) != 0)
        return 5;
    return strncasecmp(text, "X", 3) == 0 ? 6 : 7;
}
