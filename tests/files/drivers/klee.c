// A driver as KLEE's tutorials have them.
// expect: branches 8 feasible 5
// expect: paths 3
// expect: fault assertion 21
// expect: input x
// expect: input name
#include <klee/klee.h>

int main(void) {
    int x;
    char name[3];
    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(name, sizeof name, "name");
    klee_assume(x > 0);
    klee_assume(x < 100);
    int r = klee_range(0, 4, "r");
    if (x > 200)
        return 1;
    if (x + r == 102)
        if (name[1] == 'k')
            klee_assert(0 && "reached");
    return 0;
}
