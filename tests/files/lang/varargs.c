// Variadic functions: ints, doubles, pointers, structures, va_copy, more than registers hold.
// expect: result 00000000000042400000000000004e4000b80700000070420000000000004c400000000000001940000000000000000098f5000000000000
#include "out.h"
#include <stdarg.h>

struct small { int a, b; };
struct fpair { double a; float b; };
struct large { long a[4]; };

static double sum(const char *types, ...) {
    va_list list;
    double s = 0;
    va_start(list, types);
    for (; *types; types++)
        switch (*types) {
        case 'i': s += va_arg(list, int); break;
        case 'l': s += (double)va_arg(list, long long); break;
        case 'd': s += va_arg(list, double); break;
        case 's': s += (double)strlen(va_arg(list, const char *)); break;
        case 'p': { struct small v = va_arg(list, struct small); s += v.a * v.b; break; }
        case 'f': { struct fpair v = va_arg(list, struct fpair); s += v.a * v.b; break; }
        case 'L': { struct large v = va_arg(list, struct large); s += (double)v.a[3]; break; }
        case 'D': s += (double)va_arg(list, long double); break;
        }
    va_end(list);
    return s;
}

static int vtwice(int n, va_list list) {
    va_list again;
    int s = 0;
    va_copy(again, list);
    for (int i = 0; i < n; i++)
        s += va_arg(list, int);
    for (int i = 0; i < n; i++)
        s = s * 3 + va_arg(again, int);
    va_end(again);
    return s;
}
static int twice(int n, ...) {
    va_list list;
    va_start(list, n);
    int s = vtwice(n, list);
    va_end(list);
    return s;
}

int main(void) {
    char c = -3;
    float f = 0.5f;
    out_double(sum("iiiiiiii", 1, 2, 3, 4, 5, 6, 7, 8));
    out_double(sum("dddddddddd", 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, 10.5));
    out_double(sum("idlsi", c, f, 1LL << 40, "labrys", 'x'));
    out_double(sum("pifLp", (struct small){6, 7}, 1, (struct fpair){2.5, 4}, (struct large){{1, 2, 3, 4}}, (struct small){1, -1}));
    out_double(sum("iDd", 1, 2.25L, 3.0)), out_double(sum(""));
    out((unsigned)twice(7, 1, 2, 3, 4, 5, 6, 7));
    return finish();
}
