// A recursive-descent parser for digits, * and + over two characters and a fixed tail.
// expect: branches 20 feasible 19
// expect: paths 7
// expect: infeasible 47:26:true
// expect: mcdc 14:9 UU
// expect: mcdc 22:12 UU
// expect: mcdc 31:12 UU
#include "labrys.h"

static const char *at;
static int failed;

static int factor(void) {
    if (*at >= '0' && *at <= '9')
        return *at++ - '0';
    failed = 1;
    return 0;
}

static int term(void) {
    int v = factor();
    while (!failed && *at == '*') {
        at++;
        v *= factor();
    }
    return v;
}

static int sum(void) {
    int v = term();
    while (!failed && *at == '+') {
        at++;
        v += term();
    }
    return v;
}

int main(void) {
    char text[5] = "0*7";
    labrys_symbolic(text, 2, "text");
    at = text;
    int v = sum();
    if (failed)
        return 1;
    if (*at)
        return 2;
    return v == 16 ? 3 : v > 63 ? 4 : 5;
}
