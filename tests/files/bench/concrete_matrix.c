// Interpreter speed: matrices of doubles and ints, calls, recursion, structures; 50 million turns.
// expect: result 1843fdff42ff020041cf6100
#include "labrys.h"

enum { N = 128 };
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
    for (int turn = 0; turn < 10; turn++) {
        multiply();
        trace += c[turn][turn * 3];
    }
    int r[3] = {(int)trace, fib(27), walk(30000000)};
    labrys_output("result", r, sizeof r);
    return 0;
}
