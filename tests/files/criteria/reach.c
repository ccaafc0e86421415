// Statements, functions and calls.
// run statement: --criterion statement
// run function: --criterion function
// run call: --criterion call
#include <stdlib.h>

typedef int (*step)(int);

static int twice(int v) {
//~ function: twice is called
    return 2 * v;
    //~ statement: return 2 * v;
}

static int minus(int v) {
//~ function: minus is called
    return -v;
    //~ statement: return -v;
}

// Calls through a pointer, in an argument, behind && and ?:.
int chosen(signed char x) {
//~ function: chosen is called
    step s = x > 0 ? twice : minus;
    //~ statement: step s = x > 0 ? twice : minus;
    if (x && s(twice(x)) > 100)
        //~ statement: if (x && s(twice(x)) > 100)
        //~ call: call of s(twice(x)) ¦ call of twice(x)
        return x > 120 ? (*s)(x) : x < -120 ? minus(x) : 0;
        //~ statement: return x > 120 ? (*s)(x) : x < -120 ? minus(x) : 0;
        //~ call: call of (*s)(x) ¦ call of minus(x)
    return !(x < 0 || x > 0 || twice(x)) && minus(x);
    //~ statement: return !(x < 0 || x > 0 || twice(x)) && minus(x);
    //~ call: call of {twice, minus}(x)
}

// The statements of a case are reached by falling into it as well.
int fall(unsigned char k) {
//~ function: fall is called
    int r = 0, unused;
    //~ statement: int r = 0, unused;
    switch (twice(k) % 8) {
    //~ statement: switch (twice(k) % 8)
    //~ call: call of twice(k)
    case 0:
        r = twice(r);
        //~ statement: r = twice(r);
        //~ call: call of twice(r)
    case 1:
        r++;
        //~ statement: r++;
        break;
        //~ statement: break;
    case 5:
        return minus(k);
        //~ statement: infeasible: return minus(k);
        //~ call: infeasible: call of minus(k)
    default:
        ;
    }
    return r;
    //~ statement: return r;
}

// What no run reaches. Built-in functions are no calls; those of the C library are.
int dead(signed char x) {
//~ function: dead is called
    int y = __builtin_abs(x) + (int)sizeof(twice(1));
    //~ statement: int y = __builtin_abs(x) + (int)sizeof(twice(1));
    if (x > 3 && x < 2)
        //~ statement: if (x > 3 && x < 2)
        return minus(twice(1));
        //~ statement: infeasible: return minus(twice(1));
        //~ call: infeasible: call of minus(twice(1)) ¦ infeasible: call of twice(1)
    if (y < 0 && abs(x))
        //~ statement: if (y < 0 && abs(x))
        //~ call: infeasible: call of abs(x)
        y = 1;
        //~ statement: infeasible: y = 1;
    goto out;
    //~ statement: goto out;
    y = abs(3);
    //~ statement: infeasible: y = abs(3);
    //~ call: infeasible: call of abs(3)
out:
    return abs(y);
    //~ statement: return abs(y);
    //~ call: call of abs(y)
}

#define NOTE(v) do { if ((v) > 9) twice(v); } while (0)

// Loops, an empty one too, and statements that a macro hides.
int loops(unsigned char n) {
//~ function: loops is called
    int i;
    for (i = twice(0); i < n && i < 2; i -= minus(1)) {
        //~ statement: for (i = twice(0); i < n && i < 2; i -= minus(1))
        //~ call: call of twice(0) ¦ call of minus(1)
        if (i == 5)
            //~ statement: if (i == 5)
            continue;
            //~ statement: infeasible: continue;
        NOTE(n);
        //~ statement: do ¦ if ((n) > 9) ¦ twice(n);
        //~ call: call of twice(n)
    }
    do
    //~ statement: do
        n += 100;
        //~ statement: n += 100;
    while (twice(n) < 150);
    //~ call: call of twice(n)
    while (i-- > 0)
        //~ statement: while (i-- > 0)
        ;
    return n;
    //~ statement: return n;
}

// A definition of the old kind, a statement expression and a comma.
int old(x, p)
//~ function: old is called
    signed char x;
    int *p;
{
    int r = ({ int q = twice(x); q > 5 ? minus(q) : q; });
    //~ statement: int r = ({ int q = twice(x); q > 5 ? minus(q) : q; });
    //~ statement: int q = twice(x); ¦ q > 5 ? minus(q) : q;
    //~ call: call of twice(x) ¦ call of minus(q)
    if (p)
        //~ statement: if (p)
        *p = twice(r), r = minus(*p);
        //~ statement: *p = twice(r), r = minus(*p);
        //~ call: call of twice(r) ¦ call of minus(*p)
    else if (r == 4)
        //~ statement: if (r == 4)
        exit(twice(1));
        //~ statement: exit(twice(1));
        //~ call: call of exit(twice(1)) ¦ call of twice(1)
    return r;
    //~ statement: return r;
}
