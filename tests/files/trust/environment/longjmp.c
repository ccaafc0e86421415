// A compiler may keep local variables in registers, which longjmp sets back.
// arguments: --function jumping
#include <setjmp.h>

static jmp_buf back;
static int global;
struct pair { int a, b; };

static void leave(int *p) {
    if (p)
        *p = 7;
    longjmp(back, 1);
}

int jumping(int n) {
    int changed = 0, same = 5, exposed = 3, later;
    struct pair pair = {1, 2};
    volatile int kept = 0;
    global = 0;
    if (setjmp(back)) {
        switch (n) {
        case 0:
            return changed == 0 ? 1 : 0; //@ true unknown longjmp
        case 1:
            return exposed == 3 ? 1 : 0; //@ true unknown longjmp
        case 2:
            return pair.b == 2 ? 1 : 0; //@ true unknown longjmp
        case 3:
            return same != 5 ? 1 : 0; //@ true infeasible
        case 4:
            return global == 0 ? 1 : 0; //@ true infeasible
        case 5:
            return n != 5 ? 1 : 0; //@ true infeasible
        case 6:
            later = n;
            return later != 6 ? 1 : 0; //@ true infeasible
        }
        return kept;
    }
    changed = 1;
    pair.b = 3;
    kept = 1;
    global = 1;
    if (changed != 1) //@ true infeasible
        return 9;
    leave(n == 1 ? &exposed : 0);
    return 0;
}
