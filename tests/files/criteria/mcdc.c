// MC/DC: the pair of each condition. What is infeasible is so by analysis, and without it by search.
// run mcdc: --criterion mcdc
// run unique: --criterion mcdc-unique
// run searched: --criterion mcdc --no-static
// run alone: --criterion mcdc-unique --no-static --search dfs

int one(signed char x) {
    if (x > 3)
        //~ mcdc unique searched alone: x > 3 is true and is false
        return 1;
    return 0;
}

int two(signed char a, signed char b) {
    if (a > 0 && !(b > 0))
        //~ mcdc unique searched alone: {a > 0, !(b > 0)} decides a > 0 && !(b > 0)
        return 1;
    return 0;
}

int three(signed char a, signed char b, signed char c) {
    return a > 0 || (b > 0 && !(c > 0));
    //~ mcdc unique searched alone: {a > 0, b > 0, !(c > 0)} decides a > 0 || (b > 0 && !(c > 0))
}

// Coupled: where a > 5 is false, a > 3 is true or false, but where it is true, a > 3 is true.
int coupled(signed char a) {
    int x = a > 3 && a > 5;
    //~ mcdc unique searched alone: {a > 3, a > 5} decides a > 3 && a > 5
    int y = a > 5 && a > 3;
    //~ mcdc unique searched alone: a > 5 decides a > 5 && a > 3 ¦ infeasible: a > 3 decides a > 5 && a > 3
    int z = a > 5 || a > 3;
    //~ mcdc unique searched alone: {a > 5, a > 3} decides a > 5 || a > 3
    int w = a < 3 || a > 1;
    //~ mcdc unique searched alone: infeasible: {a < 3, a > 1} decides a < 3 || a > 1
    return x + y + z + w;
}

// Every occurrence is a condition of its own.
int repeated(signed char a, signed char b) {
    int x = a && (b || a);
    //~ mcdc unique searched alone: a decides a && (b || a)
    //~ mcdc unique searched alone: infeasible: {b, a} decides a && (b || a)
    int y = (a && b) || (!a && !b);
    //~ mcdc unique searched alone: {a, b, !b} decides (a && b) || (!a && !b)
    //~ mcdc searched: !a decides (a && b) || (!a && !b)
    //~ unique alone: infeasible: !a decides (a && b) || (!a && !b)
    return x + y;
}

// x <= 0 is true only where x > 0 is false: there is a pair, but x > 0 is another in it.
int masked(signed char x, signed char y) {
    return (x > 0 || y > 0) && x <= 0;
    //~ mcdc searched: y > 0 decides (x > 0 || y > 0) && x <= 0 ¦ x <= 0 decides (x > 0 || y > 0) && x <= 0
    //~ mcdc searched: infeasible: x > 0 decides (x > 0 || y > 0) && x <= 0
    //~ unique alone: y > 0 decides (x > 0 || y > 0) && x <= 0
    //~ unique alone: infeasible: {x > 0, x <= 0} decides (x > 0 || y > 0) && x <= 0
}

int constants(signed char x, signed char y) {
    int r = 0;
    if (sizeof(int) == 4 && x > 1)
        //~ mcdc unique searched alone: x > 1 decides sizeof(int) == 4 && x > 1
        r += 1;
    if (x > 2 || 1)
        //~ mcdc unique searched alone: infeasible: x > 2 decides x > 2 || 1
        r += 2;
    if ((x > 3 && 0) || y > 3)
        //~ mcdc unique searched alone: infeasible: x > 3 decides (x > 3 && 0) || y > 3
        //~ mcdc unique searched alone: y > 3 decides (x > 3 && 0) || y > 3
        r += 4;
    while (1) {
        if (r)
            //~ mcdc unique searched alone: infeasible: r is true and is false
            return r;
        r = 1;
    }
}

// The operators on bits make one condition.
int bits(signed char a, signed char b, signed char c) {
    return (a > 1 & b > 1) || c > 1;
    //~ mcdc unique searched alone: {a > 1 & b > 1, c > 1} decides (a > 1 & b > 1) || c > 1
}

