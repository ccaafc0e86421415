// A program of the form that SV-COMP and Test-Comp use, with its own declarations.
// expect: branches 8 feasible 6
// expect: paths 3
// expect: fault reach-error 21
extern void abort(void);
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int cond);

int main(void) {
    int n = __VERIFIER_nondet_int();
    unsigned char c = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(n >= 0);
    __VERIFIER_assume(n <= 2);
    if (n > 2 || c > 255)
        abort();
    if (n == 2) {
        if (c == 'e')
        ERROR:
            reach_error();
        return 1;
    }
    return 0;
}
