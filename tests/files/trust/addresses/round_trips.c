// What needs no address as a number: round trips, differences within an object, offsets, null.
// arguments: --function trips
#include <stddef.h>
#include <stdint.h>
struct pair {
    int a;
    long b;
};
#define container_of(p, type, member) ((type *)((char *)(p)-offsetof(type, member)))
int trips(int x) {
    struct pair p = {x, 3};
    int array[8] = {0};
    uintptr_t n = (uintptr_t)&array[2];
    if (*(int *)(n + 4) == 1) //@ true infeasible, false covered
        return 1;
    if ((uintptr_t)&array[5] - (uintptr_t)&array[2] == 12) //@ true covered, false infeasible
        x++;
    if (container_of(&p.b, struct pair, b) == &p) //@ true covered, false infeasible
        x++;
    if ((uintptr_t)&p == 0) //@ true infeasible, false covered
        return 2;
    if ((size_t) & ((struct pair *)0)->b == 8) //@ true covered, false infeasible
        return 3;
    return x;
}