static int same(int v) {
    return v;
}

// Decisions in arguments, indices, operands of ?: and statement expressions are decisions of their
// own.
int nested(signed char a, signed char b, signed char c) {
    static const signed char t[2] = {1, -1};
    int x = t[a && b] > 0 && same(b || c);
    //~ mcdc unique searched alone: {a, b} decides a && b ¦ {b, c} decides b || c
    //~ mcdc unique searched alone: {t[a && b] > 0, same(b || c)} decides t[a && b] > 0 && same(b || c)
    int y = (a ? b : c) && c > 3;
    //~ mcdc unique searched alone: a is true and is false
    //~ mcdc unique searched alone: {a ? b : c, c > 3} decides (a ? b : c) && c > 3
    int z = ({ int q = a > 2 && b > 2; q; }) || c > 2;
    //~ mcdc unique searched alone: {a > 2, b > 2} decides a > 2 && b > 2
    //~ mcdc unique searched alone: ({ int q = a > 2 && b > 2; q; }) decides ({ int q = a > 2 && b > 2; q; }) || c > 2
    //~ mcdc unique searched alone: c > 2 decides ({ int q = a > 2 && b > 2; q; }) || c > 2
    return x + y + z;
}

// Side effects happen once.
int effects(signed char n, signed char b) {
    int count = 0;
    if ((count++, n > 3) && ++count > 1 || b)
        //~ mcdc unique searched alone: count++, n > 3 decides (count++, n > 3) && ++count > 1 || b ¦ b decides (count++, n > 3) && ++count > 1 || b
        //~ mcdc unique searched alone: infeasible: ++count > 1 decides (count++, n > 3) && ++count > 1 || b
        count += 10;
    return count;
}

int device(signed char x) {
    static volatile signed char v;
    v = x;
    return v > 3 && v < 2;
    //~ mcdc unique searched alone: infeasible: {v > 3, v < 2} decides v > 3 && v < 2
}

// Inside the decision the function decides again.
int deep(unsigned char n, signed char a) {
    n &= 3;
    return n && deep(n - 1, a) || a > 5;
    //~ mcdc unique searched alone: {n, a > 5} decides n && deep(n - 1, a) || a > 5
    //~ mcdc unique searched alone: deep(n - 1, a) decides n && deep(n - 1, a) || a > 5
}

struct cell {
    int x;
};

// A guarded condition is evaluated only where it cannot fault.
int guarded(unsigned char which, signed char x, signed char c) {
    struct cell cell = {x};
    struct cell *p = which & 1 ? &cell : 0;
    //~ mcdc unique searched alone: which & 1 is true and is false
    int r = (p && p->x > 0) || c > 0;
    //~ mcdc unique searched alone: {p, p->x > 0, c > 0} decides (p && p->x > 0) || c > 0
    int s = !p || p->x == 3 || 100 / p->x > 7;
    //~ mcdc unique searched alone: {!p, p->x == 3, 100 / p->x > 7} decides !p || p->x == 3 || 100 / p->x > 7
    //~ fault: division-by-zero
    return r + s;
}

int elvis(signed char a, signed char b) {
    return a ?: b;
    //~ mcdc unique searched alone: a is true and is false
}

int loop(signed char x, signed char y, signed char z) {
    const signed char t[3] = {x, y, z};
    int i = 0;
    while (i < 3 && t[i] != 7)
        //~ mcdc unique searched alone: {i < 3, t[i] != 7} decides i < 3 && t[i] != 7
        i++;
    do
        i--;
    while (i > 0 || x == i);
    //~ mcdc unique searched alone: {i > 0, x == i} decides i > 0 || x == i
    switch (x > 1 && y > 1) {
    //~ mcdc unique searched alone: {x > 1, y > 1} decides x > 1 && y > 1
    case 0:
        return i;
    default:
        return -i;
    }
}
