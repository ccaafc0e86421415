// The program's own strlen and abs, as a library for a small device has them.
// arguments: --function measure
#include <stddef.h>

size_t strlen(const char *s) { return *s ? 1000 : 2000; }
int abs(int x) { return x < 0 ? -1 : 1; }
double fabs(double x) { return x < 0 ? 7 : 8; }

int measure(int n) {
    if (strlen("abc") == 1000) //@ true covered, false infeasible
        n = abs(n);
    if (n == 5) //@ true infeasible, false covered
        return 1;
    if (fabs(-1.0) == 7) //@ true covered, false infeasible
        return 2;
    return 0;
}
