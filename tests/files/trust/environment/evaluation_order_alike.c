// Operands that do not notice in which order they are evaluated, or that have an order.
// arguments: --function alike
#include <ctype.h>
#include <string.h>

static int total;
static const int fixed[3] = {1, 2, 3};

static int add(int x, int y) { return x + y; }
static int square(int x) { return x * x; }
static int next(void) { return ++total; }
static int look(void) { return total; }
static int low(int i) { return fixed[i & 1]; }
static int own(int x) { int a[2] = {x, 1}; a[x & 1] = 3; return a[0] + a[1]; }
static void put(long *p) { *p = 2; }
static int through(short *p) { long v; put(&v); *p = 1; return (int)v; }

int alike(int n, int x, int *given) {
    int r;
    short small = 0;
    total = 0;
    switch (n) {
    case 0:
        r = add(square(x & 3), square(2));
        return r > 13 ? 1 : 0; //@ true infeasible
    case 1:
        r = add(look(), look());
        return r > 0 ? 1 : 0; //@ true infeasible
    case 2:
        r = (next(), next());
        return r == 1 ? 1 : 0; //@ true infeasible
    case 3:
        r = next() && next() ? total : 0;
        return r == 1 ? 1 : 0; //@ true infeasible
    case 4:
        r = low(x) + low(x + 1);
        return r > 4 ? 1 : 0; //@ true infeasible
    case 5:
        total = next();
        return total > 1 ? 1 : 0; //@ true infeasible
    case 6:
        total += look();
        return total > 0 ? 1 : 0; //@ true infeasible
    case 7:
        r = own(x & 1) + own(1);
        return r > 9 ? 1 : 0; //@ true infeasible
    case 8:
        *given = 5;
        r = *given + through(&small);
        return r > 7 ? 1 : 0; //@ true infeasible
    case 9:
        r = toupper('a') + !!isdigit('3') + (int)strlen("abc");
        return r == 0 ? 1 : 0; //@ true infeasible
    case 10:
        r = add(square(x & 1), next());
        return r > 2 ? 1 : 0; //@ true infeasible
    }
    return 0;
}
