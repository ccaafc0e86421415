// Another unit of the program may define what is weak here, or missing.
// arguments: --function weak
#include <stdlib.h>

__attribute__((weak)) int hook(int x) { return x > 3; }
__attribute__((weak)) void stop(void) { exit(1); }
__attribute__((weak)) void look(int *p) { (void)p; }
__attribute__((weak)) int level = 3;
__attribute__((weak)) const int table[2] = {1, 2};
extern int option __attribute__((weak));
extern int missing(void) __attribute__((weak));
static int fixed(int x) { return x & 3; }
int alias(int) __attribute__((weak, alias("fixed")));
int other_name(int) __attribute__((alias("fixed")));
#pragma weak late
int late(int x) { return x & 1; }
static int (*const by_table[2])(int) = {hook, fixed};
static int only_looked_at = 3;
inline int smaller(int a, int b) { return a < b ? a : b; }
__attribute__((weak)) inline int weak_inline(int x) { return x & 1; }
__attribute__((weak, visibility("protected"))) int weak_protected(int x) { return x & 1; }
static int own = 7;

int weak(int n, int x) {
    int *place;
    switch (n) {
    case 0:
        return hook(x) == 5 ? 1 : 0; //@ true open
    case 1:
        return level == 4 ? 1 : 0; //@ true open
    case 2:
        return table[x & 1] == 9 ? 1 : 0; //@ true open
    case 3:
        return &option != NULL ? 1 : 0; //@ true open
    case 4:
        return missing ? missing() : 0; //@ true open
    case 5:
        return alias(x) > 3 ? 1 : 0; //@ true open
    case 6:
        return late(x) > 3 ? 1 : 0; //@ true open
    case 7:
        return by_table[0](x) == 5 ? 1 : 0; //@ true open
    case 8:
        stop();
        return x > 3 ? 1 : 0; //@ true open, false open
    case 9:
        look(&only_looked_at);
        return only_looked_at == 4 ? 1 : 0; //@ true open
    case 10:
        return fixed(x) > 3 ? 1 : 0; //@ true infeasible
    case 11:
        return other_name(x) > 3 ? 1 : 0; //@ true infeasible
    case 12:
        return smaller(x, 5) > 5 ? 1 : 0; //@ true infeasible
    case 13:
        return by_table[1](x) > 3 ? 1 : 0; //@ true infeasible
    case 14:
        place = &own;
        return *place == 8 ? 1 : 0; //@ true infeasible
    case 15:
        return weak_inline(x) == 5 ? 1 : 0; //@ true open
    case 16:
        return weak_protected(x) == 5 ? 1 : 0; //@ true open
    }
    return 0;
}
