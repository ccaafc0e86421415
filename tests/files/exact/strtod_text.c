// strtod on a text of one character behind a fixed one: its end and value.
// expect: branches 12 feasible 10
// expect: paths 5
// expect: infeasible 13:9:true
// expect: infeasible 16:16:false
#include "labrys.h"
#include <stdlib.h>

int main(void) {
    char s[4] = "1x", *end;
    labrys_symbolic(s + 1, 1, "s");
    double value = strtod(s, &end);
    if (end == s)
        return 1;
    if (end == s + 1)
        return value == 1.0 ? 2 : 3;
    if (value > 10.5)
        return value == 15.0 ? 4 : 5;
    return value == 1.0 ? 6 : 7;
}
