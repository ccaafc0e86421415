// A harness for CBMC: nondet_ functions that nobody defines, assumptions, assertions.
// expect: branches 4 feasible 4
// expect: paths 4
// expect: fault assertion 17
int nondet_int(void);
unsigned char nondet_uchar(void);
_Bool nondet_bool(void);

int main(void) {
    int x = nondet_int();
    unsigned char limit = nondet_uchar();
    __CPROVER_assume(x >= 0 && x < 50);
    int y = nondet_bool() ? x * 2 : x;
    if (y > limit)
        y = limit;
    // 98 is reached with x = 49 doubled and a limit of 98 or more.
    __CPROVER_assert(y != 98, "never 98");
    return y;
}
