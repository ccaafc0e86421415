// Operands that C evaluates in any order: compilers differ, also from one place to the next.
// arguments: --function any_order --cc clang-19
#include <stdlib.h>
#include <string.h>

static int first, total, stack[4], depth;
static struct box { int left, right; } box;
struct pair { int a, b; };

static int one(void) { if (!first) first = 1; return 1; }
static int two(void) { if (!first) first = 2; return 2; }
static int next(void) { return ++total; }
static int add(int x, int y) { return x + y; }
static int less(int x, int y) { return x - y; }
static int set(int *p) { *p = 7; return 0; }
static int leave(int x) { if (x > 3) exit(0); return 0; }
static int large(int x) { return x > 3 ? 2 : 1; } //@ true unknown order of evaluation
static int deep(void) { return next() + 1; }
static int (*const way)(void) = one;
static int push(int x) { stack[depth++ & 3] = x; return depth; }
static struct pair both(int x) { total = x; return (struct pair){x, x}; }
static int by_name(const void *a, const void *b) { (void)a; (void)b; total = 5; return 0; }

int any_order(int n, int x, int *given, char *text) {
    int r, local = 0, list[2];
    register int fast = x;
    first = total = depth = 0;
    switch (n) {
    case 0:
        add(one(), two());
        if (first == 2 && x == 11) //@ true unknown order of evaluation
            return 1;
        return 0;
    case 1:
        r = one() + two();
        return first == 2 && x == 12 ? r : 0; //@ true unknown order of evaluation
    case 2:
        r = less(next(), next());
        return r == 1 && x == 13 ? r : 0; //@ true unknown order of evaluation
    case 3:
        r = total + next();
        return r == 2 && x == 14 ? r : 0; //@ true unknown order of evaluation
    case 4: // clang reads total last
        total += next();
        if (total == 2) //@ false unknown order of evaluation
            return 6;
        return 0;
    case 5:
        list[0] = list[1] = 0;
        list[total] = next();
        return list[1] == 1 && x == 16 ? 1 : 0; //@ false open
    case 6: {
        struct pair p = {next(), next()};
        return p.a == 2 && x == 17 ? 1 : 0; //@ true unknown order of evaluation
    }
    case 7:
        r = local + set(&local);
        return r == 7 && x == 18 ? 1 : 0; //@ true unknown order of evaluation
    case 8:
        *given = 0;
        r = *given + set(given);
        return r == 7 && x == 19 ? 1 : 0; //@ true unknown order of evaluation
    case 9:
        r = leave(x) + (x > 3 ? 2 : 1); //@ true unknown order of evaluation
        return r;
    case 10:
        return add(leave(x), large(x));
    case 11:
        r = way() + two();
        return first == 2 && x == 20 ? r : 0; //@ true unknown order of evaluation
    case 12:
        r = less(deep(), next());
        return r == 2 && x == 21 ? r : 0; //@ true unknown order of evaluation
    case 13:
        r = less(push(3), push(4));
        return stack[0] == 4 && x == 22 ? r : 0; //@ true unknown order of evaluation
    case 14:
        box.left = 0;
        r = box.left + set(&box.left);
        return r == 7 && x == 23 ? r : 0; //@ true unknown order of evaluation
    case 15:
        r = both(fast).a - (total > 0 ? 1 : 2);
        return r == x - 1 && x == -3 ? r : 0; //@ true open
    case 16:
        text[0] = 'a';
        r = text[0] + (strcpy(text, "b") == text);
        return r == 'b' + 1 && x == 24 ? r : 0; //@ true unknown order of evaluation
    case 17:
        qsort(list, 2, sizeof list[0], by_name);
        total = 0;
        list[0] = list[1] = 1;
        r = total + (bsearch(&x, list, 2, sizeof list[0], by_name) == list);
        return r > 4 && x == 25 ? r : 0; //@ true unknown order of evaluation
    case 18:
        r = ({ int t = next(); t; }) - ({ next(); });
        return r == 1 && x == 26 ? r : 0; //@ true unknown order of evaluation
    case 19:
        if (less(next(), next()) > 0) //@ true unknown order of evaluation
            return 3;
        while (less(next(), next()) > 0) //@ true unknown order of evaluation
            return 4;
        for (r = less(next(), next()); r > 0; r--) //@ true unknown order of evaluation
            return 5;
        return less(next(), next()) > 0;
    }
    return 0;
}
