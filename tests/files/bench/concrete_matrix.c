// Interpreter speed: matrices of doubles and ints, calls, recursion, structures; 50 million turns.
// expect: result 1843fdff42ff020041cf6100
// expect: short 47bfffff62020000bf424c00
#include "labrys.h"

#ifdef SHORT
enum { N = 64, TURNS = 4, FIB = 15, STEPS = 100000 };
#else
enum { N = 128, TURNS = 10, FIB = 27, STEPS = 30000000 };
#endif
static double a[N][N], b[N][N], c[N][N];
struct item { int key, next; };
static struct item items[4096];

static void multiply(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double s = 0;
            for (int k = 0; k < N; k++)
                s += a[i][k] * b[k][j];
            c[i][j] = s;
        }
}

static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

static int walk(int steps) {
    int at = 0, sum = 0;
    for (int i = 0; i < 4096; i++)
        items[i] = (struct item){i * 37 % 101, (i * 1597 + 51) % 4096};
    while (steps-- > 0) {
        sum = (sum + items[at].key) & 0xffffff;
        at = items[at].next;
    }
    return sum;
}

int main(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = i - j;
            b[i][j] = (i * j) % 7;
        }
    double trace = 0;
    for (int turn = 0; turn < TURNS; turn++) {
        multiply();
        trace += c[turn][turn * 3];
    }
    int r[3] = {(int)trace, fib(FIB), walk(STEPS)};
    labrys_output("result", r, sizeof r);
    return 0;
}
