// The parameters of the function under test, by type.
// run types: --criterion input-domain
// run positive: --criterion input-domain --function integers --assume 'n > 0 && u < 9'

enum color { RED, GREEN = 5, CRIMSON = 0, BLUE = 7 };
typedef enum { OFF, ON } power;
typedef unsigned char byte;

int integers(int n,
             //~ types: n < 0 ¦ n == 0 ¦ n > 0
             //~ positive: infeasible: n < 0 ¦ infeasible: n == 0 ¦ n > 0
             unsigned u,
             //~ types positive: u == 0 ¦ u > 0
             const long long w, byte b)
             //~ types positive: w < 0 ¦ w == 0 ¦ w > 0 ¦ b == 0 ¦ b > 0
{
    if (n > 3 && u)
        return 1;
    return (int)w + b;
}

// Plain char is signed here.
int characters(char c, signed char s, _Bool b) {
//~ types: {c, s} < 0 ¦ {c, s} == 0 ¦ {c, s} > 0 ¦ b == 0 ¦ b == 1
    return b ? c : s;
}

// Two names of one value are one block.
int named(enum color c, power p) {
//~ types: c == RED ¦ c == GREEN ¦ c == BLUE ¦ c is none of its enumerators
//~ types: p == OFF ¦ p == ON ¦ p is none of its enumerators
    switch (c) {
    case RED:
        return 1;
    default:
        return p;
    }
}

int reals(float f, double d) {
//~ types: {f, d} < 0 ¦ {f, d} == 0 ¦ {f, d} > 0 ¦ {f, d} is not a number
    return f < d;
}

struct pair {
    int a, b;
};

// A structure has no blocks, what points to one has.
int pointers(const char *s, struct pair *p, const int t[4], struct pair whole) {
//~ types: s is null ¦ s is empty ¦ s is not empty
//~ types: {p, t} is null ¦ {p, t} is not null
    return s && p && t && whole.a;
}

// A definition of the old kind, and no parameters at all.
int old(n, x)
    short n;
    //~ types: n < 0 ¦ n == 0 ¦ n > 0
    double x;
    //~ types: x < 0 ¦ x == 0 ¦ x > 0 ¦ x is not a number
{
    while (n > 3)
        n -= 32000;
    return x > n;
}

int none(void) {
    return 1;
}
